//! Where a result goes: standard output, or a file that is there whole or not at all.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};

/// The unfinished file that Ctrl-C has to remove.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Standard output, or a file.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        file.map_or(Self::Stdout, Self::File)
    }

    /// Colour goes to terminals only, unless the environment says otherwise (NO_COLOR, CLICOLOR_FORCE).
    pub(crate) fn wants_color(&self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        if set("NO_COLOR") {
            return false;
        }
        matches!(self, Self::Stdout) && (set("CLICOLOR_FORCE") || io::stdout().is_terminal())
    }

    /// Columns of the terminal, within reason.
    pub(crate) fn width(&self) -> usize {
        let terminal = matches!(self, Self::Stdout).then(terminal_size::terminal_size).flatten();
        terminal.map_or(100, |(terminal_size::Width(columns), _)| usize::from(columns).clamp(40, 160))
    }

    /// Whether a result could be written, as far as that can be told before there is one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        if path.is_dir() {
            bail!("cannot write {}: it is a folder; name a file", path.display());
        }
        if !folder_of(path).is_dir() {
            bail!("cannot write {}: there is no folder {}", path.display(), folder_of(path).display());
        }
        Ok(())
    }

    /// Writes a result. A reader that went away is no failure.
    pub(crate) fn write(&self, render: impl Fn(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                let mut out = BufWriter::new(io::stdout().lock());
                match render(&mut out).and_then(|()| out.flush()) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                    other => other.context("cannot write to standard output"),
                }
            }
            Self::File(path) => match write_file(path, render) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other.with_context(|| format!("cannot write {}", path.display())),
            },
        }
    }
}

fn write_file(path: &Path, render: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        // A device or a pipe takes what it is given; it cannot be replaced.
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        render(&mut out)?;
        return out.flush();
    }
    // What a link leads to is replaced, not the link.
    let real = path.canonicalize();
    let path = real.as_deref().unwrap_or(path);
    let file = tempfile::Builder::new().prefix(".familiar-").tempfile_in(folder_of(path))?;
    remember(Some(file.path().to_owned()));
    let result = fill(file, path, render);
    remember(None);
    result
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn fill(
    file: tempfile::NamedTempFile,
    path: &Path,
    render: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    render(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private; the result is as readable as any file the user makes.
        let mode = path.metadata().map_or(0o644, |metadata| metadata.permissions().mode());
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

fn remember(path: Option<PathBuf>) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        *unfinished = path;
    }
}

/// Makes Ctrl-C remove an unfinished file before it ends the process.
pub(crate) fn clean_up_on_interrupt() {
    let handler = || {
        if let Ok(unfinished) = UNFINISHED.lock()
            && let Some(path) = unfinished.as_deref()
        {
            // Nothing is left to be done about a file that cannot be removed.
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(130);
    };
    // Without a handler Ctrl-C still ends the process; only the clean-up is lost.
    let _ = ctrlc::set_handler(handler);
}

//! Where a result goes: standard output, or a file or a folder that is there whole or not at all.

use std::cell::RefCell;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};

/// The unfinished files and folders that Ctrl-C has to remove.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// When text has colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless the environment says otherwise (NO_COLOR, CLICOLOR_FORCE).
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorWhen {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

/// Where a result goes.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Standard output where there is none.
    file: Option<PathBuf>,
    color: ColorWhen,
}

impl Target {
    /// A file, or standard output.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self { file, color: ColorWhen::Auto }
    }

    pub(crate) fn in_color(self, color: ColorWhen) -> Self {
        Self { color, ..self }
    }

    pub(crate) fn wants_color(&self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        match self.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto if set("NO_COLOR") => false,
            ColorWhen::Auto => self.file.is_none() && (set("CLICOLOR_FORCE") || io::stdout().is_terminal()),
        }
    }

    /// Columns of the terminal, within reason.
    pub(crate) fn width(&self) -> usize {
        let terminal = self.file.is_none().then(terminal_size::terminal_size).flatten();
        terminal.map_or(100, |(terminal_size::Width(columns), _)| usize::from(columns).clamp(40, 160))
    }

    /// Whether a result could be written, as far as that can be told before there is one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        if path.is_dir() {
            bail!("cannot write {}: it is a folder; name a file", path.display());
        }
        if !folder_of(path).is_dir() {
            bail!(
                "cannot write {}: there is no folder {}; create it first",
                path.display(),
                folder_of(path).display()
            );
        }
        Ok(())
    }

    /// Writes a result that is made while it is written. An error of `render` that is one of writing is told as such, and any other
    /// as it is.
    pub(crate) fn try_write(
        &self,
        render: impl Fn(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let failed = RefCell::new(None);
        let written = self.write(|out| {
            render(out).map_err(|error| {
                error.downcast::<io::Error>().unwrap_or_else(|error| {
                    failed.replace(Some(error));
                    io::ErrorKind::Other.into()
                })
            })
        });
        written.map_err(|error| failed.take().unwrap_or(error))
    }

    /// Writes a result. A reader that went away is no failure.
    pub(crate) fn write(&self, render: impl Fn(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        match &self.file {
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                match render(&mut out).and_then(|()| out.flush()) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                    other => other.context("cannot write to standard output"),
                }
            }
            Some(path) => match write_file(path, render) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other.with_context(|| format!("cannot write {}", path.display())),
            },
        }
    }
}

fn write_file(path: &Path, render: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let Some(path) = replaced(path) else {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        render(&mut out)?;
        return out.flush();
    };
    let file = temporary().tempfile_in(folder_of(&path))?;
    let unfinished = Unfinished::new(file.path());
    let result = fill(file, &path, render);
    drop(unfinished);
    result
}

/// The file that a result for `path` takes the place of: what a link leads to is replaced, not the link. There is none for a device
/// or a pipe, which takes what it is given; it cannot be replaced.
fn replaced(path: &Path) -> Option<PathBuf> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return None;
    }
    Some(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

/// Writes some files that belong together by way of others beside them: `fill` gets empty ones, in the order of `paths`.
pub(crate) fn write_files<R>(
    paths: &[PathBuf],
    fill: impl FnOnce(Vec<File>) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let cannot = |path: &Path| format!("cannot write {}", path.display());
    let (mut files, mut unfinished, mut opened) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let Some(path) = replaced(path) else {
            opened.push(OpenOptions::new().write(true).open(path).with_context(|| cannot(path))?);
            continue;
        };
        let file = temporary().tempfile_in(folder_of(&path));
        let file = file.with_context(|| cannot(&path))?;
        unfinished.push(Unfinished::new(file.path()));
        opened.push(file.reopen().with_context(|| cannot(&path))?);
        files.push((file, path));
    }
    let result = fill(opened)?;
    for (file, path) in files {
        persist(file, &path).with_context(|| cannot(&path))?;
    }
    drop(unfinished);
    Ok(result)
}

/// Fills a new or an empty folder by way of another beside it, or one that `may_replace` says may go.
pub(crate) fn write_folder<R>(
    path: &Path,
    may_replace: impl FnOnce(&Path) -> bool,
    fill: impl FnOnce(&Path) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let real = path.canonicalize();
    let path = real.as_deref().unwrap_or(path);
    match std::fs::read_dir(path) {
        Ok(mut entries) => {
            if entries.next().is_some() && !may_replace(path) {
                bail!(
                    "cannot write {}: the folder is not empty; name a new or an empty folder",
                    path.display()
                );
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => bail!("cannot write {}: {error}; name a new folder", path.display()),
    }
    let cannot = || format!("cannot write {}", path.display());
    let folder = temporary()
        .permissions(Permissions::from_mode(0o777))
        .tempdir_in(folder_of(path))
        .with_context(cannot)?;
    let unfinished = Unfinished::new(folder.path());
    let result = fill(folder.path()).and_then(|result| {
        put(folder, path).with_context(cannot)?;
        Ok(result)
    });
    drop(unfinished);
    result
}

/// The same for a folder that is not there or is empty; the folders above it are made.
pub(crate) fn write_new_folder<R>(
    path: &Path,
    fill: impl FnOnce(&Path) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let above = folder_of(path);
    std::fs::create_dir_all(above).with_context(|| format!("cannot write {}", above.display()))?;
    write_folder(path, |_| false, fill)
}

/// What a result is written to before it is whole: as readable as any file that the user makes, as the umask has it.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".familiar-").permissions(Permissions::from_mode(0o666));
    builder
}

/// Puts a folder in the place of another or of nothing.
fn put(folder: tempfile::TempDir, path: &Path) -> io::Result<()> {
    if let Ok(metadata) = path.metadata() {
        std::fs::set_permissions(folder.path(), metadata.permissions())?;
    }
    // What stands there is moved aside and removed at the end.
    let aside = tempfile::Builder::new().prefix(".familiar-").tempdir_in(folder_of(path))?;
    if path.exists() {
        std::fs::rename(path, aside.path().join("before"))?;
    }
    std::fs::rename(folder.path(), path)?;
    // It is not there any more.
    let _ = folder.keep();
    Ok(())
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
    persist(file, path)
}

/// Puts a finished file in its place.
fn persist(file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    if let Ok(metadata) = path.metadata() {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Something that Ctrl-C removes as long as this is there.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.push(path.to_owned());
        }
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.0);
        }
    }
}

/// A folder for what is needed while the command runs; it is gone after that, and after Ctrl-C.
pub(crate) struct WorkFolder {
    // Forgotten once it is removed.
    folder: tempfile::TempDir,
    _unfinished: Unfinished,
}

impl WorkFolder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("familiar-").tempdir();
        let folder = folder.context("cannot create a temporary folder; free some space, or set TMPDIR")?;
        let unfinished = Unfinished::new(folder.path());
        Ok(Self { folder, _unfinished: unfinished })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes a folder in which another thread may still make files, a few at most.
fn remove_folder(path: &Path) -> io::Result<()> {
    let mut result = std::fs::remove_dir_all(path);
    for _ in 0..100 {
        if result.is_ok() {
            break;
        }
        result = std::fs::remove_dir_all(path);
    }
    result
}

/// Makes Ctrl-C remove an unfinished file or folder before it ends the process.
pub(crate) fn clean_up_on_interrupt() {
    let handler = || {
        if let Ok(unfinished) = UNFINISHED.lock() {
            for path in unfinished.iter() {
                // Nothing is left to be done about a file that cannot be removed.
                let _ = if path.is_dir() { remove_folder(path) } else { std::fs::remove_file(path) };
            }
        }
        std::process::exit(130);
    };
    // Without a handler Ctrl-C still ends the process; only the clean-up is lost.
    let _ = ctrlc::set_handler(handler);
}

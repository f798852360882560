//! What a `familiar.toml` can reach: it comes with the code that is read, and the code may be a stranger's.
//!
//! It names no place to write and nobody who is sent something. What it names to be read lies below its own folder, or is a corpus that
//! the user has by name. For all else there is the command line (`docs/reference/settings.md` has the rule for users).

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::corpora;

/// Flags that name what is written.
const WRITES: [&str; 2] = ["output", "notices"];
/// Flags that name files and folders: those of a settings file are relative to its folder.
const PATHS: [&str; 4] = ["query", "against", "baseline", "decisions"];
/// Flags that name corpora.
const CORPORA: [&str; 2] = ["in", "beside"];

/// Whether a settings file may hold a setting of this name.
pub(crate) fn check_name(name: &str) -> anyhow::Result<()> {
    ensure!(
        !WRITES.contains(&name),
        "a settings file cannot say where something is written, because it may come with the code of somebody else; \
         give --{name} on the command line"
    );
    Ok(())
}

/// Where a setting stands, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'f> {
    /// The folder of the file.
    pub(crate) folder: &'f Path,
    /// Whether it is of `familiar audit`, where `against` names corpora.
    pub(crate) is_audit: bool,
    /// Whether a corpus may be missing: the command line gives the flag, so that the setting does not count, or the server tells it.
    pub(crate) may_lack: bool,
}

impl Reach<'_> {
    /// The value of the setting `name` as the flag takes it.
    pub(crate) fn value(self, name: &str, text: &str) -> anyhow::Result<OsString> {
        check_name(name)?;
        if CORPORA.contains(&name) || self.is_audit && name == "against" {
            return self.corpus(name, text);
        }
        Ok(match name {
            "encoder" => encoder(text, Some(self.folder))?.into(),
            name if PATHS.contains(&name) => below(self.folder, text)?.into(),
            _ => text.into(),
        })
    }

    /// A corpus that the user has by this name, or a folder below that of the file.
    fn corpus(self, name: &str, text: &str) -> anyhow::Result<OsString> {
        let is_there = self.folder.join(text).exists();
        if !is_there && text.contains(':') {
            bail!(
                "a settings file names corpora by their names, and folders below its own; \
                 give other sources on the command line: --{name} {text}"
            );
        }
        let is_name = !text.starts_with('.')
            && matches!(Path::new(text).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        if is_name && !is_there {
            // Without such a corpus, a folder of this name would count that is not below this one.
            if !self.may_lack {
                corpora::existing(text)?;
            }
            return Ok(text.into());
        }
        let inside = below(self.folder, text)?;
        // A folder of code may have the name of a corpus.
        let is_code = is_name && CORPORA.contains(&name) && !inside.join("manifest.json").is_file();
        Ok(if is_code { text.into() } else { inside.into() })
    }
}

/// An encoder that may be named by settings, with its file from `folder` where they are those of a file.
pub(crate) fn encoder(text: &str, folder: Option<&Path>) -> anyhow::Result<String> {
    let refused = |what: &str| {
        anyhow::anyhow!(
            "settings cannot name an encoder that {what}, because they may come with the code of somebody else; \
             give --encoder {text} on the command line"
        )
    };
    match (text.split_once(':'), folder) {
        (Some(("api", _)), _) => Err(refused("sends code and your key to a server")),
        (Some(("onnx", _)), _) => Err(refused("runs a model")),
        (Some((kind @ ("weights" | "static"), file)), Some(folder)) => {
            let file = below(folder, file)?;
            let file = file.to_str().context("the path of the weights has to be UTF-8")?;
            Ok(format!("{kind}:{file}"))
        }
        _ => Ok(text.to_owned()),
    }
}

/// A path below the folder of a settings file, also by way of links.
fn below(folder: &Path, text: &str) -> anyhow::Result<PathBuf> {
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let whole = folder.join(text);
    let is_below = || -> io::Result<bool> { Ok(real(&whole)?.starts_with(folder.canonicalize()?)) };
    ensure!(
        Path::new(text).components().all(is_plain) && is_below().unwrap_or(false),
        "{text} does not lie below the folder of the settings file, which may come with the code of somebody else; \
         give a path below that folder, or the flag on the command line"
    );
    Ok(whole)
}

/// What is there of a path, with all links followed. An error where a link leads to nothing.
fn real(path: &Path) -> io::Result<PathBuf> {
    let there = path.ancestors().find(|path| path.symlink_metadata().is_ok());
    there.unwrap_or(path).canonicalize()
}

#[cfg(all(test, feature = "all"))]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::{Familiar, settings_names};

    #[test]
    fn every_flag_that_names_a_place_has_a_rule() {
        let command = Familiar::command();
        let ruled = [&WRITES[..], &PATHS, &CORPORA].concat();
        let mut seen = 0;
        for verb in ["clones", "trend", "audit", "lsp"] {
            let verb = command.find_subcommand(verb).expect("it is a command");
            for (name, argument) in settings_names::flags(verb) {
                let values = argument.get_value_names().unwrap_or_default();
                let is_place =
                    |value: &str| ["PATH", "FILE", "DIR", "FOLDER", "CORPUS", "URL"].contains(&value);
                if values.iter().any(|value| is_place(value)) {
                    assert!(ruled.contains(&name), "--{name} has no rule");
                    seen += 1;
                }
            }
        }
        assert!(seen > 8, "{seen}");
    }

    #[test]
    fn a_settings_file_reaches_nothing_outside_its_folder() {
        let outer = tempfile::tempdir().expect("the temporary folder can be written");
        let folder = outer.path().canonicalize().expect("it is there").join("tree");
        for path in ["tree/sub", "other"] {
            std::fs::create_dir_all(outer.path().join(path)).expect("can be made");
        }
        for (link, to) in [("out", "../other"), ("in", "sub"), ("nowhere", "../new")] {
            std::os::unix::fs::symlink(to, folder.join(link)).expect("can be made");
        }
        let reach = Reach { folder: &folder, is_audit: false, may_lack: false };
        let of = |name: &str, text: &str| reach.value(name, text);
        for name in ["query", "against", "baseline", "decisions"] {
            for text in ["sub", "./sub/new.json", "new.json", "in/x"] {
                assert_eq!(of(name, text).expect(text), folder.join(text).into_os_string());
            }
            for text in ["../other", "/etc/passwd", "sub/../../other", "out", "out/x", "nowhere"] {
                let error = of(name, text).expect_err(text).to_string();
                assert!(error.contains(text) && error.contains("command line"), "{error}");
            }
        }
        for (name, text) in [
            ("output", "new.json"),
            ("notices", "NOTICE"),
            ("encoder", "api:http://localhost#m"),
            ("encoder", "onnx:sub"),
            ("encoder", "weights:../other"),
            ("encoder", "static:/etc/passwd"),
            ("in", "../other"),
            ("beside", "/etc"),
            ("in", "https://example.org"),
        ] {
            let error = of(name, text).expect_err(text).to_string();
            assert!(error.contains("command line"), "{error}");
        }
        let weights = of("encoder", "weights:sub/w").expect("it is below").into_string().expect("UTF-8");
        assert!(weights.starts_with("weights:/") && weights.ends_with("tree/sub/w"), "{weights}");
        assert_eq!(of("encoder", "static").expect("it is ours"), "static");
        let audit = Reach { is_audit: true, ..reach };
        for text in ["git:https://example.org/x", "pypi:requests", "dir:/etc", "../other"] {
            let error = audit.value("against", text).expect_err(text).to_string();
            assert!(error.contains("command line"), "{error}");
        }
        assert_eq!(audit.value("against", "sub").expect("it is below"), folder.join("sub"));
    }
}

//! The project's folder: the account, and a folder for each transformation.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use familiar_engine::members::{PROGRAM, StoredTransformation};
use serde::Serialize;
use serde_json::Value;

use crate::error::DesignError;
use crate::result::{DesignResult, Designed, Settings};

/// Requests and replies.
pub(crate) const REQUESTS: &str = "requests.jsonl";
/// The account.
const ACCOUNT: &str = "design.json";
/// The file of a transformation that describes it.
const DESCRIPTION: &str = "transformation.json";

/// The setting that says from which programs examples are drawn.
const EXAMPLES: &str = "examples_sha256";

/// The folder of a project.
pub(crate) struct Project {
    path: PathBuf,
}

/// The description of a transformation; the schema `familiar.transformation/1`.
#[derive(Serialize)]
struct Description<'d> {
    schema: &'static str,
    language: &'static str,
    program: &'static str,
    model: &'d str,
    detector: &'d str,
    #[serde(flatten)]
    designed: &'d Designed,
}

impl Project {
    /// The folder, which is made where it is not there. Fails where other settings made what stands in it.
    pub(crate) fn open(path: &Path) -> Result<Self, DesignError> {
        fs::create_dir_all(path).map_err(|source| DesignError::Write { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned() })
    }

    /// Fails where other settings made what stands in it.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), DesignError> {
        let Some(account) = self.account()? else { return Ok(()) };
        let wanted = serde_json::to_value(settings).unwrap_or_default();
        let differing = wanted
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, value)| account["settings"][name] != **value);
        let mut differing: Vec<&String> = differing.map(|(name, _)| name).collect();
        // The examples follow from the seed, so the seed is the better reason.
        differing.sort_by_key(|name| *name == EXAMPLES);
        match differing.first() {
            Some(name) if *name == EXAMPLES => Err(DesignError::OtherSettings {
                path: self.path.clone(),
                setting: "set of example programs".to_owned(),
            }),
            Some(name) => {
                let setting = format!("{name} ({})", account["settings"][name]);
                Err(DesignError::OtherSettings { path: self.path.clone(), setting })
            }
            None => Ok(()),
        }
    }

    /// Replaces the account, and takes away the folders of transformations that an account before had and this one has not.
    pub(crate) fn write_account(&self, result: &DesignResult) -> Result<(), DesignError> {
        if result.is_complete {
            let before = self.account()?.unwrap_or_default();
            let names =
                before["designs"].as_array().into_iter().flatten().filter_map(|it| it["name"].as_str());
            for name in
                names.filter(|name| result.designs.iter().all(|it| it.name != *name || it.best.is_none()))
            {
                let folder = self.path.join(name);
                if is_name(name) && folder.join(DESCRIPTION).is_file() {
                    remove(&folder)?;
                }
            }
        }
        let mut text = Vec::new();
        let path = self.path.join(ACCOUNT);
        let failed = |source| DesignError::Write { path: path.clone(), source };
        result.write_json(&mut text).map_err(failed)?;
        replace(&path, &text).map_err(failed)
    }

    /// Writes the folder of a transformation whole, or not at all.
    pub(crate) fn write(
        &self,
        designed: &Designed,
        program: &str,
        model: &str,
        detector: &str,
    ) -> Result<(), DesignError> {
        let folder = self.path.join(&designed.name);
        let description = Description {
            schema: StoredTransformation::SCHEMA,
            language: "python",
            program: PROGRAM,
            model,
            detector,
            designed,
        };
        let failed = |source| DesignError::Write { path: folder.clone(), source };
        let mut text = serde_json::to_vec_pretty(&description).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        if fs::read(folder.join(DESCRIPTION)).is_ok_and(|before| before == text)
            && fs::read(folder.join(PROGRAM)).is_ok_and(|before| before == program.as_bytes())
        {
            return Ok(());
        }
        if folder.exists() && !folder.join(DESCRIPTION).is_file() {
            return Err(DesignError::InTheWay { path: folder });
        }
        let new = tempfile::Builder::new().prefix(".new-").tempdir_in(&self.path).map_err(failed)?;
        fs::write(new.path().join(PROGRAM), program).map_err(failed)?;
        fs::write(new.path().join(DESCRIPTION), text).map_err(failed)?;
        if folder.exists() {
            remove(&folder)?;
        }
        fs::rename(new.path(), &folder).map_err(failed)?;
        open_to_readers(&folder, 0o755);
        // The folder has moved away, so there is nothing to delete.
        let _ = new.keep();
        Ok(())
    }

    fn account(&self) -> Result<Option<Value>, DesignError> {
        let path = self.path.join(ACCOUNT);
        let failed = |reason: String| DesignError::Read { path: path.clone(), reason };
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error.to_string())),
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| failed(error.to_string())),
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn remove(folder: &Path) -> Result<(), DesignError> {
    fs::remove_dir_all(folder).map_err(|source| DesignError::Write { path: folder.to_owned(), source })
}

fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    new.write_all(text)?;
    open_to_readers(new.path(), 0o644);
    new.persist(path)?;
    Ok(())
}

/// What is made as a temporary file or folder is closed to others; this is a result like any other.
fn open_to_readers(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        let open = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode);
        // What has other rights can still be read by its owner.
        let _ = fs::set_permissions(path, open);
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

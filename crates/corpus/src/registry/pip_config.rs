//! How pip is configured: its files, in its order, and its variables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::environment::Environment;
use super::error::SetupError;
use super::http::Settings;

/// Most bytes of a configuration file.
const FILE_BYTES: u64 = 1 << 20;

/// What of pip's configuration matters for fetching packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PipConfig(BTreeMap<String, String>);

impl PipConfig {
    /// Reads the files and then the variables; the later wins. The files are the global, the user's (unless
    /// `PIP_CONFIG_FILE` names one that exists), the virtual environment's, and that which `PIP_CONFIG_FILE` names; of
    /// each the sections `[global]` and `[download]`. A file that is not there does not matter, nor one that cannot be
    /// read. `PIP_CONFIG_FILE` with the name of the null device means none.
    pub(crate) fn read(environment: &Environment) -> Self {
        let mut config = Self::default();
        for section in ["global", "download"] {
            for file in files(environment) {
                if let Some(text) = text_of(&file) {
                    config.take(section, &text);
                }
            }
        }
        for name in ["index-url", "extra-index-url", "no-index", "proxy", "cert", "timeout"] {
            let variable = format!("PIP_{}", name.replace('-', "_").to_ascii_uppercase());
            if let Some(value) = environment.get(&variable) {
                config.0.insert(name.to_owned(), value.to_owned());
            }
        }
        config
    }

    /// Takes what a section of a file says.
    pub(crate) fn take(&mut self, section: &str, text: &str) {
        let mut is_inside = false;
        let mut open: Option<String> = None;
        for line in text.trim_start_matches('\u{feff}').lines() {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
                continue;
            }
            if line.starts_with([' ', '\t']) {
                // A value goes on where a line is indented.
                if let Some(value) = open.as_ref().and_then(|key| self.0.get_mut(key)) {
                    value.push('\n');
                    value.push_str(trimmed);
                }
                continue;
            }
            if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                is_inside = name.trim() == section;
                open = None;
                continue;
            }
            open = None;
            let Some((key, value)) = trimmed.split_once(['=', ':']).filter(|_| is_inside) else { continue };
            let key = key.trim().trim_start_matches("--").to_ascii_lowercase().replace('_', "-");
            self.0.insert(key.clone(), value.trim().to_owned());
            open = Some(key);
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The indexes, the main one first. An error where pip is told to use none.
    pub(crate) fn indexes(&self) -> Result<Vec<String>, SetupError> {
        if self
            .get("no-index")
            .is_some_and(|value| ["1", "true", "yes", "on"].contains(&&*value.to_ascii_lowercase()))
        {
            return Err(SetupError::NoIndex);
        }
        let main = self.get("index-url").unwrap_or("https://pypi.org/simple");
        let extra = self.get("extra-index-url").unwrap_or_default().split_ascii_whitespace();
        Ok([main].into_iter().chain(extra).map(|url| url.trim_end_matches('/').to_owned()).collect())
    }

    pub(crate) fn settings(&self, environment: &Environment) -> Settings {
        let text = |name: &str| self.get(name).map(ToOwned::to_owned);
        let bundle = || {
            let variable = |name| environment.get(name).map(ToOwned::to_owned);
            variable("REQUESTS_CA_BUNDLE").or_else(|| variable("CURL_CA_BUNDLE"))
        };
        let seconds = self.get("timeout").and_then(|value| value.parse::<f64>().ok());
        let timeout = seconds.filter(|seconds| *seconds > 0.0);
        Settings {
            proxy: text("proxy"),
            certificates: text("cert").or_else(bundle),
            timeout: timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            ..Settings::default()
        }
    }
}

/// Where pip looks, the least important first.
fn files(environment: &Environment) -> Vec<PathBuf> {
    let named = environment.get("PIP_CONFIG_FILE").map(Path::new);
    if named == Some(Path::new("/dev/null")) {
        return Vec::new();
    }
    let mut folders = global(environment);
    if !named.is_some_and(Path::exists) {
        folders.extend(users(environment));
    }
    folders.extend(environment.get("VIRTUAL_ENV").map(PathBuf::from));
    folders.into_iter().map(|folder| folder.join("pip.conf")).chain(named.map(Path::to_owned)).collect()
}

fn global(environment: &Environment) -> Vec<PathBuf> {
    if cfg!(target_os = "macos") {
        return vec![PathBuf::from("/Library/Application Support/pip")];
    }
    let folders = environment.get("XDG_CONFIG_DIRS").unwrap_or("/etc/xdg");
    let folders = folders.split(':').filter(|folder| !folder.is_empty());
    folders.map(|folder| Path::new(folder).join("pip")).chain([PathBuf::from("/etc")]).collect()
}

fn users(environment: &Environment) -> Vec<PathBuf> {
    let Some(home) = environment.home() else { return Vec::new() };
    let support = home.join("Library/Application Support/pip");
    let folder = if cfg!(target_os = "macos") && support.is_dir() {
        support
    } else if let Some(folder) = environment.get("XDG_CONFIG_HOME").filter(|_| !cfg!(target_os = "macos")) {
        Path::new(folder).join("pip")
    } else {
        home.join(".config/pip")
    };
    vec![home.join(".pip"), folder]
}

/// A file's text where it can be read; what is no text in it is replaced.
pub(super) fn text_of(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let bytes = familiar_files::bounded::read_within(file, FILE_BYTES).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> PipConfig {
        let mut config = PipConfig::default();
        config.take("global", text);
        config
    }

    #[test]
    fn files_are_read_as_pip_reads_them() {
        let config = parsed(
            "\u{feff}; ours\nindex-url = before any section\n[install]\nindex-url = https://not.this\n[global]\n\
             Index_URL: https://me:pw@host/simple/\nextra-index-url =\n    https://a/simple\n    # not this\n\
             \thttps://b/simple\ntimeout = 2.5\ncert=/x.pem\nno line of ours\n",
        );
        let expected = ["https://me:pw@host/simple", "https://a/simple", "https://b/simple"];
        assert_eq!(config.indexes().expect("some"), expected);
        let settings = config.settings(&Environment::of(&[("REQUESTS_CA_BUNDLE", "/y.pem")]));
        assert_eq!(settings.timeout, Some(Duration::from_millis(2500)));
        assert_eq!(settings.certificates.as_deref(), Some("/x.pem"));
    }

    #[test]
    fn what_is_not_configured_is_as_pip_has_it() {
        let config = parsed("");
        assert_eq!(config.indexes().expect("one"), ["https://pypi.org/simple"]);
        let settings = config.settings(&Environment::of(&[("CURL_CA_BUNDLE", "/y.pem")]));
        let bundle = Settings { certificates: Some("/y.pem".to_owned()), ..Settings::default() };
        assert_eq!(settings, bundle);
        assert!(parsed("[global]\nno-index = true\n").indexes().is_err());
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn the_later_place_wins() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let text = |name: &str| dir.path().join(name).to_str().expect("UTF-8").to_owned();
        let write = |path: &str, index: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("just made");
            std::fs::write(path, format!("[global]\nindex-url = {index}\n{index} = x\n")).expect("just made");
        };
        let (home, xdg, venv, file) = (text("home"), text("xdg"), text("venv"), text("named.conf"));
        let mut variables: Vec<(&str, &str)> =
            vec![("HOME", &home), ("XDG_CONFIG_DIRS", &xdg), ("VIRTUAL_ENV", &venv)];
        let index = |variables: &[(&str, &str)]| {
            PipConfig::read(&Environment::of(variables)).indexes().expect("one").remove(0)
        };
        for (path, name) in [
            ("xdg/pip/pip.conf", "global"),
            ("home/.pip/pip.conf", "legacy"),
            ("home/.config/pip/pip.conf", "user"),
            ("venv/pip.conf", "site"),
        ] {
            write(path, name);
            assert_eq!(index(&variables), name);
        }
        write("named.conf", "named");
        variables.push(("PIP_CONFIG_FILE", &file));
        assert_eq!(index(&variables), "named");
        let PipConfig(all) = PipConfig::read(&Environment::of(&variables));
        assert!(all.contains_key("site") && all.contains_key("global") && !all.contains_key("user"));
        variables.push(("PIP_INDEX_URL", "variable"));
        assert_eq!(index(&variables), "variable");
        let none = [("HOME", home.as_str()), ("PIP_CONFIG_FILE", "/dev/null")];
        assert_eq!(index(&none), "https://pypi.org/simple");
    }
}

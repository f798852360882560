//! crates.io, by its sparse index.

use std::sync::{Mutex, PoisonError};

use familiar_http::url::below;
use serde::Deserialize;

use super::checksum::Checksum;
use super::environment::Environment;
use super::error::{ReleaseError, SetupError};
use super::http::{Client, HttpError, Settings};
use super::index::{Index, Release};
use super::semver::{self, Precedence, precedence};

/// The registry of Rust's packages.
#[derive(Debug)]
pub(crate) struct CratesIo {
    pub(super) client: Client,
    /// A URL without a slash at the end.
    pub(super) index: String,
    config: Mutex<Option<Config>>,
}

/// What the index says of itself.
#[derive(Clone, Debug, Deserialize)]
struct Config {
    /// Where packages lie.
    dl: String,
    #[serde(default)]
    api: Option<String>,
}

/// A line of the index: one version.
#[derive(Deserialize)]
struct Entry {
    name: String,
    vers: String,
    cksum: String,
    #[serde(default)]
    yanked: bool,
    #[serde(default)]
    pubtime: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    version: Published,
}

#[derive(Deserialize)]
struct Published {
    created_at: String,
}

impl CratesIo {
    pub(crate) fn new(environment: &Environment) -> Result<Self, SetupError> {
        Ok(Self::at("https://index.crates.io", Client::new(Settings::default(), environment)?))
    }

    /// The registry whose index is at a URL.
    pub(super) fn at(index: &str, client: Client) -> Self {
        Self { client, index: index.to_owned(), config: Mutex::new(None) }
    }

    fn config(&self) -> Result<Config, HttpError> {
        let mut config = self.config.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*config {
            return Ok(known.clone());
        }
        let url = below(&self.index, "config.json");
        let read: Config = self.client.json(&url)?;
        *config = Some(read.clone());
        Ok(read)
    }
}

impl Index for CratesIo {
    fn client(&self) -> &Client {
        &self.client
    }

    fn release(&self, name: &str, version: Option<&str>) -> Result<Release, ReleaseError> {
        let url = below(&self.index, &path_of(name));
        let entry = self.client.page(&url, "*/*", |answer| {
            let entries = serde_json::Deserializer::from_reader(answer.body).into_iter();
            choose(entries, name, version).map_err(Into::into)
        });
        let entry = entry??;
        let config = self.config()?;
        let uploaded = entry.pubtime.as_deref().and_then(familiar_source::time::parse).or_else(|| {
            let url = below(config.api.as_ref()?, &format!("api/v1/crates/{}/{}", entry.name, entry.vers));
            let answer: Answer = self.client.json(&url).ok()?;
            familiar_source::time::parse(&answer.version.created_at)
        });
        Ok(Release {
            url: download(&config.dl, &entry),
            file: format!("{}-{}.crate", entry.name, entry.vers),
            checksum: Some(Checksum::hex("sha256", &entry.cksum).ok_or(ReleaseError::NoChecksum)?),
            uploaded,
            name: entry.name,
            version: entry.vers,
        })
    }
}

/// The version that is asked for, yanked or not; without one, the newest that is not yanked and, if there is such, no
/// pre-release. What cannot be read is an error, what asks for the impossible an error inside.
fn choose(
    entries: impl Iterator<Item = serde_json::Result<Entry>>,
    name: &str,
    version: Option<&str>,
) -> serde_json::Result<Result<Entry, ReleaseError>> {
    let mut newest: Option<(Precedence, Entry)> = None;
    for entry in entries {
        let entry = entry?;
        if !semver::is_version(&entry.vers) || !entry.name.eq_ignore_ascii_case(name) {
            continue;
        }
        match version {
            Some(version) if entry.vers == version => return Ok(Ok(entry)),
            None if !entry.yanked => {
                let precedence = precedence(&entry.vers);
                // The index has the order of publication.
                if newest.as_ref().is_none_or(|(known, _)| precedence >= *known) {
                    newest = Some((precedence, entry));
                }
            }
            _ => {}
        }
    }
    Ok(match (newest, version) {
        (Some((_, entry)), _) => Ok(entry),
        (None, Some(version)) => Err(ReleaseError::NotInIndex(version.to_owned())),
        (None, None) => Err(ReleaseError::VersionsYanked),
    })
}

/// The newest version in lines of the index. For the fuzz targets alone.
pub(super) fn newest_for_fuzzing(lines: &[u8]) -> Option<String> {
    let entries = serde_json::Deserializer::from_slice(lines).into_iter();
    choose(entries, "a", None).ok()?.ok().map(|entry| entry.vers)
}

/// Where the index has a package: by the length of its name and its first letters.
fn path_of(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.len() {
        0..=2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}

/// Where a package lies, by the index's template or below its URL.
fn download(template: &str, entry: &Entry) -> String {
    let Entry { name, vers, cksum, .. } = entry;
    if !template.contains('{') {
        return below(template, &format!("{name}/{vers}/download"));
    }
    let prefix =
        |name: &str| path_of(name).rsplit_once('/').map_or(String::new(), |(prefix, _)| prefix.to_owned());
    template
        .replace("{crate}", name)
        .replace("{version}", vers)
        .replace("{prefix}", &prefix(name))
        .replace("{lowerprefix}", &prefix(name))
        .replace("{sha256-checksum}", cksum)
}

/// Whether a name may be one of a crate.
pub(super) fn is_name(name: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= 64 && name.bytes().all(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(versions: &[&str], version: Option<&str>) -> String {
        let entry = |text: &&str| {
            let (vers, yanked) = text.strip_suffix('!').map_or((*text, false), |vers| (vers, true));
            let (name, cksum) = ("a".to_owned(), String::new());
            Ok(Entry { name, vers: vers.to_owned(), cksum, yanked, pubtime: None })
        };
        let found = choose(versions.iter().map(entry), "A", version).expect("no error in the lines");
        found.map_or_else(|error| error.to_string(), |entry| entry.vers)
    }

    #[test]
    fn the_newest_release_counts_unless_it_is_yanked() {
        let versions = ["1.9.0", "1.10.0", "1.9.1+build", "2.0.0-rc.1", "3.0.0!"];
        assert_eq!(chosen(&versions, None), "1.10.0");
        assert_eq!(chosen(&versions, Some("3.0.0")), "3.0.0");
        assert_eq!(chosen(&versions[3..], None), "2.0.0-rc.1");
        assert!(chosen(&versions[4..], None).starts_with("every version is yanked"));
        assert!(chosen(&versions, Some("4.0.0")).contains("no version 4.0.0"));
        assert!(chosen(&["../x"], None).starts_with("every version"));
    }

    #[test]
    fn the_index_says_where_a_crate_lies() {
        let paths: Vec<_> = ["a", "Ab", "abc", "Serde"].into_iter().map(path_of).collect();
        assert_eq!(paths, ["1/a", "2/ab", "3/a/abc", "se/rd/serde"]);
        let entry = Entry {
            name: "serde".to_owned(),
            vers: "1.0.0".to_owned(),
            cksum: "00".to_owned(),
            yanked: false,
            pubtime: None,
        };
        assert_eq!(download("https://dl/crates", &entry), "https://dl/crates/serde/1.0.0/download");
        let template = "https://dl/{prefix}/{crate}-{version}.crate#{sha256-checksum}";
        assert_eq!(download(template, &entry), "https://dl/se/rd/serde-1.0.0.crate#00");
    }

    #[test]
    fn names_are_plain() {
        assert!(is_name("serde_json") && is_name("a"));
        assert!(!is_name("") && !is_name("../a") && !is_name("-a") && !is_name(&"a".repeat(65)));
    }
}

//! PyPI, and every index that pip can be told to use.

use std::io::Read;
use std::str::FromStr;

use familiar_http::url::below;
use pep440_rs::Version;
use serde::Deserialize;

use super::environment::Environment;
use super::error::{ReleaseError, SetupError};
use super::http::{Client, HttpError};
use super::index::{Index, Release};
use super::pip_config::PipConfig;
use super::simple_page::{self, File};

/// The indexes that pip is configured to use.
#[derive(Clone, Debug)]
pub(crate) struct PyPi {
    pub(super) client: Client,
    /// URLs without a slash at the end.
    pub(super) indexes: Vec<String>,
    /// Where upload times stand that the index does not give.
    pub(super) times: Option<String>,
}

/// What is asked for: the JSON page, and where there is none the HTML page.
const ACCEPT: &str =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";

/// Most bytes of a page of HTML, which is held in memory.
const HTML_BYTES: u64 = 64 << 20;

impl PyPi {
    pub(crate) fn new(environment: &Environment) -> Result<Self, SetupError> {
        let config = PipConfig::read(environment);
        let indexes = config.indexes()?;
        let is_the_one = |index: &String| index == "https://pypi.org/simple";
        let times = indexes.iter().any(is_the_one).then(|| "https://pypi.org/pypi".to_owned());
        let client = Client::new(config.settings(environment), environment)?;
        Ok(Self { client, indexes, times })
    }

    /// All files of a project, of all indexes that have it.
    fn files(&self, name: &str) -> Result<Vec<File>, HttpError> {
        let mut files = Vec::new();
        let mut missing = None;
        for index in &self.indexes {
            let read = self.client.page(&below(index, &format!("{name}/")), ACCEPT, |answer| {
                if answer.kind.ends_with("json") {
                    return Ok(simple_page::of_json(&answer.url, answer.body)?);
                }
                let mut html = Vec::new();
                answer.body.take(HTML_BYTES).read_to_end(&mut html)?;
                Ok(simple_page::of_html(&answer.url, &String::from_utf8_lossy(&html)))
            });
            match read {
                Ok(read) => files.extend(read),
                Err(error @ HttpError::Missing { .. }) => missing = Some(error),
                Err(error) => return Err(error),
            }
        }
        match missing {
            Some(error) if files.is_empty() => Err(error),
            _ => Ok(files),
        }
    }

    /// When a file was uploaded, by the interface of PyPI that is older than the index's own times.
    fn uploaded(&self, name: &str, version: &str, file: &File) -> Option<i64> {
        let url = below(self.times.as_ref()?, &format!("{name}/{version}/json"));
        let release: OldRelease = self.client.json(&url).ok()?;
        let found = release.urls.into_iter().find(|known| known.filename == file.name)?;
        familiar_source::time::parse(found.upload_time_iso_8601.as_deref().or(found.upload_time.as_deref())?)
    }
}

#[derive(Deserialize)]
struct OldRelease {
    urls: Vec<OldFile>,
}

#[derive(Deserialize)]
struct OldFile {
    filename: String,
    upload_time_iso_8601: Option<String>,
    upload_time: Option<String>,
}

impl Index for PyPi {
    fn client(&self) -> &Client {
        &self.client
    }

    fn release(&self, name: &str, version: Option<&str>) -> Result<Release, ReleaseError> {
        let files = self.files(name)?;
        let chosen = choose(name, version, files)?;
        let uploaded =
            chosen.file.uploaded.or_else(|| self.uploaded(name, &chosen.version_text, &chosen.file));
        Ok(Release {
            name: name.to_owned(),
            version: chosen.version_text,
            url: chosen.file.url,
            file: chosen.file.name,
            checksum: chosen.file.checksum,
            uploaded,
        })
    }
}

/// A file that holds a release.
pub(super) struct Candidate {
    file: File,
    /// As its name says it.
    pub(super) version_text: String,
    /// `None` for what PEP 440 does not allow.
    version: Option<Version>,
    rank: Rank,
}

/// How much better one file of a release is than another: source first, then what fits every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Tar,
    Zip,
    Python3,
    Python2,
    Platform,
    Egg,
}

/// The best file of the release that is asked for; without a version, of the newest final release that is not yanked. Where
/// all are pre-releases it is the newest of them. A yanked release is taken where its version is asked for, as pip does.
pub(super) fn choose(name: &str, version: Option<&str>, files: Vec<File>) -> Result<Candidate, ReleaseError> {
    let mut candidates: Vec<Candidate> = files.into_iter().filter_map(|file| candidate(name, file)).collect();
    if candidates.is_empty() {
        return Err(ReleaseError::NoFile);
    }
    if let Some(asked) = version {
        let parsed = Version::from_str(asked).ok();
        candidates
            .retain(|known| known.version_text == asked || (parsed.is_some() && known.version == parsed));
        if candidates.is_empty() {
            return Err(ReleaseError::NoFileOf(asked.to_owned()));
        }
    } else {
        candidates.retain(|known| !known.file.is_yanked && known.version.is_some());
        let newest = |is_final: bool| {
            let versions = candidates.iter().filter_map(|known| known.version.as_ref());
            versions.filter(|version| !is_final || version.is_stable()).max().cloned()
        };
        let newest = newest(true).or_else(|| newest(false));
        let Some(newest) = newest else {
            return Err(ReleaseError::ReleasesYanked);
        };
        candidates.retain(|known| known.version.as_ref() == Some(&newest));
    }
    candidates
        .into_iter()
        .min_by(|a, b| {
            let key = |known: &Candidate| (known.file.is_yanked, known.rank, known.file.size);
            key(a).cmp(&key(b)).then_with(|| a.file.name.cmp(&b.file.name))
        })
        .ok_or(ReleaseError::NoFile)
}

/// What a file's name says; `None` for what holds no release that can be read, such as installers.
fn candidate(name: &str, file: File) -> Option<Candidate> {
    let (stem, rank) = kind(&file.name)?;
    let version_text = version_in(stem, name, rank.is_source())?.to_owned();
    let version = Version::from_str(&version_text).ok();
    is_version(&version_text).then_some(Candidate { file, version_text, version, rank })
}

/// The version in the name of a file of the project `name`.
fn version_in<'s>(stem: &'s str, name: &str, is_source: bool) -> Option<&'s str> {
    if !is_source {
        let (_, rest) = stem.split_once('-').filter(|(project, _)| normalised(project) == name)?;
        return rest.split('-').next();
    }
    // The name may have a dash, and the version too.
    let dashes = stem.match_indices('-').map(|(at, _)| at);
    let mut versions = dashes.filter(|&at| normalised(&stem[..at]) == name).map(|at| &stem[at + 1..]);
    let first = versions.clone().next()?;
    Some(versions.find(|version| Version::from_str(version).is_ok()).unwrap_or(first))
}

impl Rank {
    fn is_source(self) -> bool {
        self <= Self::Zip
    }
}

/// Whether a file is source, which has everything in a folder.
pub(super) fn is_source(name: &str) -> bool {
    kind(name).is_some_and(|(_, rank)| rank.is_source())
}

/// The name without its ending, and how good the file is.
fn kind(name: &str) -> Option<(&str, Rank)> {
    let lower = name.to_ascii_lowercase();
    let stem = |ending: &str| lower.ends_with(ending).then(|| &name[..name.len() - ending.len()]);
    if let Some(stem) = [".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar"].iter().find_map(|one| stem(one)) {
        return Some((stem, Rank::Tar));
    }
    if let Some(stem) = stem(".zip") {
        return Some((stem, Rank::Zip));
    }
    if let Some(stem) = stem(".egg") {
        return Some((stem, Rank::Egg));
    }
    let wheel = stem(".whl")?;
    let rank = match wheel.ends_with("-none-any") {
        true if wheel.contains("py3") => Rank::Python3,
        true => Rank::Python2,
        false => Rank::Platform,
    };
    Some((wheel, rank))
}

/// The one spelling of a name: lower case, with one dash for every run of dashes, dots and underscores.
pub(super) fn normalised(name: &str) -> String {
    let mut normal = String::new();
    for character in name.chars() {
        match character {
            '-' | '_' | '.' if normal.ends_with('-') => {}
            '-' | '_' | '.' => normal.push('-'),
            other => normal.push(other.to_ascii_lowercase()),
        }
    }
    normal
}

/// Whether a text may be a version, as a file's name or the user says it.
pub(super) fn is_version(version: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b".!+-_".contains(&byte);
    !version.is_empty() && version.bytes().all(is_inside)
}

/// Whether a name may be one of a Python package.
pub(super) fn is_name(name: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> File {
        let (name, is_yanked) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        let url = format!("https://host/{name}");
        File { name: name.to_owned(), url, checksum: None, uploaded: None, is_yanked, size: None }
    }

    /// `!` behind a name is for yanked.
    fn check(files: &[&str], version: Option<&str>, expected: &str) {
        let files = files.iter().map(|name| file(name)).collect();
        let chosen = choose("zope-interface", version, files);
        let found = chosen.map_or_else(
            |error| error.to_string(),
            |known| format!("{} {}", known.version_text, known.file.name),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn source_is_better_than_wheels_and_pure_wheels_than_others() {
        let wheels = ["zope_interface-1.0-cp39-cp39-linux_x86_64.whl", "zope.interface-1.0-py2-none-any.whl"];
        check(&wheels, None, "1.0 zope.interface-1.0-py2-none-any.whl");
        let all = [
            wheels[0],
            wheels[1],
            "zope.interface-1.0.exe",
            "zope.interface-1.0.tar.gz",
            "zope_interface-1.0.zip",
        ];
        check(&all, None, "1.0 zope.interface-1.0.tar.gz");
        check(&["zope.interface-1.0-py2.5.egg"], None, "1.0 zope.interface-1.0-py2.5.egg");
        let dumb = "zope.interface-1.0.linux-x86_64.tar.gz";
        check(&[dumb, wheels[0]], None, "1.0 zope_interface-1.0-cp39-cp39-linux_x86_64.whl");
    }

    #[test]
    fn the_newest_final_release_counts_unless_it_is_yanked() {
        let files = [
            "zope.interface-1.9.tar.gz",
            "Zope-Interface-1.10.tar.gz",
            "zope.interface-1.11b1.tar.gz",
            "zope.interface-2.0.tar.gz!",
            "zope.interface.extra-9.0.tar.gz",
        ];
        check(&files, None, "1.10 Zope-Interface-1.10.tar.gz");
        check(&files, Some("v2.0.0"), "2.0 zope.interface-2.0.tar.gz");
        check(&files[2..], None, "1.11b1 zope.interface-1.11b1.tar.gz");
        check(&files[3..], None, "every release is yanked; name a version to get it anyway");
        check(&files[..2], Some("3"), "the index has no readable file of version 3");
    }

    #[test]
    fn versions_may_have_dashes_and_need_not_be_versions() {
        check(&["zope.interface-1.0-1.tar.gz"], None, "1.0-1 zope.interface-1.0-1.tar.gz");
        check(&["zope.interface-final.tar.gz"], Some("final"), "final zope.interface-final.tar.gz");
        check(
            &["zope.interface-a%2fb.tar.gz"],
            None,
            "the index has no readable file of this package (sdist, wheel or egg)",
        );
    }

    #[test]
    fn names_have_one_spelling() {
        assert_eq!(normalised("Zope__.-Interface"), "zope-interface");
        assert!(
            is_name("A") && is_name("zope.interface") && !is_name("-a") && !is_name("a/b") && !is_name("")
        );
    }
}

//! Where the files of a dump lie.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::SourceError;
use crate::archive::{Wanted, project_of, with_entry_of_seven_z};
use crate::compressed::{open, unpacked_name};
use crate::content::name_of;

/// The file with the posts: `path`, or the first of those in the folder `path` that are called like it, such as `Posts.xml`,
/// `Posts.7z` or `coffee.Posts.xml.zst`.
pub(super) fn posts(path: &Path) -> Result<PathBuf, SourceError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let unreadable = |source| SourceError::Read { path: path.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if before(&name_of(&file), "Posts").is_some() {
            found.push(file);
        }
    }
    found.sort();
    Ok(found.into_iter().next().unwrap_or_else(|| path.join("Posts.xml")))
}

/// The file with another table of the site, such as the revisions of the posts in `posts`: one beside it that is called like it, or the same
/// archive where that is of the whole site.
pub(super) fn beside(posts: &Path, table: &str) -> Option<PathBuf> {
    let name = name_of(posts);
    let Some(prefix) = before(&name, "Posts") else {
        return name.to_ascii_lowercase().ends_with(".7z").then(|| posts.to_owned());
    };
    let folder = posts.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|file| before(&name_of(file), table) == Some(prefix)).min()
}

/// What stands before `table` in the name of a file of that table.
fn before<'n>(name: &'n str, table: &str) -> Option<&'n str> {
    let plain = unpacked_name(name).unwrap_or(name);
    let prefix = [".xml", ".7z"].iter().find_map(|ending| plain.strip_suffix(ending)?.strip_suffix(table))?;
    (prefix.is_empty() || prefix.ends_with(['.', '-', '_'])).then_some(prefix)
}

/// The site that a file with posts is of.
pub(super) fn site(file: &Path) -> String {
    let name = name_of(file);
    let stem = name.find("Posts.").map_or_else(|| project_of(file), |at| name[..at].to_owned());
    let site = stem.trim_end_matches(['.', '-', '_']);
    if !site.is_empty() {
        return site.to_owned();
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    name_of(folder.unwrap_or(Path::new(".")))
}

/// Reads a table from a file: its entry where the file is a 7z archive, otherwise the file. Whether the table is there.
pub(super) fn read(
    file: &Path,
    table: &str,
    each: &mut dyn FnMut(&mut dyn Read),
) -> Result<bool, SourceError> {
    let is_wanted = |name: &str| before(name.rsplit('/').next().unwrap_or(name), table).is_some();
    match with_entry_of_seven_z(file, &is_wanted, each)? {
        Wanted::Read => Ok(true),
        Wanted::NoEntry => Ok(false),
        Wanted::NoArchive => {
            each(&mut open(file)?);
            Ok(true)
        }
    }
}

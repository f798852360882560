//! Where a fragment's file lies, as text and as a URI.

use std::fmt::Write;
use std::path::Path;

use crate::{CloneReport, FragmentRow, Root};

fn bytes_of(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}

fn root_of<'r>(report: &'r CloneReport, fragment: &FragmentRow) -> Option<&'r Root> {
    report.roots.get(fragment.root as usize)
}

/// The exact bytes of a fragment's path below its root.
fn path_bytes(fragment: &FragmentRow) -> &[u8] {
    fragment.path_bytes.as_deref().unwrap_or(fragment.path.as_bytes())
}

/// The path of a fragment's file from the current folder, where it lies there; in bytes.
pub(crate) fn from_here(report: &CloneReport, fragment: &FragmentRow) -> Option<Vec<u8>> {
    below_here(root_of(report, fragment)?, fragment)
}

/// The same for a fragment of the tree `root`.
pub(crate) fn below_here(root: &Root, fragment: &FragmentRow) -> Option<Vec<u8>> {
    let mut path = bytes_of(root.here.as_deref()?);
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend(path_bytes(fragment));
    Some(path)
}

/// The project that a fragment belongs to: one of a corpus, or a tree as it was given.
pub(crate) fn project<'r>(report: &'r CloneReport, fragment: &FragmentRow) -> &'r str {
    report.settings.roots.get(fragment.root as usize).map_or("", String::as_str)
}

/// The path of a fragment's file as the user would name it: behind the tree as it was given.
pub(crate) fn as_given(report: &CloneReport, fragment: &FragmentRow) -> String {
    let root = project(report, fragment);
    let is_file = root_of(report, fragment).is_some_and(|root| root.is_file);
    match root {
        "" | "." | "./" => fragment.path.to_string(),
        root if is_file => root.to_owned(),
        root => format!("{}/{}", root.trim_end_matches('/'), fragment.path),
    }
}

/// The name of the folder that a fragment's file stands in.
pub(crate) fn folder_name(report: &CloneReport, fragment: &FragmentRow) -> String {
    if let Some((folder, _)) = fragment.path.rsplit_once('/') {
        return folder.rsplit('/').next().unwrap_or(folder).to_owned();
    }
    let name = root_of(report, fragment).and_then(|root| root.folder.file_name());
    // A project of a corpus lies nowhere.
    let project = || project(report, fragment).rsplit('/').next().unwrap_or_default().to_owned();
    name.map_or_else(project, |name| text_of(name.as_encoded_bytes()))
}

/// Bytes as text; those that are not UTF-8 are percent-encoded.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, "%{byte:02X}").expect("a string takes what it is given");
        }
    }
    text
}

/// A path below some base as a relative URI reference (RFC 3986).
pub(crate) fn relative_uri(path: &[u8]) -> String {
    let mut uri = String::new();
    for &byte in path {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            uri.push(byte as char);
        } else {
            write!(uri, "%{byte:02X}").expect("a string takes what it is given");
        }
    }
    uri
}

/// The URI of a fragment's path below its root.
pub(crate) fn uri_below_root(fragment: &FragmentRow) -> String {
    relative_uri(path_bytes(fragment))
}

/// The URI of a folder, with `/` at its end.
pub(crate) fn folder_uri(folder: &Path) -> String {
    let path = relative_uri(&bytes_of(folder));
    let path = path.trim_matches('/');
    if path.is_empty() { "file:///".to_owned() } else { format!("file:///{path}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_escape_what_they_must() {
        assert_eq!(relative_uri("a b/ü:#?.py".as_bytes()), "a%20b/%C3%BC%3A%23%3F.py");
        assert_eq!(folder_uri(Path::new("/x/y z/")), "file:///x/y%20z/");
        assert_eq!(folder_uri(Path::new("/")), "file:///");
    }
}

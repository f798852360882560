//! Files as editors name them: `file:///folder/a%20file.py`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// The file that a URI names; none where it names no file of this machine.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next()?;
    rest.starts_with('/').then(|| decoded(rest)).flatten()
}

/// Decodes `%` and two digits; none where what comes of it can be no path.
fn decoded(text: &str) -> Option<PathBuf> {
    let bytes = text.as_bytes();
    let mut path = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let hex = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        path.push(hex.unwrap_or(bytes[at]));
        at += if hex.is_some() { 3 } else { 1 };
    }
    if path.contains(&0) {
        return None;
    }
    Some(PathBuf::from(OsString::from_vec(path)))
}

/// The URI of a file.
pub(crate) fn of_path(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_encoded_bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
        if plain {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Whether two paths name one file, which need not be there: a folder of one of them may be a link.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| path.parent()?.canonicalize().ok();
    a == b || (a.file_name() == b.file_name() && resolved(a).is_some_and(|it| Some(it) == resolved(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back() {
        for path in ["/a/b.py", "/a b/ü%20#?.py", "/x:y/[z].py"] {
            assert_eq!(to_path(&of_path(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(to_path("file:///a%3Ab%2").as_deref(), Some(Path::new("/a:b%2")));
    }

    #[test]
    fn what_is_no_file_here_is_told() {
        for uri in
            ["untitled:Untitled-1", "https://host/a.py", "file://host/a.py", "file:///a%00b", "", "file://"]
        {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_file_below_a_link_is_the_same_file() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir(&real).expect("it can be made");
        std::os::unix::fs::symlink(&real, &link).expect("it can be made");
        assert!(is_same(&real.join("d.json"), &link.join("d.json")));
        assert!(!is_same(&real.join("d.json"), &link.join("e.json")));
        assert!(!is_same(&folder.path().join("a/d.json"), &folder.path().join("b/d.json")));
    }
}

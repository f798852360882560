//! What a source yields: documents, and skips with their reasons.

use std::path::{Path, PathBuf};

/// A file that can be read as code.
#[derive(Clone, Debug)]
pub struct Document {
    /// Position of the root that it was found under.
    pub root: u32,
    pub path: TreePath,
    /// Where to open it.
    pub file: PathBuf,
    pub bytes: u64,
}

/// A file that was not read, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Position of the root that it was found under.
    pub root: u32,
    pub path: TreePath,
    /// What stood in the way, in words for the user.
    pub reason: String,
}

impl Skip {
    pub fn new(root: u32, path: TreePath, reason: impl Into<String>) -> Self {
        Self { root, path, reason: reason.into() }
    }
}

/// A path below a root, with `/` between its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreePath {
    text: String,
    /// The exact bytes, where they are not UTF-8.
    bytes: Option<Vec<u8>>,
}

impl TreePath {
    /// The path of `file` below `root`; of the root itself, its file name.
    pub fn below(root: &Path, file: &Path) -> Self {
        let relative = file.strip_prefix(root).unwrap_or(file);
        if relative.as_os_str().is_empty() {
            let name = file.file_name().map_or(file, Path::new);
            return Self::new(name);
        }
        Self::new(relative)
    }

    /// Takes the path as it is.
    pub fn new(path: &Path) -> Self {
        let bytes = path.as_os_str().as_encoded_bytes();
        match std::str::from_utf8(bytes) {
            Ok(text) => Self { text: text.replace(std::path::MAIN_SEPARATOR, "/"), bytes: None },
            Err(_) => Self { text: percent_encoded(bytes), bytes: Some(bytes.to_vec()) },
        }
    }

    /// The path as text; bytes that are not UTF-8 are percent-encoded.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The exact bytes of a path that is not UTF-8.
    pub fn raw_bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }
}

/// Text of bytes that should be UTF-8: those that are not stand as `%` and two digits.
pub fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_percent_encoded_and_kept() {
        use std::os::unix::ffi::OsStrExt;
        let path = TreePath::new(Path::new(std::ffi::OsStr::from_bytes(b"a/\xff\xfeb.py")));
        assert_eq!(path.as_str(), "a/%FF%FEb.py");
        assert_eq!(path.raw_bytes(), Some(&b"a/\xff\xfeb.py"[..]));
    }

    #[test]
    fn a_file_given_as_root_keeps_its_name() {
        assert_eq!(TreePath::below(Path::new("x/a.py"), Path::new("x/a.py")).as_str(), "a.py");
        assert_eq!(TreePath::below(Path::new("x"), Path::new("x/y/a.py")).as_str(), "y/a.py");
    }
}

//! A file that a client gave, in a folder of its own under a name that is safe.

use std::path::{Path, PathBuf};

use serde::Serialize;

/// A file that a client gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Upload {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) bytes: u64,
    /// Seconds since 1970.
    pub(crate) created: i64,
}

/// Most bytes of a file's name.
const LONGEST: usize = 120;

impl Upload {
    /// Where its content lies, in the server's folder.
    pub(crate) fn path(&self, data: &Path) -> PathBuf {
        self.folder(data).join(&self.name)
    }

    pub(crate) fn folder(&self, data: &Path) -> PathBuf {
        data.join("uploads").join(&self.id)
    }
}

/// A name that a file can have here: the last part of what the client calls it, without what a terminal or a file system might
/// take for something else.
pub(crate) fn safe_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| {
        if c.is_control()
            || "<>:\"|?*\u{202a}\u{202b}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".contains(c)
        {
            '_'
        } else {
            c
        }
    };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches(['.', ' ', '-']);
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    // The ending says the language: of a long name it stays.
    let short = match name.rsplit_once('.') {
        Some((_, ending)) if name.len() > LONGEST && ending.len() < 12 => {
            let mut cut = LONGEST - ending.len() - 1;
            while !name.is_char_boundary(cut) {
                cut -= 1;
            }
            format!("{}.{ending}", &name[..cut])
        }
        _ => name[..end].to_owned(),
    };
    if short.is_empty() { "upload".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        for (given, safe) in [
            ("a.py", "a.py"),
            ("../../etc/passwd", "passwd"),
            ("C:\\work\\b.java", "b.java"),
            ("..", "upload"),
            ("", "upload"),
            (".bashrc", "bashrc"),
            ("a\0b\n.py", "a_b_.py"),
            ("\u{202e}yp.exe", "_yp.exe"),
            ("-rf", "rf"),
        ] {
            assert_eq!(safe_name(given), safe, "{given:?}");
        }
        let long = safe_name(&format!("{}é.tar", "é".repeat(200)));
        assert!(long.len() <= LONGEST && long.ends_with("é.tar"), "{long}");
    }
}

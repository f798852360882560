//! What all sources share: bounded reads, the name of a project, an item of a whole file.

use std::io::{self, Read};
use std::path::Path;

use familiar_source::{Evidence, Language, Occurrence};

use crate::{Found, Item, Told};

/// Times that tools write so that their archives are reproducible; they say nothing about the code, not even where the
/// archive was unpacked: 1970 and 1980 (zip's first day, Gradle's 1 February), npm's 1985, Cargo's 2006.
const NO_TIMES: [i64; 6] = [0, 1, 315_532_800, 318_211_200, 499_162_500, 1_153_704_088];

/// All bytes of `reader`; `None` where there are more than `limit`. At most one byte more than the limit is read.
pub(crate) fn read_within(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Why a piece of content that [`read_within`] refuses is left out.
pub(crate) fn too_large(limit: u64) -> String {
    format!("larger than {}, the limit for one file", familiar_source::words::size(limit))
}

/// The name of a file or folder, without what leads to it; bytes that are not UTF-8 are percent-encoded.
pub(crate) fn name_of(path: &Path) -> String {
    let named = path.file_name().map(ToOwned::to_owned);
    let named = named.or_else(|| path.canonicalize().ok()?.file_name().map(ToOwned::to_owned));
    let named = named.unwrap_or_else(|| path.as_os_str().to_owned());
    crate::document::percent_encoded(named.as_encoded_bytes())
}

/// When a file was last changed, and what that rests on.
pub(crate) fn file_time(time: Option<i64>) -> (Option<i64>, Evidence) {
    match time.filter(|time| !NO_TIMES.contains(time)) {
        Some(time) => (Some(time), Evidence::FileTime),
        None => (None, Evidence::None),
    }
}

/// A whole file of a project, with the time that its file system or archive says.
pub(crate) fn file(project: &str, path: String, bytes: Vec<u8>, time: Option<i64>) -> Found {
    let (time, evidence) = file_time(time);
    let (first_seen, last_seen) = (time, time);
    let project = project.to_owned();
    let occurrence =
        Occurrence { project, path, first_line: 1, first_seen, last_seen, evidence, ..Occurrence::default() };
    Found::Item(Item { bytes, language: Told::Nothing, occurrence })
}

/// The language that people call `name`: its own name, or what it is called in markup, tags and data sets.
pub(crate) fn language_called(name: &str) -> Option<Language> {
    let name = name.trim().to_ascii_lowercase();
    let known = match name.as_str() {
        "py" | "py2" | "py3" | "python2" | "python3" | "python-3.x" | "python-2.7" | "pycon" | "ipython"
        | "ipython3" => Language::Python,
        "c++" | "cxx" | "cc" | "hpp" | "c++11" | "c++14" | "c++17" | "c++20" => Language::Cpp,
        "c#" | "cs" | "c-sharp" => Language::CSharp,
        "js" | "jsx" | "node" | "node.js" | "ecmascript" => Language::JavaScript,
        "ts" | "tsx" => Language::TypeScript,
        "golang" => Language::Go,
        "rs" => Language::Rust,
        "rb" => Language::Ruby,
        "kt" | "kts" => Language::Kotlin,
        "sh" | "bash" | "zsh" | "ksh" | "shell-script" => Language::Shell,
        "ps1" | "pwsh" => Language::PowerShell,
        "bat" | "cmd" | "batch-file" => Language::Batch,
        "mysql" | "postgresql" | "tsql" | "t-sql" | "plsql" | "sqlite" | "pgsql" => Language::Sql,
        "htm" | "xhtml" | "html5" => Language::Html,
        "yml" => Language::Yaml,
        "makefile" => Language::Make,
        "docker" => Language::Dockerfile,
        "objective-c" | "objc" => Language::ObjectiveC,
        "vb" | "vb.net" | "vba" | "vbnet" => Language::VisualBasic,
        "pl" => Language::Perl,
        "hs" => Language::Haskell,
        "ml" => Language::OCaml,
        "f#" => Language::FSharp,
        "ex" => Language::Elixir,
        "asm" | "nasm" => Language::Assembly,
        "delphi" => Language::Pascal,
        "octave" => Language::Matlab,
        "latex" => Language::Tex,
        "viml" => Language::Vim,
        "common-lisp" | "elisp" | "emacs-lisp" | "scheme" => Language::Lisp,
        "hcl" => Language::Terraform,
        "proto" => Language::Protobuf,
        "other" => return None,
        _ => return Language::from_name(&name),
    };
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_larger_than_the_limit_is_not_held() {
        assert_eq!(read_within(&b"abc"[..], 3).expect("memory"), Some(b"abc".to_vec()));
        assert_eq!(read_within(&b"abcd"[..], 3).expect("memory"), None);
        assert_eq!(read_within(io::repeat(0), 3).expect("memory"), None);
    }

    #[test]
    fn a_project_has_the_name_of_its_folder() {
        assert_eq!(name_of(Path::new("a/b")), "b");
        assert_eq!(name_of(Path::new("a/b/")), "b");
        assert!(!name_of(Path::new(".")).contains('.') || name_of(Path::new(".")).len() > 1);
    }

    #[test]
    fn languages_are_known_by_their_names_and_their_nicknames() {
        assert_eq!(language_called("Python"), Some(Language::Python));
        assert_eq!(language_called("C++"), Some(Language::Cpp));
        assert_eq!(language_called("klingon"), None);
    }
}

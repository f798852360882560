//! Languages by the names that markup, tags and data sets give them.

use crate::Language;

/// Finds the language with this name, or with this nickname in markup, tags and data sets.
pub fn language_called(name: &str) -> Option<Language> {
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

/// The language that somebody chooses by such a name: `other` is any text.
pub fn language_named(name: &str) -> Option<Language> {
    Language::from_name(name).or_else(|| language_called(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_their_names_and_their_nicknames() {
        assert_eq!(language_called("Python"), Some(Language::Python));
        assert_eq!(language_called("C++"), Some(Language::Cpp));
        assert_eq!(language_called("klingon"), None);
        assert_eq!(language_called("other"), None);
        assert_eq!(language_named("other"), Some(Language::Other));
        assert_eq!(language_named("C++"), Some(Language::Cpp));
    }
}

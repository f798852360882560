//! Languages as Project CodeNet calls them, with the endings of their files.

use familiar_source::{Language, language_called};

/// Languages whose name there is not the one here with a capital letter, or whose ending is not told by it.
const NAMES: [(Language, &str, &str); 34] = [
    (Language::Ada, "Ada", "adb"),
    (Language::C, "C", "c"),
    (Language::Clojure, "Clojure", "clj"),
    (Language::Cpp, "C++", "cpp"),
    (Language::CSharp, "C#", "cs"),
    (Language::Dart, "Dart", "dart"),
    (Language::Elixir, "Elixir", "ex"),
    (Language::Erlang, "Erlang", "erl"),
    (Language::Fortran, "Fortran", "f90"),
    (Language::FSharp, "F#", "fs"),
    (Language::Go, "Go", "go"),
    (Language::Groovy, "Groovy", "groovy"),
    (Language::Haskell, "Haskell", "hs"),
    (Language::Java, "Java", "java"),
    (Language::JavaScript, "JavaScript", "js"),
    (Language::Julia, "Julia", "jl"),
    (Language::Kotlin, "Kotlin", "kt"),
    (Language::Lisp, "Lisp", "lisp"),
    (Language::Lua, "Lua", "lua"),
    (Language::ObjectiveC, "Objective-C", "m"),
    (Language::OCaml, "OCaml", "ml"),
    (Language::Matlab, "Octave", "m"),
    (Language::Pascal, "Pascal", "pas"),
    (Language::Perl, "Perl", "pl"),
    (Language::Php, "PHP", "php"),
    (Language::Python, "Python", "py"),
    (Language::R, "R", "r"),
    (Language::Ruby, "Ruby", "rb"),
    (Language::Rust, "Rust", "rs"),
    (Language::Scala, "Scala", "scala"),
    (Language::Shell, "Bash", "sh"),
    (Language::Swift, "Swift", "swift"),
    (Language::TypeScript, "TypeScript", "ts"),
    (Language::VisualBasic, "Visual Basic", "vb"),
];

/// Compilers and dialects by which judges name a language, in lower case.
const OTHERS: [(&str, Language); 14] = [
    ("pypy", Language::Python),
    ("cpython", Language::Python),
    ("g++", Language::Cpp),
    ("clang++", Language::Cpp),
    ("visual c++", Language::Cpp),
    ("gcc", Language::C),
    ("c# mono", Language::CSharp),
    ("mono c#", Language::CSharp),
    (".net core c#", Language::CSharp),
    ("free pascal", Language::Pascal),
    ("fpc", Language::Pascal),
    ("pascalabc.net", Language::Pascal),
    ("haskell ghc", Language::Haskell),
    ("javascript v", Language::JavaScript),
];

/// Words that judges write before the name of a language: whose compiler it is.
const MAKERS: [&str; 4] = ["gnu ", "ms ", "microsoft ", "clang "];

/// The language of a name without a version.
fn called(name: &str) -> Option<Language> {
    let lower = name.to_ascii_lowercase();
    let own = MAKERS.iter().find_map(|maker| lower.strip_prefix(maker)).unwrap_or(&lower);
    let other = || OTHERS.iter().find(|(other, _)| *other == own).map(|&(_, language)| language);
    language_called(own).or_else(other)
}

/// The name of a language without its version, and the ending of its files. A language that nobody knows here keeps its name.
pub(crate) fn consolidated(name: &str) -> (String, &'static str) {
    let plain = name.split(['(', ';']).next().unwrap_or_default().trim();
    // `C++14`, `Python3`, `Java 8`: the version stands behind.
    let bare = plain.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ' ' | '-'));
    // Its version makes it another language.
    let is_raku =
        bare.len() < plain.len() && bare == "Perl" && plain[bare.len()..].trim_start().starts_with('6');
    match [plain, bare].into_iter().find_map(called).filter(|_| !is_raku) {
        Some(language) if NAMES.iter().any(|(known, _, _)| *known == language) => of(language),
        _ if plain.trim_matches('.').is_empty() => ("Unknown".to_owned(), "txt"),
        _ => (plain.trim_start_matches('.').replace(['/', '\\', '\0'], "_"), "txt"),
    }
}

/// The name of a language, and the ending of its files.
pub(crate) fn of(language: Language) -> (String, &'static str) {
    match NAMES.iter().find(|(known, _, _)| *known == language) {
        Some(&(_, name, ending)) => (name.to_owned(), ending),
        None => (language.name().to_owned(), "txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_no_part_of_a_name() {
        for (name, expected) in [
            ("C++14 (GCC 5.4.1)", "C++"),
            ("C++17", "C++"),
            ("cpp", "C++"),
            ("Python3", "Python"),
            ("Python (3.4.3)", "Python"),
            ("Java8 (OpenJDK 1.8.0)", "Java"),
            ("PyPy3", "Python"),
            ("GNU C++17", "C++"),
            ("GNU G++17 7.3.0", "C++"),
            ("GNU C11", "C"),
            ("MS C++ 2017", "C++"),
            ("JavaScript V8 4.8.0", "JavaScript"),
            ("Perl5", "Perl"),
            ("Perl6", "Perl6"),
            ("C", "C"),
            ("F#", "F#"),
            ("Brainfuck", "Brainfuck"),
            ("../../etc", "_.._etc"),
            ("..", "Unknown"),
            ("", "Unknown"),
        ] {
            assert_eq!(consolidated(name).0, expected, "{name}");
        }
    }
}

//! Names of files that hold one piece of code.

use familiar_source::Language;

/// The ending of files in a language.
pub(crate) fn ending(lang: &str) -> &'static str {
    match Language::from_name(lang) {
        Some(Language::Python) => "py",
        Some(Language::Java) => "java",
        Some(Language::C) => "c",
        Some(Language::Cpp) => "cpp",
        Some(Language::CSharp) => "cs",
        Some(Language::Go) => "go",
        Some(Language::JavaScript) => "js",
        Some(Language::TypeScript) => "ts",
        Some(Language::Rust) => "rs",
        Some(Language::Kotlin) => "kt",
        Some(Language::Swift) => "swift",
        Some(Language::Ruby) => "rb",
        Some(Language::Php) => "php",
        Some(Language::Scala) => "scala",
        Some(Language::Dart) => "dart",
        _ => "txt",
    }
}

/// A name without what file systems take for something else.
pub(crate) fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    plain.trim_start_matches('.').to_owned()
}

/// A text that ends with one line end.
pub(crate) fn lined(code: &str) -> String {
    format!("{}\n", code.trim_end())
}

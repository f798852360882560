//! Names of files that hold one piece of code.

use familiar_source::Language;
use xxhash_rust::xxh3::xxh3_64;

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

/// A name without what file systems take for something else. Different names stay different: one that is changed gets a digest.
pub(crate) fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    match plain.trim_start_matches('.') {
        same if same == name => plain,
        changed => format!("{changed}-{:08x}", xxh3_64(name.as_bytes()) as u32),
    }
}

/// A text that ends with one line end.
pub(crate) fn lined(code: &str) -> String {
    format!("{}\n", code.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_names_have_different_files() {
        assert_eq!(file_name("a_1.p.0.0"), "a_1.p.0.0");
        let others = ["a/1.p.0.0", "a:1.p.0.0", ".a_1.p.0.0"].map(file_name);
        assert!(others.iter().all(|it| it.starts_with("a_1.p.0.0-")), "{others:?}");
        assert!(others[0] != others[1] && others[1] != others[2]);
    }
}

//! What the tags of a question tell of the language of its code.

use familiar_source::Language;

use crate::LanguageHint;
use familiar_source::language_called;

/// Libraries and tools, by the language that they are used from.
const LIBRARIES: [(Language, &[&str]); 8] = [
    (
        Language::Python,
        &[
            "numpy",
            "pandas",
            "scipy",
            "matplotlib",
            "seaborn",
            "scikit-learn",
            "tensorflow",
            "keras",
            "pytorch",
            "django",
            "flask",
            "pyspark",
            "jupyter-notebook",
            "opencv-python",
            "gensim",
            "nltk",
            "tkinter",
            "pip",
        ],
    ),
    (
        Language::Java,
        &["spring", "spring-boot", "spring-mvc", "hibernate", "jpa", "swing", "javafx", "junit", "weka"],
    ),
    (Language::JavaScript, &["jquery", "reactjs", "angularjs", "vue.js", "express", "d3.js", "brain.js"]),
    (Language::TypeScript, &["angular"]),
    (
        Language::CSharp,
        &[".net", ".net-core", "asp.net", "asp.net-mvc", "wpf", "linq", "unity3d", "winforms"],
    ),
    (Language::Cpp, &["qt", "boost", "stl"]),
    (Language::Php, &["laravel", "wordpress", "symfony"]),
    (Language::Ruby, &["ruby-on-rails", "rails-activerecord", "rspec"]),
];

/// Formats of data: where nothing else is named, the code may be what reads them.
const FORMATS: [Language; 5] =
    [Language::Json, Language::Markdown, Language::Xml, Language::Yaml, Language::Toml];

/// The language that the tags name, if it is one and no format of data; if they name none, the one whose libraries they name is
/// likely.
pub(super) fn language<'t>(tags: impl Iterator<Item = &'t str> + Clone) -> LanguageHint {
    let mut named = tags.clone().filter_map(language_called);
    let only_formats = named.clone().all(|language| FORMATS.contains(&language));
    match named.next().filter(|_| !only_formats) {
        Some(first) if named.all(|other| other == first) => LanguageHint::Language(first),
        Some(_) => LanguageHint::BLOCK,
        None => {
            let mut used = tags.filter_map(used_from);
            let likely = used.next().filter(|first| used.all(|other| other == *first));
            LanguageHint::Block { likely }
        }
    }
}

/// The language that a library is used from.
fn used_from(tag: &str) -> Option<Language> {
    LIBRARIES.iter().find(|(_, libraries)| libraries.contains(&tag)).map(|&(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_name_a_language_or_make_one_likely() {
        for (tags, expected) in [
            (&["c++", "sorting"][..], LanguageHint::Language(Language::Cpp)),
            (&["python", "python-3.x"], LanguageHint::Language(Language::Python)),
            (&["python", "java"], LanguageHint::BLOCK),
            (&["java", "keras"], LanguageHint::Language(Language::Java)),
            (&["keras", "numpy"], LanguageHint::Block { likely: Some(Language::Python) }),
            (&["keras", "qt"], LanguageHint::BLOCK),
            (&["json", "java"], LanguageHint::BLOCK),
            (&["xml", "markdown"], LanguageHint::BLOCK),
            (&["json", "numpy"], LanguageHint::Block { likely: Some(Language::Python) }),
            (&[], LanguageHint::BLOCK),
        ] {
            assert_eq!(language(tags.iter().copied()), expected, "{tags:?}");
        }
    }
}

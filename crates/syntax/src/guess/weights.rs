//! The weights of `weights.txt`: a line is a feature, a tab, and `LANGUAGE WEIGHT, …` in hundredths; `other` is no code. The line
//! without a feature is what each starts with.

use std::collections::HashMap;
use std::sync::LazyLock;

use familiar_source::Language;

/// What can be told apart.
pub const CLASSES: [Language; 16] = [
    Language::Python,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::CSharp,
    Language::JavaScript,
    Language::TypeScript,
    Language::Go,
    Language::Rust,
    Language::Ruby,
    Language::Php,
    Language::Kotlin,
    Language::Scala,
    Language::Swift,
    Language::Dart,
    Language::Other,
];

pub(super) static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::new(include_str!("weights.txt")));

pub(super) struct Weights {
    pub(super) bias: Vec<i32>,
    by_feature: HashMap<&'static str, Feature>,
}

struct Feature {
    number: usize,
    weights: Vec<(Language, i32)>,
}

impl Weights {
    fn new(text: &'static str) -> Self {
        let mut bias = vec![0; CLASSES.len()];
        let mut by_feature = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let (feature, weights) = line.split_once('\t').expect("a tab follows the feature");
            let weights: Vec<(Language, i32)> = weights.split(", ").map(weight).collect();
            if feature.is_empty() {
                for (class, bias) in CLASSES.iter().zip(&mut bias) {
                    *bias = weights.iter().find(|(language, _)| language == class).map_or(0, |found| found.1);
                }
            }
            by_feature.insert(feature, Feature { number, weights });
        }
        Self { bias, by_feature }
    }

    pub(super) fn len(&self) -> usize {
        self.by_feature.len()
    }

    /// The number of a feature below [`Self::len`], and its weights.
    pub(super) fn get(&self, feature: &str) -> Option<(usize, &[(Language, i32)])> {
        self.by_feature.get(feature).map(|found| (found.number, found.weights.as_slice()))
    }
}

/// `LANGUAGE WEIGHT`.
fn weight(text: &str) -> (Language, i32) {
    let (name, weight) = text.split_once(' ').expect("a weight follows the language");
    let language = Language::from_name(name).expect("a language is called by its name");
    (language, weight.parse().expect("a weight is a number"))
}

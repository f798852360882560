//! The flags that say how clones are found, which several verbs share.

use familiar_detect::CloneOptions;
use familiar_search::Measure;
use familiar_source::{FragmentKind, Language};
use familiar_syntax::normal::Renaming;

use crate::common::Resources;
use crate::{encoders, values};

pub(crate) const FINDING: &str = "What is found";
pub(crate) const INPUT: &str = "What is searched";

/// What counts as a clone, and in which files.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Finding {
    /// Kinds of code to compare: file, class, function, block, run (a run is a stretch of lines anywhere) [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    pub(crate) granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal except for names and values, 3 edited, 4 same behavior in other code [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    pub(crate) types: Vec<u8>,
    /// How to measure the similarity of edited code: aligned, token-overlap, lines [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    pub(crate) measure: Option<Measure>,
    /// Lowest similarity of a Type-3 pair, above 0 and at most 1 [default: set by the measure]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    pub(crate) similarity: Option<f64>,
    /// How names may differ in Type-2 clones. blind: in any way. consistent: each name always by the same other name [default: blind]
    #[arg(long, value_name = "HOW", value_parser = values::renaming, help_heading = FINDING)]
    pub(crate) renaming: Option<Renaming>,
    /// Ignore code with fewer tokens [default: a limit by information, about 50 tokens of ordinary code in a small tree, 80
    /// in a large one]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) min_tokens: Option<u32>,
    /// Also report common idioms, small pieces and test fixtures. Such code is often similar without being a copy
    #[arg(long, help_heading = FINDING)]
    pub(crate) include_idioms: bool,
    /// Ignore code with fewer lines [default: 5]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) min_lines: Option<u32>,
    /// Join runs that are at most N tokens apart (Type-3) [default: 10]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) max_gap_tokens: Option<u32>,
    /// Keep a Type-3 pair only if the encoder also gives it at least the probability P. This removes common idioms [P if not given: 0.3]
    #[arg(long, value_name = "P", num_args = 0..=1, require_equals = true, default_missing_value = "0.3", help_heading = FINDING)]
    pub(crate) validate: Option<f64>,
    /// Lowest probability of a Type-4 pair, above 0 and below 1 [default: 0.75]
    #[arg(long, value_name = "P", help_heading = FINDING)]
    pub(crate) confidence: Option<f64>,
    /// For type 4, also compare anonymous functions in tests
    #[arg(long, help_heading = FINDING)]
    pub(crate) test_callbacks: bool,
    /// The encoder for type 4 and --validate: builtin, static (its first stage alone, faster), weights:FILE,
    /// api:URL#MODEL (an embedding server; its key is read from FAMILIAR_API_KEY), onnx:DIR [default: builtin]
    #[arg(long, value_name = "NAME", help_heading = FINDING)]
    pub(crate) encoder: Option<String>,
    /// Also compare code in different languages
    #[arg(long, help_heading = FINDING)]
    pub(crate) cross_language: bool,

    /// Search only these languages. Data formats such as json are searched only if they are named here
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language, help_heading = INPUT)]
    pub(crate) lang: Vec<Language>,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,
    /// Also search generated and minified files
    #[arg(long, help_heading = INPUT)]
    pub(crate) include_generated: bool,
}

impl Finding {
    /// The options that these flags give, without any input.
    pub(crate) fn options(&self, resources: Resources) -> anyhow::Result<CloneOptions> {
        let default = CloneOptions::default();
        let granularity = &self.granularity;
        let types = if self.types.is_empty() { default.types.clone() } else { sorted(self.types.clone()) };
        let threads = resources.threads();
        let name = self.encoder.as_deref().unwrap_or("builtin");
        let encoder = (types.contains(&4) || self.validate.is_some()).then(|| encoders::open(name, threads));
        if encoder.is_none() {
            encoders::check(name)?;
        }
        Ok(CloneOptions {
            granularity: sorted(
                if granularity.is_empty() { &default.granularity } else { granularity }.clone(),
            ),
            types,
            encoder: encoder.transpose()?,
            validate: self.validate,
            confidence: self.confidence.unwrap_or(default.confidence),
            test_callbacks: self.test_callbacks,
            measure: self.measure.unwrap_or(default.measure),
            similarity: self.similarity,
            renaming: self.renaming,
            include_idioms: self.include_idioms,
            min_tokens: self.min_tokens,
            min_lines: self.min_lines.unwrap_or(default.min_lines),
            max_gap_tokens: self.max_gap_tokens.unwrap_or(default.max_gap_tokens),
            languages: self.lang.clone(),
            exclude: self.exclude.clone(),
            include_generated: self.include_generated,
            cross_language: self.cross_language,
            threads,
            memory: resources.memory(),
            ..default
        })
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}

//! The flags that say how clones are found, which several verbs share.

use familiar_engine::{CloneOptions, Measure};
use familiar_source::{FragmentKind, Language};
use familiar_syntax::normal::Renaming;

use crate::{encoders, values};

pub(crate) const FINDING: &str = "What is found";
pub(crate) const INPUT: &str = "What is searched";
pub(crate) const RESOURCES: &str = "Resources";

/// What counts as a clone, and in which files.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Finding {
    /// What is compared: file, class, function, block, run [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    pub(crate) granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal but for names and values, 3 edited, 4 written otherwise [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    pub(crate) types: Vec<u8>,
    /// How alike edited fragments are: aligned, token-overlap, lines [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    pub(crate) measure: Option<Measure>,
    /// Least similarity of a Type-3 pair, above 0 and at most 1 [default: the measure's own]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    pub(crate) similarity: Option<f64>,
    /// How names are abstracted for Type-2: blind, consistent [default: blind]
    #[arg(long, value_name = "HOW", value_parser = values::renaming, help_heading = FINDING)]
    pub(crate) renaming: Option<Renaming>,
    /// Fewest tokens of a fragment or run [default: a limit by information, about 50 tokens of ordinary code]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) min_tokens: Option<u32>,
    /// Report idioms too: renamed runs and edited fragments that are alike in their shape alone
    #[arg(long, help_heading = FINDING)]
    pub(crate) include_idioms: bool,
    /// Fewest lines of a fragment or run [default: 5]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) min_lines: Option<u32>,
    /// Merge neighbouring runs over gaps of up to N tokens (Type-3) [default: 10]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    pub(crate) max_gap_tokens: Option<u32>,
    /// Keep only those Type-3 pairs of fragments of which the encoder is at least so sure too, which leaves out idioms [without P: 0.3]
    #[arg(long, value_name = "P", num_args = 0..=1, require_equals = true, default_missing_value = "0.3", help_heading = FINDING)]
    pub(crate) validate: Option<f64>,
    /// Least probability of a Type-4 pair, above 0 and below 1 [default: 0.75]
    #[arg(long, value_name = "P", help_heading = FINDING)]
    pub(crate) confidence: Option<f64>,
    /// What turns code into vectors for type 4 and --validate: builtin, static (its first stage, faster), weights:FILE,
    /// api:URL#MODEL (a server of embeddings, with the key in FAMILIAR_API_KEY), onnx:DIR [default: builtin]
    #[arg(long, value_name = "NAME", help_heading = FINDING)]
    pub(crate) encoder: Option<String>,
    /// Compare fragments of different languages too
    #[arg(long, help_heading = FINDING)]
    pub(crate) cross_language: bool,

    /// Only these languages; also the way to search data such as json
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language, help_heading = INPUT)]
    pub(crate) lang: Vec<Language>,
    /// Leave out what the glob matches (as in .gitignore); may be repeated
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,
    /// Search generated and minified files
    #[arg(long, help_heading = INPUT)]
    pub(crate) include_generated: bool,
}

/// What a search may take.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Resources {
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    pub(crate) threads: Option<usize>,
    /// Memory to stay within, such as 512M or 2GiB; at least 64M [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = RESOURCES)]
    pub(crate) memory: Option<usize>,
}

impl Finding {
    /// The options that these flags give, without any input.
    pub(crate) fn options(&self, resources: &Resources) -> anyhow::Result<CloneOptions> {
        let default = CloneOptions::default();
        let granularity = &self.granularity;
        let types = if self.types.is_empty() { default.types.clone() } else { sorted(self.types.clone()) };
        let threads = resources.threads.unwrap_or(default.threads);
        let encoder = self.encoder.as_deref().unwrap_or("builtin");
        let encoder =
            (types.contains(&4) || self.validate.is_some()).then(|| encoders::open(encoder, threads));
        Ok(CloneOptions {
            granularity: sorted(
                if granularity.is_empty() { &default.granularity } else { granularity }.clone(),
            ),
            types,
            encoder: encoder.transpose()?,
            validate: self.validate,
            confidence: self.confidence.unwrap_or(default.confidence),
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
            memory: resources.memory.unwrap_or(default.memory),
            ..default
        })
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}

//! What the user can ask of `familiar clones`.

use std::path::PathBuf;
use std::sync::Arc;

use familiar_model::{CONFIDENCE, Encoder};
use familiar_search::Measure;
use familiar_search::information::{LEAST_BITS, Limit};
use familiar_source::{FragmentKind, Language, words};
use familiar_syntax::normal::Renaming;

/// The settings of `familiar clones`.
#[derive(Clone, Debug)]
pub struct CloneOptions {
    /// Trees to search in; empty where `query` and `against` are given.
    pub paths: Vec<PathBuf>,
    /// Trees on the one and the other side of every pair.
    pub query: Vec<PathBuf>,
    pub against: Vec<PathBuf>,
    /// Folders of corpora to search in, in the place of trees; of two, every pair has one side in each.
    pub corpora: Vec<PathBuf>,
    /// Folders of further corpora that one of `corpora` is compared with; pairs among these themselves are not asked for.
    pub beside: Vec<PathBuf>,
    /// What these corpora are called before their projects' names, where there are several; their folders' names where nothing is said.
    pub corpus_names: Vec<String>,
    /// Whether pairs with what was handed out belong to the result.
    pub include_handed_out: bool,
    /// Only pairs between different trees, or different projects of corpora.
    pub between_projects: bool,
    /// Whether pairs of two sides need the evidence that pairs within a tree need.
    pub judge_sides: bool,
    pub granularity: Vec<FragmentKind>,
    /// Clone types, of 1, 2, 3 and 4.
    pub types: Vec<u8>,
    pub measure: Measure,
    /// The measure's own threshold where none is given.
    pub similarity: Option<f64>,
    /// Blind where none is given.
    pub renaming: Option<Renaming>,
    /// Whether renamed runs and edited fragments within a tree need no evidence beyond their shape.
    pub include_idioms: bool,
    /// Fewest tokens of a clone; a limit by information where none is given.
    pub min_tokens: Option<u32>,
    pub min_lines: u32,
    pub max_gap_tokens: u32,
    /// Only these languages; all where empty.
    pub languages: Vec<Language>,
    pub exclude: Vec<String>,
    pub no_ignore: bool,
    pub include_generated: bool,
    pub cross_language: bool,
    /// Only pairs that touch lines changed since this revision.
    pub changed_since: Option<String>,
    /// 0: as many as the machine has.
    pub threads: usize,
    /// What turns code into vectors, for type 4 and for `validate`.
    pub encoder: Option<Arc<dyn Encoder>>,
    /// Least probability of an edited pair, above 0 and below 1; none where the encoder is not asked.
    pub validate: Option<f64>,
    /// Least probability of a Type-4 pair, above 0 and below 1.
    pub confidence: f64,
    /// Whether functions without a name that tests are made of are compared for type 4, too.
    pub test_callbacks: bool,
    /// Bytes of memory to stay within.
    pub memory: usize,
    /// Most pairs of one class that the streaming formats enumerate.
    pub max_pairs_per_class: Option<u64>,
    /// How many classes need an excerpt of their code.
    pub excerpts: usize,
    /// Whether Type-3 pairs need their alignment, where the measure gives one.
    pub alignments: bool,
    /// Whether it is said what makes Type-4 pairs alike, of pairs and of classes that have an excerpt.
    pub explain: bool,
}

impl Default for CloneOptions {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            query: Vec::new(),
            against: Vec::new(),
            corpora: Vec::new(),
            beside: Vec::new(),
            corpus_names: Vec::new(),
            include_handed_out: false,
            between_projects: false,
            judge_sides: false,
            granularity: vec![FragmentKind::Function, FragmentKind::Run],
            types: vec![1, 2, 3],
            measure: Measure::default(),
            similarity: None,
            renaming: None,
            include_idioms: false,
            min_tokens: None,
            min_lines: 5,
            max_gap_tokens: 10,
            languages: Vec::new(),
            exclude: Vec::new(),
            no_ignore: false,
            include_generated: false,
            cross_language: false,
            changed_since: None,
            threads: 0,
            encoder: None,
            validate: None,
            confidence: CONFIDENCE,
            test_callbacks: false,
            memory: familiar_source::memory::DEFAULT,
            max_pairs_per_class: None,
            excerpts: 0,
            alignments: false,
            explain: false,
        }
    }
}

/// Settings that do not go together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptionsError {
    #[error("no path is given: name a folder or a file, or give both --query and --against")]
    NoPath,
    #[error("--query and --against replace PATH: leave out PATH, or leave out both flags")]
    TwoForms,
    #[error("--query needs --against, and --against needs --query")]
    HalfQuery,
    #[error(
        "--in already names what is searched: leave out PATH, --query, --against and --changed-since, or leave out --in"
    )]
    InCorpus,
    #[error("--in can be given once, or twice to compare two corpora with one another")]
    ManyCorpora,
    #[error("--beside needs exactly one --in, which names the corpus to search")]
    Beside,
    #[error("--similarity {0} is out of range: give a number above 0 and at most 1")]
    Similarity(f64),
    #[error("--types {0} is unknown: give one or more of 1, 2, 3 and 4")]
    CloneType(u8),
    #[error("type 4 and --validate need an encoder: name one with --encoder")]
    NoEncoder,
    #[error("--explain says what makes Type-4 pairs alike: ask for them with --types 4")]
    ExplainType,
    #[error("--explain needs the encoder builtin or weights:FILE: {0} cannot say what makes code alike")]
    CannotExplain(String),
    #[error("--confidence {0} is out of range: give a number above 0 and below 1")]
    Confidence(f64),
    #[error("--validate={0} is out of range: give a number above 0 and below 1")]
    Validate(f64),
    #[error("--memory {} is too small: give at least {}", words::size(*.0 as u64), words::size(CloneOptions::LEAST_MEMORY as u64))]
    Memory(usize),
}

impl CloneOptions {
    /// Least memory setting: below it the tables of a small tree would not fit.
    pub const LEAST_MEMORY: usize = 64 << 20;

    /// Whether the settings go together.
    pub fn check(&self) -> Result<(), OptionsError> {
        let sides = (!self.query.is_empty(), !self.against.is_empty());
        if !self.beside.is_empty() && self.corpora.len() != 1 {
            return Err(OptionsError::Beside);
        }
        if !self.corpora.is_empty() {
            let others = !self.paths.is_empty() || sides != (false, false) || self.changed_since.is_some();
            return match self.corpora.len() {
                _ if others => Err(OptionsError::InCorpus),
                1 | 2 => self.check_values(),
                _ => Err(OptionsError::ManyCorpora),
            };
        }
        match (self.paths.is_empty(), sides) {
            (true, (false, false)) => Err(OptionsError::NoPath),
            (false, (true, _) | (_, true)) => Err(OptionsError::TwoForms),
            (true, (true, false) | (false, true)) => Err(OptionsError::HalfQuery),
            _ => self.check_values(),
        }
    }

    fn check_values(&self) -> Result<(), OptionsError> {
        if let Some(similarity) = self.similarity
            && !(similarity > 0.0 && similarity <= 1.0)
        {
            return Err(OptionsError::Similarity(similarity));
        }
        if let Some(&unknown) = self.types.iter().find(|t| !(1..=4).contains(*t)) {
            return Err(OptionsError::CloneType(unknown));
        }
        if self.wants_encoder() && self.encoder.is_none() {
            return Err(OptionsError::NoEncoder);
        }
        self.check_explain()?;
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(OptionsError::Confidence(self.confidence));
        }
        if let Some(least) = self.validate
            && !(least > 0.0 && least < 1.0)
        {
            return Err(OptionsError::Validate(least));
        }
        if self.memory < Self::LEAST_MEMORY {
            return Err(OptionsError::Memory(self.memory));
        }
        Ok(())
    }

    fn check_explain(&self) -> Result<(), OptionsError> {
        match &self.encoder {
            _ if !self.explain => Ok(()),
            Some(encoder) if self.wants_type(4) && encoder.explainer().is_none() => {
                Err(OptionsError::CannotExplain(encoder.name().to_owned()))
            }
            Some(_) if self.wants_type(4) => Ok(()),
            _ => Err(OptionsError::ExplainType),
        }
    }

    /// Bytes of the largest file that is read. While it is, they and 12 bytes for each token are held by each thread.
    pub fn max_file_bytes(&self) -> u64 {
        (familiar_source::memory::file_budget(self.memory) as u64).min(u64::from(u32::MAX) / 2)
    }

    /// The corpora that are searched, and then those beside them.
    pub fn all_corpora(&self) -> Vec<PathBuf> {
        [self.corpora.as_slice(), &self.beside].concat()
    }

    pub fn wants(&self, kind: FragmentKind) -> bool {
        self.granularity.contains(&kind)
    }

    pub(crate) fn wants_type(&self, clone_type: u8) -> bool {
        self.types.contains(&clone_type)
    }

    /// Whether anything is asked for that needs vectors.
    pub fn wants_encoder(&self) -> bool {
        self.wants_type(4) || self.validate.is_some()
    }

    /// Whether any fragments that a front end finds are asked for.
    pub(crate) fn wants_fragments(&self) -> bool {
        self.granularity.iter().any(|&kind| kind != FragmentKind::Run)
    }

    /// Whether everything is asked for that one side has of the other.
    fn asks_for_all(&self) -> bool {
        self.include_idioms || !self.judge_sides && (!self.query.is_empty() || self.corpora.len() == 2)
    }

    /// The renaming in force.
    pub fn renaming(&self) -> Renaming {
        self.renaming.unwrap_or_default()
    }

    /// How small a clone may be at least, whatever else is searched.
    pub fn limit(&self) -> Limit {
        self.min_tokens.map_or(Limit::Information(LEAST_BITS), Limit::Tokens)
    }

    /// How small a clone may be in a tree of `tokens` tokens, where it is told from idioms.
    pub(crate) fn limit_among(&self, tokens: u64) -> Limit {
        if self.counts_statements() { Limit::among(tokens) } else { self.limit() }
    }

    /// Whether a clone needs so many statements.
    pub(crate) fn counts_statements(&self) -> bool {
        !self.asks_for_all() && self.min_tokens.is_none()
    }

    /// Whether files of a tree are told by what they are for: markup needs more to be a copy, and fixtures are not read.
    /// Languages that the user names change nothing here: fewer of them would find more otherwise.
    pub(crate) fn judges_files(&self) -> bool {
        !self.asks_for_all()
    }

    /// Whether renamed runs need evidence beyond their shape: not where idioms are asked for, nor where every run of
    /// one side that stands on the other is.
    pub(crate) fn judges_runs(&self) -> bool {
        self.wants(FragmentKind::Run) && !self.asks_for_all()
    }

    /// Whether edited fragments need evidence beyond their similarity: part of the default measure's own calibration, so
    /// not with another measure or two sides. A threshold that the user names changes nothing here: a higher one would
    /// find more otherwise.
    pub(crate) fn judges_fragments(&self) -> bool {
        self.measure == Measure::Aligned && !self.asks_for_all() && self.wants_type(3)
    }

    /// Whether how common tokens and statements are matters to anything.
    pub(crate) fn judges_anything(&self) -> bool {
        self.judges_runs() || self.judges_fragments() || self.counts_statements()
    }

    /// The threshold in force.
    pub fn threshold(&self) -> f64 {
        self.similarity.unwrap_or(self.measure.default_similarity())
    }
}

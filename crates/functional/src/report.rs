//! What is asked, and what comes out.

use familiar_source::Language;
use serde::{Deserialize, Serialize};

/// One side of a pair.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Side {
    /// The language.
    pub language: Language,
    /// The text as it stands: a function, several functions, a method without a class, a class, or a program.
    pub code: String,
}

/// Two sides that may do the same.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pair {
    /// The first side. Its mutants say how much the inputs see.
    pub first: Side,
    /// The second side.
    pub second: Side,
    /// Code that calls the function of the first side, in its language, such as a test. It may be empty.
    pub samples: String,
}

/// The answer.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Both did the same on enough inputs, and these inputs see enough.
    Agrees,
    /// Both did the same, on inputs that see too little.
    WeaklyTested,
    /// They did something different.
    Differs,
    /// Nothing can be said.
    CannotRun,
}

/// Why nothing can be said.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// There is no toolchain for the language of a side.
    NoToolchain,
    /// A side is not in its language's form.
    DoesNotParse,
    /// A side is for Python 2 only.
    #[serde(rename = "python-2")]
    Python2,
    /// A side does not compile.
    DoesNotCompile,
    /// A side uses a name that it does not have.
    MissingName,
    /// A side uses a module that is not there.
    MissingModule,
    /// A side has no function that can be called, and is no program.
    NoFunction,
    /// No function of the one side takes what a function of the other side takes.
    SignaturesDiffer,
    /// A parameter has a type of which no value can be made.
    UnknownType,
    /// Every input takes too long.
    TimesOut,
    /// No input ends normally on both sides.
    NoNormalInput,
    /// A side gives something else for the same input.
    NotDeterministic,
}

/// Where both sides differ.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// In what they return.
    Value,
    /// In what becomes of the arguments.
    Arguments,
    /// In what they print.
    Output,
    /// One of them raises something, or both raise something else.
    Raised,
}

/// The smallest input that was found on which both sides differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The arguments in the common JSON form, or the text on standard input.
    pub input: serde_json::Value,
    /// What the first side did.
    pub left: String,
    /// What the second side did.
    pub right: String,
    /// In what they differ.
    pub place: Where,
}

/// How much of a side ran: between 0 and 1. It counts lines of functions in Python, and blocks in other languages.
pub type Coverage = Option<f64>;

/// How two sides compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// Why nothing can be said.
    pub cause: Option<Cause>,
    /// The side to which the cause belongs: 0 or 1.
    pub side: Option<usize>,
    /// More of the cause, in words.
    pub detail: Option<String>,
    /// How many inputs were compared.
    pub inputs: usize,
    /// On how many of them both sides ended normally.
    pub normal: usize,
    /// How many different results the first side gave among those.
    pub results: usize,
    /// How many mutants of the first side compile, of those that were tried.
    pub mutants: usize,
    /// How many of these the inputs detect.
    pub detected: usize,
    /// On how many inputs both sides differ.
    pub differing: usize,
    /// How much of each side ran.
    pub coverage: [Coverage; 2],
    /// Where the sides differ.
    pub difference: Option<Difference>,
    /// The functions that were called.
    pub entry: Option<[String; 2]>,
}

impl Report {
    /// A report that nothing can be said.
    pub(crate) fn cannot(cause: Cause, side: Option<usize>, detail: impl Into<String>) -> Self {
        let detail = Some(detail.into()).filter(|detail: &String| !detail.is_empty());
        Self {
            verdict: Verdict::CannotRun,
            cause: Some(cause),
            side,
            detail,
            inputs: 0,
            normal: 0,
            results: 0,
            mutants: 0,
            detected: 0,
            differing: 0,
            coverage: [None, None],
            difference: None,
            entry: None,
        }
    }
}

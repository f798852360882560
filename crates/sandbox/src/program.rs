//! What is run, and what comes out.

use std::fmt;

use crate::exchange::TOO_LONG;
use familiar_source::Language;
use serde::{Deserialize, Serialize};

/// The text of a program, and its language.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Program {
    /// One of those that [`Toolchain`](crate::Toolchain) knows.
    pub language: Language,
    /// The text of its one file.
    pub text: String,
}

impl Program {
    /// A program in Python.
    pub fn python(text: impl Into<String>) -> Self {
        Self { language: Language::Python, text: text.into() }
    }
}

/// What a program is asked to do.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Code in the program's language that stands behind it, and fails if something is wrong.
    Asserts {
        /// The code.
        code: String,
    },
    /// One function is called several times, one call after the other in one process.
    Calls {
        /// The name of the function.
        function: String,
        /// The arguments of each call, as expressions of the program's language.
        inputs: Vec<Vec<String>>,
    },
    /// Functions are called one after the other in one process. Each result is JSON in a form that all languages share:
    /// `{"value": …, "after": […], "printed": "…"}`, which [`exchange`](crate::exchange) describes.
    Values {
        /// The calls.
        calls: Vec<Call>,
        /// How many thousandths of a second each call may take. One that takes longer gives [`TOO_LONG`](crate::exchange::TOO_LONG), or
        /// ends the process where a language cannot end a call. After six of them the others are not made, and give the same.
        patience: u32,
        /// Whether to find out which part of the program runs. Where that is so, calls are slower.
        cover: bool,
    },
    /// The program runs by itself.
    Stdio {
        /// The bytes on its standard input.
        input: Vec<u8>,
    },
}

/// One call of [`Test::Values`].
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Call {
    /// The function: an expression of the program's language that can be called. In Java it is the name of a method, with the
    /// name of its class before it.
    pub function: String,
    /// The arguments, as expressions of the program's language.
    pub arguments: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The program and its test came to their end.
    Finished,
    /// Something was thrown that nobody caught. The name is that of its class.
    Raised(String),
    /// The program ended itself with this code, before its end.
    Exited(i32),
    /// A signal ended it.
    Killed(i32),
    /// It took too long.
    TimedOut,
    /// It wrote more than it may.
    TooMuchOutput,
    /// It put more into its scratch folder than it may.
    TooMuchOnDisk,
    /// It does not compile.
    DoesNotCompile,
}

/// What happened, as the end of a sentence about the program.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("it came to its end"),
            Self::Raised(class) => write!(f, "nobody caught its {class}"),
            Self::Exited(code) => write!(f, "it ended itself with the code {code}"),
            Self::Killed(signal) => write!(f, "the signal {signal} ended it"),
            Self::TimedOut => f.write_str("it took too long"),
            Self::TooMuchOutput => f.write_str("it wrote more than it may"),
            Self::TooMuchOnDisk => f.write_str("it wrote larger files than it may"),
            Self::DoesNotCompile => f.write_str("it does not compile"),
        }
    }
}

impl End {
    /// Whether a limit ended the run: what the program would have done is not known.
    pub fn is_over_a_limit(&self) -> bool {
        match self {
            Self::TimedOut | Self::TooMuchOutput | Self::TooMuchOnDisk => true,
            Self::Killed(signal) => matches!(*signal, SIGALRM | SIGKILL),
            Self::Raised(class) => is_over_a_limit(class),
            Self::Finished | Self::Exited(_) | Self::DoesNotCompile => false,
        }
    }
}

/// Signals by which a limit ends a process.
const SIGKILL: i32 = 9;
const SIGALRM: i32 = 14;

/// Whether something of this class is thrown where memory, the stack or the time of a call is used up.
pub fn is_over_a_limit(class: &str) -> bool {
    let name = class.rsplit('.').next().unwrap_or(class);
    let of_languages =
        ["RecursionError", "MemoryError", "StackOverflowError", "OutOfMemoryError", "bad_alloc"];
    class == TOO_LONG || of_languages.contains(&name)
}

/// What one call gave.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Called {
    /// The value, and what became of the arguments.
    Returned(String),
    /// The class of what was thrown.
    Raised(String),
}

impl Called {
    /// Whether a limit ended the call: what the function would have done is not known.
    pub fn is_over_a_limit(&self) -> bool {
        matches!(self, Self::Raised(class) if is_over_a_limit(class))
    }
}

/// What was seen of a run.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output.
    #[serde(with = "bytes")]
    pub stdout: Vec<u8>,
    /// What it wrote to standard error. It is not compared: it names lines and addresses.
    #[serde(with = "bytes")]
    pub stderr: Vec<u8>,
    /// The results of [`Test::Calls`], as far as the program came.
    pub calls: Vec<Called>,
    /// Which part of the program ran, where [`Test::Values`] asked for it and the language can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered: Option<Covered>,
}

/// Which part of a program ran.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Covered {
    /// How many places ran: lines of functions in Python, blocks in JavaScript, and places of which the program tells elsewhere.
    pub ran: u32,
    /// How many there are.
    pub all: u32,
}

impl Outcome {
    /// Whether the program and its test came to their end.
    pub fn passed(&self) -> bool {
        self.end == End::Finished
    }

    /// Whether both runs behaved alike: in output, results, exit code and class of exception.
    pub fn alike(&self, other: &Self) -> bool {
        self.end == other.end && self.stdout == other.stdout && self.calls == other.calls
    }
}

/// Bytes as text in which each letter is one byte: output is text most of the time, and so it stays legible.
pub(crate) mod bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let byte = |letter: char| {
            u8::try_from(u32::from(letter)).map_err(|_| D::Error::custom("a letter that is no byte"))
        };
        text.chars().map(byte).collect()
    }
}

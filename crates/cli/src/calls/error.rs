//! Why a call has no result.

use familiar_engine::clones::CloneError;
use familiar_engine::{DetectError, OptionsError};
use familiar_evaluate::EvaluateError;
use familiar_files::dir::WalkError;
use familiar_library::CorpusError;

use crate::notes;

/// Why a call has no result. Its text is that of the command line.
#[derive(Debug)]
pub enum CallError {
    /// The flags are not as the command takes them.
    Usage(String),
    /// A path cannot be read.
    Input(String),
    /// A corpus is not there, or not as it should be.
    Corpus(String),
    /// Everything else.
    Failed(String),
}

impl CallError {
    /// What the parser of the command line says, without how to call the command.
    pub(super) fn usage(error: &clap::Error) -> Self {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let end = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|it| text.find(it)).min();
        Self::Usage(text[..end.unwrap_or(text.len())].trim_end().to_owned())
    }
}

impl From<anyhow::Error> for CallError {
    fn from(error: anyhow::Error) -> Self {
        let message = notes::message(&error);
        for cause in error.chain() {
            if let Some(error) = cause.downcast_ref::<CloneError>() {
                return match error {
                    CloneError::Detect(DetectError::Walk(_)) => Self::Input(message),
                    CloneError::Corpus(_) => Self::Corpus(message),
                    CloneError::Detect(DetectError::Options(_)) => Self::Usage(message),
                    CloneError::Detect(_) => Self::Failed(message),
                };
            }
            if let Some(error) = cause.downcast_ref::<EvaluateError>() {
                return match error {
                    EvaluateError::Similarity(_)
                    | EvaluateError::FalsePositives(_)
                    | EvaluateError::LargeSet { .. }
                    | EvaluateError::TooManyRows { .. } => Self::Usage(message),
                    EvaluateError::Read { .. }
                    | EvaluateError::Row { .. }
                    | EvaluateError::NoPairs { .. }
                    | EvaluateError::NoPrograms { .. }
                    | EvaluateError::NoNonClones { .. }
                    | EvaluateError::NoQueries { .. } => Self::Input(message),
                    _ => Self::Failed(message),
                };
            }
            if cause.is::<OptionsError>() {
                return Self::Usage(message);
            }
            if cause.is::<WalkError>() {
                return Self::Input(message);
            }
            if cause.is::<CorpusError>() {
                return Self::Corpus(message);
            }
        }
        Self::of_text(message)
    }
}

impl CallError {
    /// What commands say without a type: a message about a flag begins with the flag, and one about a name that nothing has says so.
    fn of_text(message: String) -> Self {
        if message.starts_with("--") || message.starts_with("there is no encoder ") {
            Self::Usage(message)
        } else if message.starts_with("there is no corpus ") {
            Self::Corpus(message)
        } else {
            Self::Failed(message)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use anyhow::anyhow;

    use super::*;
    use crate::{corpora, encoders};

    #[test]
    fn what_is_no_value_and_what_is_no_corpus_are_told_apart() {
        let is_usage = |error| matches!(CallError::from(error), CallError::Usage(_));
        assert!(is_usage(encoders::check("bultin").expect_err("there is none")));
        assert!(is_usage(anyhow!("--set-jaccard 2: give a number above 0 and at most 1")));
        let nowhere = Path::new("/").join("nowhere").join("at-all");
        let missing = corpora::existing(&nowhere.to_string_lossy()).expect_err("there is none");
        assert!(matches!(CallError::from(missing), CallError::Corpus(_)));
        assert!(matches!(CallError::from(anyhow!("something else")), CallError::Failed(_)));
    }
}

//! Systems without a sandbox.

use familiar_source::Language;

use super::running::{RunOptions, Trouble};
use crate::verify::VerifyError;

/// Runs nothing.
#[derive(Debug)]
pub enum Rewriter {}

impl Rewriter {
    /// Fails: there is no sandbox here.
    pub fn new(_: RunOptions) -> Result<Self, VerifyError> {
        Err(VerifyError::System)
    }

    /// There is nothing that could be asked.
    pub fn rewritten(&self, _: &str, _: Language, _: &[u8]) -> Result<String, Trouble> {
        match *self {}
    }

    /// There is nothing that could be asked.
    pub fn rewritten_by_all(&self, _: &[&str], _: Language, _: &[&[u8]]) -> Vec<Result<String, Trouble>> {
        match *self {}
    }
}

//! The account of a design (`familiar.design/1`), and how it is written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use familiar_endpoint::Spent;
use serde::Serialize;

/// Which requests for transformations had which replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    pub requests: u64,
    /// Replies with a transformation that is new.
    pub designs: u64,
    /// Replies with one that stands already, by its name or word by word.
    pub twice: u64,
    /// Replies without a name that can be used, or without a whole description.
    pub without_design: u64,
    pub refused: u64,
    /// Answers of the server that are of no use.
    pub failed: u64,
}

/// Which requests for implementations had which replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Implementations {
    pub requests: u64,
    /// Replies with a program in Python.
    pub programs: u64,
    /// Different ones of these.
    pub different: u64,
    /// Programs that were given up, since they could not become the best ones any more.
    pub given_up: u64,
    /// Programs that would have been the best ones, but do not the same each time.
    pub unstable: u64,
    pub refused: u64,
    pub without_code: u64,
    /// Replies that end in the middle.
    pub cut: u64,
    pub not_python: u64,
    /// Answers of the server that are of no use.
    pub failed: u64,
}

/// One transformation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Designed {
    /// Its folder, and its name in recipes.
    pub name: String,
    /// Its name as the model wrote it.
    pub title: String,
    pub description: String,
    /// The request in `requests.jsonl`.
    pub request: String,
    pub implementations: Implementations,
    /// The best implementation; nothing where none is of use.
    pub best: Option<Best>,
}

/// The best implementation of a transformation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    /// The request in `requests.jsonl`.
    pub request: String,
    /// Mean of A · L over the validation programs.
    pub reward: f64,
    /// Validation programs.
    pub programs: u64,
    /// Of how many it made another program.
    pub applied: u64,
    /// How many of these pass the tests.
    pub correct: u64,
    /// Mean distance of the correct ones.
    pub distance: f64,
    /// Why other programs stayed as they are.
    pub unchanged: BTreeMap<&'static str, u64>,
    /// SHA-256 of the program.
    pub program_sha256: String,
}

/// The account of a design; the schema `familiar.design/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignResult {
    pub schema: &'static str,
    pub settings: Settings,
    pub detector: String,
    /// Validation programs.
    pub programs: u64,
    /// Whether as many transformations stand as were wanted, and all of them were run.
    pub is_complete: bool,
    pub asked: Asked,
    pub spent: Spent,
    pub designs: Vec<Designed>,
}

/// What decides which requests are made. A project has one of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    pub model: String,
    pub seed: u64,
    pub examples: usize,
    pub design_temperature: f64,
    pub temperature: f64,
    pub max_tokens: u64,
    /// SHA-256 of the programs that may be examples.
    pub examples_sha256: String,
}

impl DesignResult {
    pub const SCHEMA: &'static str = "familiar.design/1";

    /// Writes it as JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "model       {}", self.settings.model)?;
        writeln!(out, "detector    {} over {} programs", self.detector, self.programs)?;
        let Asked { requests, designs, twice, without_design, refused, failed } = self.asked;
        writeln!(
            out,
            "asked       {requests} times for a transformation: {designs} new, {twice} known, {without_design} without one, \
             {refused} refused, {failed} failed"
        )?;
        let tokens = self.spent.tokens;
        let about = if tokens.estimated { "about " } else { "" };
        let cost = self.spent.cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
        writeln!(out, "spent       {about}{} tokens in, {} out{cost}", tokens.input, tokens.output)?;
        let header = ("transformation", "reward", "applied", "correct", "distance", "programs of replies");
        writeln!(
            out,
            "\n{:44} {:>7} {:>8} {:>8} {:>9}  {}",
            header.0, header.1, header.2, header.3, header.4, header.5
        )?;
        for one in &self.designs {
            let of = format!("{} of {}", one.implementations.programs, one.implementations.requests);
            match &one.best {
                Some(best) => writeln!(
                    out,
                    "{:44} {:>7.3} {:>8} {:>8} {:>9.3}  {of}",
                    one.name, best.reward, best.applied, best.correct, best.distance
                )?,
                None => writeln!(out, "{:44} {:>7} {:>8} {:>8} {:>9}  {of}", one.name, "none", "", "", "")?,
            }
        }
        Ok(())
    }
}

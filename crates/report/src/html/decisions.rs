//! What was decided, for the page to begin with.

use std::io;

use familiar_review::{Decision, Decisions};

use super::safe::to_json;
use super::sink::Sink;

/// Puts what holds; a report without decisions has none of the chunk.
pub(crate) fn put(decisions: &Decisions, sink: &mut dyn Sink) -> io::Result<()> {
    let standing: Vec<&Decision> = decisions.standing().collect();
    if standing.is_empty() { Ok(()) } else { sink.put("decisions", &to_json(&standing)?) }
}

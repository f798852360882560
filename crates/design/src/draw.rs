//! Which programs serve as examples, and which ones implementations are run over.

use familiar_engine::verify::{Subject, Verified, Verifier};
use familiar_evaluate::{Solution, solutions};
use familiar_source::Language;
use familiar_transform::Program;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::DesignError;
use crate::options::DesignOptions;

/// One problem in so many gives examples; the others give validation programs.
const EXAMPLES_ONE_OF: usize = 5;
/// A request has five examples, and all of them should fit.
const MOST_EXAMPLE_BYTES: usize = 4_000;

/// The programs of a run.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// As texts.
    pub(crate) examples: Vec<String>,
    /// Each passes its own test.
    pub(crate) programs: Vec<Solution>,
}

/// Draws programs. Problems are put in an order by a hash of their number in the file and the seed. A fifth of them, the first ones,
/// give examples. Of the others the first ones whose program passes its own test are validation programs. A problem gives one program, the
/// first one in Python. So the two have no problem in common.
pub(crate) fn draw(options: &DesignOptions, verifier: &Verifier) -> Result<Drawn, DesignError> {
    let (mut rows, skipped) = solutions(&options.data, &options.selection)?;
    let reason = skipped.first().map(|row| format!(" (row {}: {})", row.row, row.reason)).unwrap_or_default();
    let too_few = |what, found, wanted| DesignError::TooFew {
        path: options.data.clone(),
        what,
        found,
        wanted,
        reason: reason.clone(),
    };
    rows.retain(|row| row.language == Language::Python && is_program(row, options.memory));
    // Rows of one problem stand anywhere in a file; the first one counts.
    rows.sort_by_key(|row| (row.group, row.row));
    rows.dedup_by_key(|row| row.group);
    rows.sort_by_key(|row| (xxh3_64_with_seed(&row.group.to_le_bytes(), options.seed), row.group));
    let count = rows.len().div_ceil(EXAMPLES_ONE_OF).max(options.examples);
    if rows.len() <= count {
        return Err(too_few("", rows.len(), count + 1));
    }
    let for_validation = rows.split_off(count);
    rows.retain(|row| row.text.len() <= MOST_EXAMPLE_BYTES);
    let examples: Vec<String> = rows.into_iter().filter_map(|row| String::from_utf8(row.text).ok()).collect();
    if examples.len() < options.examples {
        return Err(too_few("that are short enough to be examples", examples.len(), options.examples));
    }
    let programs: Vec<Solution> =
        for_validation.into_iter().filter(|row| passes(row, verifier)).take(options.programs).collect();
    if programs.is_empty() {
        return Err(too_few("that pass a test of their own", 0, 1));
    }
    Ok(Drawn { examples, programs })
}

fn is_program(row: &Solution, memory: usize) -> bool {
    Program::parse(Language::Python, &row.text, memory).is_ok()
}

/// Whether the row has tests, and its own program passes them.
fn passes(row: &Solution, verifier: &Verifier) -> bool {
    let has_tests = row.tests.as_ref().is_some_and(|it| it.asserts.is_some() || !it.inputs.is_empty());
    let subject = Subject { language: row.language, code: &row.text, tests: row.tests.as_deref() };
    has_tests
        && verifier
            .verify(&subject, &[&row.text])
            .iter()
            .all(|verdict| matches!(verdict.verified, Verified::Passed | Verified::Agreed))
}

impl Drawn {
    /// The examples of a request, which differ from request to request.
    pub(crate) fn examples_of(&self, request: u64, count: usize, seed: u64) -> Vec<&str> {
        let mut order: Vec<&String> = self.examples.iter().collect();
        order.sort_by_key(|text| {
            xxh3_64_with_seed(text.as_bytes(), seed ^ request.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        });
        order.into_iter().take(count).map(String::as_str).collect()
    }
}

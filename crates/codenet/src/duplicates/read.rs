//! Samples to bags of tokens.

use crate::skipped::Skipped;
use familiar_source::{Progress, memory};
use familiar_syntax::Limits;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::bags::Bags;
use super::vocabulary::Vocabulary;
use super::{DuplicatesError, DuplicatesOptions};
use crate::data::Data;
use crate::sample::Sample;
use crate::tokens::Tokenizer;

/// What was read.
#[derive(Default)]
pub(super) struct Read {
    pub(super) ids: Vec<String>,
    pub(super) rows: Vec<u64>,
    pub(super) problems: Vec<u32>,
    pub(super) problem_names: Vec<String>,
    pub(super) bag_of: Vec<u32>,
    pub(super) bags: Bags,
    pub(super) vocabulary: Vocabulary,
    pub(super) skipped: Vec<Skipped>,
}

impl Read {
    pub(super) fn bytes(&self) -> usize {
        // An id has about 24 bytes beside its place.
        self.ids.len() * (size_of::<String>() + 24 + 16) + self.bags.bytes() + self.vocabulary.bytes()
    }
}

/// A sample with its different tokens: where each stands first, and how often it occurs.
struct Counted {
    sample: Sample,
    tokens: Vec<(std::ops::Range<usize>, u32)>,
}

/// Reads all samples of the data.
pub(super) fn read(options: &DuplicatesOptions, progress: &dyn Progress) -> Result<Read, DuplicatesError> {
    progress.stage("reading", 0);
    let mut read = Read::default();
    let mut problems = FxHashMap::default();
    let mut numbers = Vec::new();
    let most = memory::budget(options.memory);
    let mut row = 0;
    let limits = Limits::of_memory(options.memory);
    for path in &options.data {
        let mut data = Data::open(path, false)?;
        loop {
            let rows = data.batch(memory::batch_budget(options.memory))?;
            if rows.is_empty() {
                break;
            }
            let counted: Vec<_> = rows
                .into_par_iter()
                .map_init(
                    || Tokenizer::new(limits),
                    |tokenizer, row| {
                        let name = row.name();
                        counted(row.sample(), tokenizer, options.strings).map_err(|reason| Skipped { path: name, reason })
                    },
                )
                .collect();
            progress.advance(counted.len() as u64);
            for counted in counted {
                row += 1;
                let Counted { sample, tokens } = match counted {
                    Ok(counted) => counted,
                    Err(skip) => {
                        read.skipped.push(skip);
                        continue;
                    }
                };
                numbers.clear();
                let text = sample.code.as_bytes();
                numbers.extend(
                    tokens.into_iter().map(|(token, count)| (read.vocabulary.number(&text[token]), count)),
                );
                numbers.sort_unstable();
                read.bag_of.push(read.bags.number(&numbers));
                let next = problems.len() as u32;
                let problem = *problems.entry(sample.problem).or_insert_with_key(|name: &String| {
                    read.problem_names.push(name.clone());
                    next
                });
                read.problems.push(problem);
                read.ids.push(sample.id);
                read.rows.push(row - 1);
            }
            // What is compared needs the rest.
            if read.bytes() > most / 4 * 3 {
                return Err(DuplicatesError::Memory(read.ids.len()));
            }
        }
    }
    Ok(read)
}

fn counted(
    sample: Result<Sample, crate::table::RowError>,
    tokenizer: &mut Tokenizer,
    strings: bool,
) -> Result<Counted, String> {
    let sample = sample.map_err(|error| error.to_string())?;
    let Some(language) = sample.language else {
        return Err(match sample.language_name.as_str() {
            "" => "it says no language".to_owned(),
            name => format!("the language {name} is not known"),
        });
    };
    let code = sample.code.as_bytes();
    let mut counts: FxHashMap<&[u8], (usize, u32)> = FxHashMap::default();
    for token in tokenizer.tokens(language, code, strings) {
        counts.entry(&code[token.clone()]).or_insert((token.start, 0)).1 += 1;
    }
    let mut tokens: Vec<_> =
        counts.into_iter().map(|(text, (start, count))| (start..start + text.len(), count)).collect();
    // The order of first appearance, so that numbers do not depend on the table.
    tokens.sort_unstable_by_key(|(token, _)| token.start);
    Ok(Counted { sample, tokens })
}

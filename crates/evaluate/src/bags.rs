//! The Type-3 engine on given token bags.

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use familiar_corpus::row::Written;
use familiar_engine::bags;
use rayon::prelude::*;
use serde::Deserialize;

use crate::json_lines::JsonLines;
use crate::{EvaluateError, pool};

/// Most tokens of one bag: each stands for itself in memory.
const MOST_TOKENS: u64 = 50_000_000;

/// The settings of `familiar evaluate bags`.
#[derive(Clone, Debug)]
pub struct BagsOptions {
    /// JSON lines of bags, plain or `.zst`: `id`, and `bag`, from tokens to counts.
    pub bags: PathBuf,
    /// Least share of the larger bag's tokens that two bags have in common.
    pub similarity: f64,
    /// Bytes that the search may use besides the bags.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}

/// Writes every pair of bags with enough in common as CSV `left,right,overlap,larger`, sorted, and returns their number.
///
/// A bag's own tokens count, whatever their number. `left` is the id that sorts first.
pub fn run(options: &BagsOptions, out: &mut dyn Write) -> Result<u64, EvaluateError> {
    if !(options.similarity > 0.0 && options.similarity <= 1.0) {
        return Err(EvaluateError::Similarity(options.similarity));
    }
    let (ids, bags) = read(options)?;
    let find = || bags::overlaps(&bags, options.similarity, options.memory);
    let overlaps = pool(options.threads)?.install(find)?;
    let mut rows: Vec<(&str, &str, u32, u32)> = overlaps
        .iter()
        .map(|overlap| {
            let (left, right) = (&*ids[overlap.left as usize], &*ids[overlap.right as usize]);
            (left.min(right), left.max(right), overlap.overlap, overlap.larger)
        })
        .collect();
    rows.sort_unstable();
    let mut out = BufWriter::new(out);
    writeln!(out, "left,right,overlap,larger")?;
    for (left, right, overlap, larger) in &rows {
        writeln!(out, "{},{},{overlap},{larger}", field(left), field(right))?;
    }
    out.flush()?;
    Ok(rows.len() as u64)
}

/// An id as CSV.
fn field(id: &str) -> std::borrow::Cow<'_, str> {
    if id.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", id.replace('"', "\"\"")).into()
    } else {
        id.into()
    }
}

#[derive(Deserialize)]
struct Row {
    id: Written,
    bag: HashMap<String, u32>,
}

fn read(options: &BagsOptions) -> Result<(Vec<String>, Vec<Vec<u32>>), EvaluateError> {
    let mut lines = JsonLines::open(&options.bags)?;
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let (mut ids, mut bags) = (Vec::new(), Vec::new());
    loop {
        let batch = lines.batch(4096)?;
        if batch.is_empty() {
            return Ok((ids, bags));
        }
        let rows: Vec<_> = batch.par_iter().map(|(_, line)| serde_json::from_slice::<Row>(line)).collect();
        for (row, (line, _)) in rows.into_iter().zip(&batch) {
            let bad = |error: serde_json::Error| EvaluateError::Row {
                path: options.bags.clone(),
                line: *line,
                reason: error.to_string(),
            };
            let row = row.map_err(bad)?;
            let Some(id) = row.id.0 else {
                return Err(bad(serde::de::Error::custom("the id is neither a text nor a number")));
            };
            ids.push(id);
            let tokens: u64 = row.bag.values().map(|&count| u64::from(count)).sum();
            if tokens > MOST_TOKENS {
                let reason = format!("a bag of {tokens} tokens; at most {MOST_TOKENS} are taken");
                return Err(EvaluateError::Row { path: options.bags.clone(), line: *line, reason });
            }
            bags.push(expanded(row.bag, &mut numbers));
        }
    }
}

/// A bag as the numbers of its tokens, each as often as it occurs, ascending.
fn expanded(bag: HashMap<String, u32>, numbers: &mut HashMap<String, u32>) -> Vec<u32> {
    let mut tokens = Vec::with_capacity(bag.values().map(|&count| count as usize).sum());
    let mut entries: Vec<(String, u32)> = bag.into_iter().collect();
    entries.sort_unstable();
    for (token, count) in entries {
        let next = numbers.len() as u32;
        let number = *numbers.entry(token).or_insert(next);
        tokens.extend(std::iter::repeat_n(number, count as usize));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bag_of_more_tokens_than_memory_holds_is_an_error() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bags.jsonl");
        std::fs::write(
            &path,
            "{\"id\": 1, \"bag\": {\"x\": 2}}\n{\"id\": 2, \"bag\": {\"x\": 4294967295}}\n",
        )?;
        let options = BagsOptions { bags: path, similarity: 0.5, memory: 1 << 26, threads: 1 };
        let error = run(&options, &mut Vec::new()).err().ok_or("it is taken")?.to_string();
        assert!(error.contains("a bag of 4294967295 tokens"), "{error}");
        Ok(())
    }
}

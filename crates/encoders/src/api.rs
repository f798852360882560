//! Vectors of a server that speaks OpenAI's protocol: `POST URL/embeddings`.

use std::fmt;
use std::ops::Range;
use std::sync::{Condvar, Mutex, PoisonError};

use familiar_endpoint::{Address, AddressError, Client, ClientError, Connection, Service};
use familiar_model::{Code, EncodeError, Encoder, Vectors};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Bytes of a text that are sent; what follows is left out. About 8,000 tokens, which is what servers commonly take.
const TEXT_BYTES: usize = 24_000;

/// Most texts of a request.
const BATCH_TEXTS: usize = 64;

/// Most bytes of the texts of a request, beyond the first: below 300,000 tokens, which is what servers commonly take.
const BATCH_BYTES: usize = 512 << 10;

/// Most requests at a time; no more than the caller has threads.
const AT_ONCE: usize = 4;

/// A model behind a server of embeddings.
pub struct Api {
    name: String,
    model: Option<String>,
    client: Client,
    dimensions: usize,
    gate: Gate,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Api").field(&self.name).finish()
    }
}

impl Api {
    /// The model that `address`, which is `URL` or `URL#MODEL`, stands for. The server is asked for one vector, which tells how
    /// long its vectors are; fails where that does, and says what to do.
    pub fn open(address: &str, connection: &Connection) -> Result<Self, EncodeError> {
        let wrong = |error: AddressError| EncodeError::Failed {
            encoder: "api".to_owned(),
            reason: format!("{error}; {}", Service::EMBEDDINGS.advice()),
        };
        let address = Address::parse(address, &Service::EMBEDDINGS).map_err(wrong)?;
        let name = address.name();
        let failed =
            |error: ClientError| EncodeError::Failed { encoder: name.clone(), reason: error.to_string() };
        let client = Client::new(&address, Service::EMBEDDINGS, connection).map_err(failed)?;
        let model = address.model().map(str::to_owned);
        let mut api = Self { name: name.clone(), model, client, dimensions: 0, gate: Gate::default() };
        let probe = api.ask(&["x"])?;
        api.dimensions = probe.len();
        if probe.is_empty() {
            return Err(api.failed("it gives empty vectors; is the model made for embeddings?"));
        }
        Ok(api)
    }

    /// The vectors of `texts`, one after another.
    fn ask(&self, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        let question = Question { model: self.model.as_deref(), input: texts, encoding_format: "float" };
        let question = serde_json::to_vec(&question).map_err(|error| self.failed(error.to_string()))?;
        let answer = {
            let _pass = self.gate.enter();
            self.client.post(&question).map_err(|error| self.failed(error.reason))?
        };
        let excerpt = || self.client.start_of(&answer);
        let parsed = serde_json::from_slice(&answer).map_err(|error: serde_json::Error| {
            let what = if error.is_data() { "no embeddings" } else { "no JSON" };
            self.failed(format!(
                "its answer holds {what} ({error}): {}; does the URL end before /embeddings?",
                excerpt()
            ))
        });
        self.rows(parsed?, texts.len()).map_err(|reason| self.failed(reason))
    }

    /// The numbers of an answer in the order of the texts.
    fn rows(&self, answer: Answer, texts: usize) -> Result<Vec<f32>, String> {
        let mut rows = answer.data;
        if rows.len() != texts {
            return Err(format!(
                "it gives {} vectors for {texts} texts; is its model one for embeddings?",
                rows.len()
            ));
        }
        // Servers that number nothing answer in order.
        if rows.iter().any(|row| row.index.is_some()) {
            rows.sort_by_key(|row| row.index);
            if rows.iter().enumerate().any(|(at, row)| row.index != Some(at)) {
                return Err(format!(
                    "it does not number the vectors of {texts} texts from 0 to {}",
                    texts - 1
                ));
            }
        }
        let dimensions = if self.dimensions > 0 { self.dimensions } else { rows[0].embedding.len() };
        let mut values = Vec::with_capacity(texts * dimensions);
        for row in rows {
            if row.embedding.len() != dimensions {
                return Err(format!(
                    "it gives a vector of {} numbers after one of {dimensions}; do all requests reach one model?",
                    row.embedding.len()
                ));
            }
            // Numbers that JSON cannot say are null.
            let finite =
                row.embedding.into_iter().map(|value| Some(value? as f32).filter(|value| value.is_finite()));
            let finite: Option<Vec<f32>> = finite.collect();
            values.extend(
                finite.ok_or("it gives numbers that are not finite; does its model run as it should?")?,
            );
        }
        Ok(values)
    }

    fn failed(&self, reason: impl Into<String>) -> EncodeError {
        EncodeError::Failed { encoder: self.name.clone(), reason: reason.into() }
    }
}

impl Encoder for Api {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Equal texts are sent once, those without anything but blanks not at all, and of long ones the first `TEXT_BYTES`.
    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let texts: Vec<String> = codes.iter().map(|code| start_of(code.text)).collect();
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        let mut distinct: Vec<&str> = Vec::new();
        let mut number = |text| {
            *numbers.entry(text).or_insert_with(|| {
                distinct.push(text);
                distinct.len() - 1
            })
        };
        let is_blank = |text: &str| text.trim().is_empty();
        let rows: Vec<Option<usize>> =
            texts.iter().map(|text| (!is_blank(text)).then(|| number(text))).collect();
        let batches = batches(&distinct);
        let answers = batches.into_par_iter().map(|batch| self.ask(&distinct[batch]));
        let answers: Vec<Vec<f32>> = answers.collect::<Result<_, _>>()?;
        let vectors = answers.concat();
        let mut values = vec![0.0; codes.len() * self.dimensions];
        for (value, row) in values.chunks_exact_mut(self.dimensions).zip(rows) {
            if let Some(row) = row {
                value.copy_from_slice(&vectors[row * self.dimensions..][..self.dimensions]);
            }
        }
        Ok(Vectors::normalized(self.dimensions, values))
    }
}

/// As much of a text as is sent, without bytes that are no UTF-8.
fn start_of(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(&text[..text.len().min(TEXT_BYTES + 4)]).into_owned();
    let end = (0..=TEXT_BYTES.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or_default());
    text
}

/// Which texts are sent together.
fn batches(texts: &[&str]) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut bytes = 0;
    for (at, text) in texts.iter().enumerate() {
        bytes += text.len();
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_TEXTS && bytes <= BATCH_BYTES => batch.end = at + 1,
            _ => {
                batches.push(at..at + 1);
                bytes = text.len();
            }
        }
    }
    batches
}

#[derive(Serialize)]
struct Question<'q> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'q str>,
    input: &'q [&'q str],
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: Option<usize>,
    embedding: Vec<Option<f64>>,
}

/// Lets [`AT_ONCE`] in at a time.
#[derive(Default)]
struct Gate {
    inside: Mutex<usize>,
    left: Condvar,
}

/// Leaves the gate when dropped.
struct Pass<'g>(&'g Gate);

impl Gate {
    fn enter(&self) -> Pass<'_> {
        let inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let mut inside =
            self.left.wait_while(inside, |inside| *inside >= AT_ONCE).unwrap_or_else(PoisonError::into_inner);
        *inside += 1;
        Pass(self)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        *self.0.inside.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(start_of("é".repeat(TEXT_BYTES).as_bytes()).len(), TEXT_BYTES);
        assert_eq!(start_of(format!("a{}", "é".repeat(TEXT_BYTES)).as_bytes()).len(), TEXT_BYTES - 1);
        assert_eq!(start_of(b"a\xffb"), "a\u{fffd}b");
        assert!(start_of(&vec![0xff; TEXT_BYTES * 2]).len() <= TEXT_BYTES);
    }

    #[test]
    fn batches_are_bounded_by_texts_and_bytes() {
        let short = vec!["a"; BATCH_TEXTS + 1];
        assert_eq!(batches(&short), [0..BATCH_TEXTS, BATCH_TEXTS..BATCH_TEXTS + 1]);
        let long = "a".repeat(BATCH_BYTES / 2);
        assert_eq!(batches(&[&long, &long, "a", &long]), [0..2, 2..4]);
        assert!(batches(&[]).is_empty());
    }
}

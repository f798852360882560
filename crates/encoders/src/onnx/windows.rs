//! Text to the numbers of its tokens, in windows that are no longer than the model reads.

use std::path::Path;

use tokenizers::{Encoding, PostProcessor, Tokenizer, TruncationDirection};

use super::error::OnnxError;
use super::files::Config;

/// Tokens that a model reads, where neither its tokenizer nor its configuration says.
const CONTEXT: usize = 512;

/// Most tokens of a window: what attention takes grows with their square.
const LONGEST: usize = 2048;

/// A model's tokenizer.
#[derive(Debug)]
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    /// Most tokens of a text in a window, beside those that the tokenizer adds.
    room: usize,
    pub(super) padding: i64,
    /// Position of the first token.
    pub(super) first_position: i64,
}

/// A text or a part of one, as its model reads it.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) ids: Vec<i64>,
    pub(super) types: Vec<i64>,
}

impl Tokens {
    pub(super) fn open(path: &Path, config: &Config) -> Result<Self, OnnxError> {
        let unusable = |error: tokenizers::Error| {
            OnnxError::unusable(path, format!("the tokenizer cannot be read: {error}"))
        };
        let mut tokenizer = Tokenizer::from_file(path).map_err(unusable)?;
        let known = |token| tokenizer.token_to_id(token);
        let padding = tokenizer.get_padding().map(|padding| padding.pad_id);
        let padding = padding.or_else(|| known("<pad>")).or_else(|| known("[PAD]")).map(i64::from);
        let padding = padding.or(config.pad_token_id).unwrap_or(0);
        let first_position = if config.counts_after_padding() { padding + 1 } else { 0 };
        let positions =
            config.max_position_embeddings.map(|most| most.saturating_sub(first_position as usize));
        let truncation = tokenizer.get_truncation().map(|truncation| truncation.max_length);
        let context = [positions, truncation].into_iter().flatten().min().unwrap_or(CONTEXT).min(LONGEST);
        let added = tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(false));
        if context <= added {
            let reason = format!("it has no room for text: {context} tokens, of which {added} are its own");
            return Err(OnnxError::unusable(path, reason));
        }
        tokenizer.with_truncation(None).map_err(unusable)?;
        tokenizer.with_padding(None);
        Ok(Self { tokenizer, room: context - added, padding, first_position })
    }

    /// The windows of a text, of which bytes that are no UTF-8 are replaced; none where it has no tokens.
    pub(super) fn windows(&self, text: &[u8]) -> Result<Vec<Window>, String> {
        let text = String::from_utf8_lossy(text);
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let failed = |error: tokenizers::Error| format!("the tokenizer fails: {error}");
        let mut first = self.tokenizer.encode_fast(text.as_ref(), false).map_err(failed)?;
        if first.is_empty() {
            return Ok(Vec::new());
        }
        first.truncate(self.room, 0, TruncationDirection::Right);
        let others = first.take_overflowing();
        std::iter::once(first).chain(others).map(|part| self.window(part).map_err(failed)).collect()
    }

    /// A part of a text with the tokens that the tokenizer adds to each.
    fn window(&self, part: Encoding) -> tokenizers::Result<Window> {
        let part = self.tokenizer.post_process(part, None, true)?;
        let numbers = |numbers: &[u32]| numbers.iter().copied().map(i64::from).collect();
        Ok(Window { ids: numbers(part.get_ids()), types: numbers(part.get_type_ids()) })
    }
}

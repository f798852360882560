//! What texts gave that were parsed lately: whoever reads one once more need not parse it again.

use std::sync::{Arc, Mutex, PoisonError};

use familiar_source::{Fragment, Language, Token};
use familiar_syntax::{Parsed, Parser, Want};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

/// Memory that all of them take, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The tokens and fragments of one text.
#[derive(Debug)]
pub(crate) struct Parse {
    pub(crate) tokens: Box<[Token]>,
    /// Empty where nobody wanted fragments.
    pub(crate) fragments: Box<[Fragment]>,
    has_fragments: bool,
}

impl Parse {
    /// What a parser found that was asked for that.
    pub(crate) fn of(parsed: &Parsed<'_>, want: Want) -> Self {
        let (tokens, fragments) = (parsed.tokens.into(), parsed.fragments.into());
        Self { tokens, fragments, has_fragments: want.fragments }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.tokens) + size_of_val(&*self.fragments)
    }
}

/// What the texts gave that were parsed last.
#[derive(Debug, Default)]
pub(crate) struct Parses(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// With the time of its last use.
    parses: FxHashMap<Key, (u64, Arc<Parse>)>,
    time: u64,
    bytes: usize,
}

/// A text is known by its hash, as everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    text: u128,
    language: Language,
}

impl Parses {
    /// What a text holds: parsed now, unless it was lately. `want` says whether fragments are needed.
    pub(crate) fn get(&self, parser: &mut Parser, language: Language, text: &[u8], want: Want) -> Arc<Parse> {
        let key = Key { text: xxh3_128(text), language };
        if let Some(parse) = self.known(key).filter(|parse| parse.has_fragments || !want.fragments) {
            return parse;
        }
        let parse = Arc::new(Parse::of(&parser.parse(language, text, want), want));
        self.add(key, parse.clone());
        parse
    }

    /// Keeps what a parser found in a text.
    pub(crate) fn keep(&self, language: Language, text: &[u8], parsed: &Parsed<'_>, want: Want) {
        self.add(Key { text: xxh3_128(text), language }, Arc::new(Parse::of(parsed, want)));
    }

    fn known(&self, key: Key) -> Option<Arc<Parse>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.time += 1;
        let now = kept.time;
        let (used, parse) = kept.parses.get_mut(&key)?;
        *used = now;
        Some(parse.clone())
    }

    fn add(&self, key: Key, parse: Arc<Parse>) {
        if parse.bytes() > MOST_BYTES {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.time += 1;
        let now = kept.time;
        kept.bytes += parse.bytes();
        if let Some((_, before)) = kept.parses.insert(key, (now, parse)) {
            kept.bytes -= before.bytes();
        }
        while kept.bytes > MOST_BYTES && kept.forget_oldest() {}
    }
}

impl Kept {
    /// Forgets what was used longest ago; false where there is nothing.
    fn forget_oldest(&mut self) -> bool {
        let Some((&key, _)) = self.parses.iter().min_by_key(|(_, (used, _))| *used) else { return false };
        if let Some((_, parse)) = self.parses.remove(&key) {
            self.bytes -= parse.bytes();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use familiar_syntax::Limits;

    use super::*;

    #[test]
    fn a_text_is_parsed_once_and_again_where_fragments_are_wanted_that_were_not() {
        let (parses, mut parser) = (Parses::default(), Parser::within(Limits::default()));
        let mut get = |text: &str, fragments: bool| {
            let want = Want { fragments, line_starts: false };
            parses.get(&mut parser, Language::Python, text.as_bytes(), want)
        };
        let code = "def total(prices):\n    return sum(prices)\n";
        let plain = get(code, false);
        assert!(Arc::ptr_eq(&plain, &get(code, false)) && plain.fragments.is_empty());
        let whole = get(code, true);
        assert!(!whole.fragments.is_empty() && whole.tokens == plain.tokens);
        assert!(Arc::ptr_eq(&whole, &get(code, false)) && Arc::ptr_eq(&whole, &get(code, true)));
        assert!(!Arc::ptr_eq(&whole, &get("x = 1\n", true)));
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_first() {
        let parses = Parses::default();
        let key = |text: u128| Key { text, language: Language::Python };
        let large = || {
            let token = Token {
                start: 0,
                end: 1,
                class: familiar_source::TokenClass::Operator,
                kind: 0,
                starts_line: false,
                hidden: false,
            };
            let tokens = vec![token; MOST_BYTES / 3 / size_of::<Token>()].into();
            Arc::new(Parse { tokens, fragments: Box::default(), has_fragments: true })
        };
        parses.add(key(1), large());
        parses.add(key(2), large());
        assert!(parses.known(key(1)).is_some());
        parses.add(key(3), large());
        assert!(parses.known(key(2)).is_none() && parses.known(key(1)).is_some());
        assert!(parses.known(key(3)).is_some());
        assert!(parses.0.lock().expect("no panic").bytes <= MOST_BYTES);
    }
}

//! Code as the model reads it.

use familiar_source::{Language, Token, TokenClass};
use rustc_hash::FxHashMap;

use super::structure::{Place, Structure};
use super::{pieces, words};

/// The greatest depth that is told apart.
pub const DEPTHS: usize = 16;

/// Code as the model reads it: one entry for each token that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// What the token is, below [`PIECES`](super::PIECES).
    pub pieces: Vec<u16>,
    /// How deep it is nested in blocks, from the shallowest token on, below [`DEPTHS`].
    pub depths: Vec<u8>,
    /// The statement it belongs to: 0, 1, … in order, without gaps.
    pub statements: Vec<u16>,
    /// For a name its number in the order of first appearance, from 1; else 0.
    pub names: Vec<u16>,
    /// Where the token's words end in `words`; they start where those of the token before end.
    pub word_ends: Vec<u32>,
    /// Words of names and literals, below [`WORDS`](super::WORDS).
    pub words: Vec<u16>,
    /// Runs of four letters of names and literals, in no order.
    pub runs: Vec<u32>,
}

impl Sequence {
    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The words of the token at `at`.
    pub fn words_of(&self, at: usize) -> &[u16] {
        let start = if at == 0 { 0 } else { self.word_ends[at - 1] };
        &self.words[start as usize..self.word_ends[at] as usize]
    }

    /// Number of statements.
    pub fn statement_count(&self) -> usize {
        self.statements.last().map_or(0, |&last| usize::from(last) + 1)
    }

    /// Number of statements within blocks: what a function does, without its head.
    pub fn body_statements(&self) -> usize {
        let within = self.statements.iter().zip(&self.depths).filter(|(_, depth)| **depth > 0);
        let mut statements: Vec<u16> = within.map(|(&statement, _)| statement).collect();
        statements.dedup();
        statements.len()
    }

    /// Reads the `tokens` of `text`: a whole file's or a fragment's.
    pub fn new(language: Language, text: &[u8], tokens: &[Token]) -> Self {
        Self::at(&Structure::of(language, text, tokens), text, tokens)
    }

    /// Reads the `tokens` of `text` that stand at `places`.
    pub(super) fn at(places: &[Place], text: &[u8], tokens: &[Token]) -> Self {
        let mut sequence = Self::default();
        let least = places.iter().map(|place| place.depth).min().unwrap_or(0);
        let mut names = Names::default();
        let mut statement = None;
        for (at, place) in places.iter().enumerate() {
            if let (Some(last), true) = (statement, at == 0 || place.statement != places[at - 1].statement) {
                // Beyond 65,535 statements all are one: that is far out of any model's sight.
                statement = Some(if last == u16::MAX { last } else { last + 1 });
            }
            let statement = *statement.get_or_insert(0);
            sequence.push(text, tokens, *place, statement, &mut names);
            sequence.depths.push((place.depth - least).min(DEPTHS as u32 - 1) as u8);
        }
        sequence.tell_uses(&names);
        sequence
    }

    fn push(&mut self, text: &[u8], tokens: &[Token], place: Place, statement: u16, names: &mut Names) {
        let token = &tokens[place.token];
        let spelled = token.text(text);
        let mut number = 0;
        let piece = match token.class {
            TokenClass::Identifier => {
                number = names.number(spelled);
                words::of_name(spelled, &mut self.words);
                words::runs_of_name(spelled, &mut self.runs);
                pieces::of_name(text, tokens, place.token)
            }
            TokenClass::Number => pieces::of_number(spelled),
            TokenClass::String | TokenClass::Char => pieces::one_character(spelled).unwrap_or_else(|| {
                words::of_string(spelled, &mut self.words);
                words::runs_of_string(spelled, &mut self.runs);
                pieces::STRING
            }),
            _ => pieces::of_symbol(spelled),
        };
        self.pieces.push(piece);
        self.names.push(number);
        self.word_ends.push(self.words.len() as u32);
        self.statements.push(statement);
    }

    /// Puts into each name's piece how often the name is used.
    fn tell_uses(&mut self, names: &Names) {
        for (piece, &number) in self.pieces.iter_mut().zip(&self.names) {
            if let Some(&uses) = usize::from(number).checked_sub(1).and_then(|at| names.uses.get(at)) {
                *piece += pieces::uses(uses);
            }
        }
    }
}

/// Numbers of names in the order of first appearance, and how often each is used.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<u64, u16>,
    uses: Vec<u32>,
}

impl Names {
    fn number(&mut self, name: &[u8]) -> u16 {
        // Names beyond what a number can say share the last one.
        let next = (self.uses.len() + 1).min(usize::from(u16::MAX)) as u16;
        let number = *self.numbers.entry(xxhash_rust::xxh3::xxh3_64(name)).or_insert(next);
        if usize::from(number) > self.uses.len() {
            self.uses.push(0);
        }
        self.uses[usize::from(number) - 1] += 1;
        number
    }
}

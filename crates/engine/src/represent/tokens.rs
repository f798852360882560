//! Tokens, in each format.

use std::fs::File;
use std::io;

use familiar_represent::tokens::{Tokenizer, Tokens, csv, json, table};
use familiar_source::memory;
use familiar_syntax::Limits;

use super::{Form, Programs, Rows, Table};

pub use familiar_represent::tokens::Extras;

/// An empty table of tokens in an empty file.
pub fn table(file: File) -> io::Result<Table> {
    Table::new(file, table::SCHEMA)
}

/// Bytes that a token takes in a text format, beside its own.
const TEXT_OF_A_TOKEN: usize = 64;

/// A text format of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFormat {
    /// One program is an array of tokens, and one of many an object on a line.
    Json,
    /// Of one program a token on a line, of many a program.
    Jsonl,
    Csv,
}

/// Tokens as text.
#[derive(Clone, Copy, Debug)]
pub struct TokenText {
    pub format: TokenFormat,
    pub extras: Extras,
    /// Whether there is one program, whose name need not be told.
    pub is_one: bool,
    /// In bytes.
    pub memory: usize,
}

impl TokenText {
    /// What stands before all programs.
    pub fn head(&self) -> &'static [u8] {
        match (self.format, self.is_one) {
            (TokenFormat::Json | TokenFormat::Jsonl, _) => b"",
            (TokenFormat::Csv, true) => csv::HEADER,
            (TokenFormat::Csv, false) => csv::HEADER_OF_MANY,
        }
    }

    fn write(&self, id: &str, tokens: &Tokens<'_>, out: &mut Vec<u8>) {
        match (self.format, self.is_one) {
            (TokenFormat::Json, true) => json::program(tokens, out),
            (TokenFormat::Json | TokenFormat::Jsonl, false) => json::row(id, tokens, out),
            (TokenFormat::Jsonl, true) => json::lines(tokens, out),
            (TokenFormat::Csv, true) => csv::program(tokens, out),
            (TokenFormat::Csv, false) => csv::rows(id, tokens, out),
        }
    }
}

impl Form for TokenText {
    type Made = Vec<u8>;

    const GROWTH: usize = 32;

    type Worker = Tokenizer;

    fn worker(&self) -> Tokenizer {
        Tokenizer::new(self.extras, Limits::of_memory(self.memory))
    }

    fn make(&self, tokenizer: &mut Tokenizer, programs: &mut Programs<'_>) -> Vec<u8> {
        let most = memory::budget(self.memory) / 4;
        let mut out = Vec::new();
        programs.each(|program| {
            let tokens = tokenizer.tokens(program.language, program.text).map_err(|it| it.to_string())?;
            if tokens.list.len() * TEXT_OF_A_TOKEN + tokens.text.len() > most {
                return Err("its tokens take more than this --memory allows".to_owned());
            }
            self.write(program.id, &tokens, &mut out);
            Ok(())
        });
        out
    }
}

/// Tokens as rows of a table, one row for each program.
#[derive(Clone, Copy, Debug)]
pub struct TokenTable {
    pub extras: Extras,
    /// In bytes.
    pub memory: usize,
}

impl Form for TokenTable {
    type Made = Rows;

    const GROWTH: usize = 16;

    type Worker = (Tokenizer, table::Table);

    fn worker(&self) -> Self::Worker {
        (Tokenizer::new(self.extras, Limits::of_memory(self.memory)), table::Table::default())
    }

    fn make(&self, (tokenizer, table): &mut Self::Worker, programs: &mut Programs<'_>) -> Rows {
        programs.each(|program| {
            let tokens = tokenizer.tokens(program.language, program.text).map_err(|it| it.to_string())?;
            table.add(program.id, program.language.name(), &tokens);
            Ok(())
        });
        table.take()
    }
}

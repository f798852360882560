//! Tokens as a Parquet table: id, language, and a list of tokens.

use super::model::{Class, Tokens};
use crate::columns::{Flags, Lengths, Names, Numbers, Plain, RowGroup, Strings};

/// The columns.
pub const SCHEMA: &str = "message tokens {
  required binary id (UTF8);
  required binary language (UTF8);
  required group tokens (LIST) {
    repeated group list {
      required group element {
        required int32 line (INTEGER(32,false));
        required int32 column (INTEGER(32,false));
        required binary class (UTF8);
        required binary token (UTF8);
        required boolean directive;
      }
    }
  }
}";

/// The tokens of some programs. What it takes it keeps for the next ones.
#[derive(Debug, Default)]
pub struct Table {
    ids: Plain,
    languages: Strings,
    lengths: Lengths,
    lines: Numbers,
    columns: Numbers,
    classes: Names,
    texts: Strings,
    directives: Flags,
}

impl Table {
    /// Adds a program.
    pub fn add(&mut self, id: &str, language: &str, tokens: &Tokens<'_>) {
        self.ids.add(id);
        self.languages.add(language.as_bytes(), 0, language.len());
        self.lengths.add(tokens.list.len());
        self.lines.0.extend(tokens.list.iter().map(|token| token.line));
        self.columns.0.extend(tokens.list.iter().map(|token| token.column));
        self.classes.0.extend(tokens.list.iter().map(|token| token.class as u8));
        if tokens.list.iter().any(|token| token.directive) {
            tokens.list.iter().for_each(|token| self.directives.add(token.directive));
        } else {
            self.directives.add_false(tokens.list.len());
        }
        let text = &*tokens.text;
        let is_utf8 = str::from_utf8(text).is_ok();
        for token in tokens.list {
            let (start, end) = (token.start as usize, token.end as usize);
            // A token that starts and ends with other characters than these may have a part of one.
            if is_utf8 && text[start].is_ascii() && text[end - 1].is_ascii() {
                self.texts.add(text, start, end);
            } else {
                let token = String::from_utf8_lossy(&text[start..end]);
                self.texts.add(token.as_bytes(), 0, token.len());
            }
        }
    }

    /// Gives the rows of all programs, and starts anew.
    pub fn take(&mut self) -> RowGroup {
        let levels = self.lengths.take();
        let columns = vec![
            self.ids.take(),
            self.languages.take_rows(),
            self.lines.take(&levels),
            self.columns.take(&levels),
            self.classes.take(&Class::ALL.map(Class::name), &levels),
            self.texts.take(&levels),
            self.directives.take(&levels),
        ];
        RowGroup { rows: levels.rows, columns }
    }
}

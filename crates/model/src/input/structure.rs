//! Which tokens count, in which statement each stands, and how deep.

use familiar_source::{Language, Token, TokenClass};

/// Where a token that counts stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its number among all tokens.
    pub(super) token: usize,
    /// Its statement, ascending.
    pub(super) statement: u32,
    /// Blocks around it.
    pub(super) depth: u32,
}

/// How blocks are written, and where the reading of a text stands.
#[derive(Default)]
pub(super) struct Structure {
    /// Depths of the blocks around by braces: for each the bodies without braces that it stands in.
    braces: Vec<u32>,
    /// Bodies without braces around this token, within the innermost braces.
    bodies: u32,
    /// Round and square brackets around this token.
    brackets: u32,
    /// The brackets around the header of a control statement whose end is awaited.
    header: Option<u32>,
    /// Columns of the blocks around by indentation.
    columns: Vec<u32>,
}

impl Structure {
    /// The places of the `tokens` that count, in order.
    pub(super) fn of(language: Language, text: &[u8], tokens: &[Token]) -> Vec<Place> {
        let mut structure = Self::default();
        let mut places = Vec::with_capacity(tokens.len());
        let mut statement = 0;
        for (at, token) in tokens.iter().enumerate() {
            statement += u32::from(token.starts_line);
            if token.class == TokenClass::Import {
                continue;
            }
            let spelled = token.text(text);
            let next = tokens.get(at + 1).map_or(&b""[..], |token| token.text(text));
            let counts = if is_indented(language) {
                structure.indent(text, token, spelled);
                !matches!(spelled, b";")
            } else {
                structure.brace(token.class, spelled, next)
            };
            if counts {
                places.push(Place { token: at, statement, depth: structure.depth() });
            }
            if !is_indented(language) {
                structure.after(spelled, next);
            }
        }
        places
    }

    fn depth(&self) -> u32 {
        self.columns.len() as u32 + self.braces.len() as u32 + self.braces.iter().sum::<u32>() + self.bodies
    }

    /// Blocks begin and end with the column of the first token of a line, but for lines that go on within brackets.
    fn indent(&mut self, text: &[u8], token: &Token, spelled: &[u8]) {
        let brackets = self.brackets;
        match spelled {
            b"(" | b"[" => self.brackets += 1,
            b")" | b"]" => self.brackets = brackets.saturating_sub(1),
            _ => {}
        }
        if !token.starts_line || brackets > 0 {
            return;
        }
        let Some(column) = column(text, token.start as usize) else { return };
        while self.columns.last().is_some_and(|&outer| outer > column) {
            self.columns.pop();
        }
        if self.columns.last().is_none_or(|&outer| outer < column) {
            self.columns.push(column);
        }
    }

    /// Blocks begin and end with braces, or are the one statement after a header. Whether the token counts.
    fn brace(&mut self, class: TokenClass, spelled: &[u8], next: &[u8]) -> bool {
        match spelled {
            b"{" => {
                self.braces.push(std::mem::take(&mut self.bodies));
                false
            }
            b"}" => {
                self.braces.pop();
                self.bodies = 0;
                false
            }
            b";" => {
                if self.brackets == 0 {
                    self.bodies = 0;
                }
                self.brackets > 0
            }
            b"(" | b"[" => {
                self.brackets += 1;
                true
            }
            b")" | b"]" => {
                self.brackets = self.brackets.saturating_sub(1);
                true
            }
            _ => {
                if class == TokenClass::Keyword && next == b"(" && heads_a_body(spelled) {
                    self.header = Some(self.brackets);
                }
                true
            }
        }
    }

    /// Begins a body without braces behind the token, where one begins.
    fn after(&mut self, spelled: &[u8], next: &[u8]) {
        let ends_header = spelled == b")" && self.header == Some(self.brackets);
        if ends_header {
            self.header = None;
        }
        let bare = !matches!(next, b"{" | b";" | b"");
        let begins = match spelled {
            b"else" | b"do" => next != b"if",
            _ => ends_header,
        };
        self.bodies += u32::from(begins && bare && self.bodies < 64);
    }
}

/// Whether the language's blocks are known by their columns.
fn is_indented(language: Language) -> bool {
    use Language as L;
    matches!(
        language,
        L::Python
            | L::Notebook
            | L::Ruby
            | L::Lua
            | L::Julia
            | L::Elixir
            | L::Haskell
            | L::OCaml
            | L::FSharp
            | L::Nim
            | L::Pascal
            | L::Ada
            | L::Fortran
            | L::VisualBasic
            | L::Matlab
            | L::Shell
    )
}

fn heads_a_body(keyword: &[u8]) -> bool {
    matches!(keyword, b"if" | b"for" | b"while" | b"foreach" | b"using" | b"lock" | b"synchronized" | b"with")
}

/// The column of `start`, if nothing but white space stands before it in its line.
fn column(text: &[u8], start: usize) -> Option<u32> {
    let mut column = 0;
    for &byte in text[..start].iter().rev() {
        match byte {
            b'\n' | b'\r' => break,
            b' ' => column += 1,
            b'\t' => column += 8,
            _ => return None,
        }
    }
    Some(column)
}

#[cfg(test)]
mod tests {
    use familiar_syntax::{Parser, Want};

    use super::*;

    /// The tokens that count, each with its depth.
    fn depths(language: Language, code: &str) -> String {
        let mut parser = Parser::default();
        let parsed = parser.parse(language, code.as_bytes(), Want { fragments: false, line_starts: true });
        let places = Structure::of(language, code.as_bytes(), parsed.tokens);
        let least = places.iter().map(|place| place.depth).min().unwrap_or(0);
        let shown = places.iter().map(|place| {
            let text = parsed.tokens[place.token].text(code.as_bytes());
            format!("{}{}", String::from_utf8_lossy(text), place.depth - least)
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn braces_bare_bodies_and_indentation_read_alike() {
        let braced = depths(Language::C, "for (;;) { if (a) { b; } c; } d;");
        let bare = depths(Language::C, "for (;;) { if (a) b; c; } d;");
        assert_eq!(braced, "for0 (0 ;0 ;0 )0 if1 (1 a1 )1 b2 c1 d0");
        assert_eq!(bare, braced);
        assert_eq!(depths(Language::C, "if (a) b; else c; d;"), "if0 (0 a0 )0 b1 else0 c1 d0");
        assert_eq!(
            depths(Language::Python, "while a:\n  if b:\n    c\n  d\ne\n"),
            "while0 a0 :0 if1 b1 :1 c2 d1 e0"
        );
        assert_eq!(depths(Language::Python, "f(\n    a\n)\nb\n"), "f0 (0 a0 )0 b0");
    }

    #[test]
    fn brackets_that_do_not_match_do_no_harm() {
        assert_eq!(depths(Language::Java, "} } a ) ( {"), "a0 )0 (0");
        assert_eq!(depths(Language::Python, "    a\n  b\n"), "a0 b0");
    }
}

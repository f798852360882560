//! The files of ValidateClones (Svajlenko): pairs as blocks of text, and one line for each verdict.
//!
//! A block is a line of 40 dollar signs, the number of the tool and that of the clone, both fragments as `FILE START END`, and both texts.
//! A line of 40 hyphens stands before each text and at the end. A verdict is `tool,clone,verdict,fragment1,fragment2`.

use std::io::{self, BufRead, Write};

use crate::exchange::ExchangeError;
use crate::judgement::Verdict;

const BEGIN: &str = "$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$";
const RULE: &str = "----------------------------------------";

/// A pair as a block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub tool: String,
    pub clone: String,
    pub fragments: [String; 2],
    pub codes: [String; 2],
}

/// A line with a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub tool: String,
    pub clone: String,
    pub verdict: Verdict,
    /// As they stand in the line, also where a file's name holds commas.
    pub fragments: String,
}

/// Writes one block. A line of a text that is the line of hyphens gets a blank at its end, so that it ends no text.
pub fn write_block(mut out: impl Write, block: &Block) -> io::Result<()> {
    let Block { tool, clone, fragments, codes } = block;
    writeln!(out, "{BEGIN}\n{tool}\n{clone}\n{}\n{}", fragments[0], fragments[1])?;
    for code in codes {
        writeln!(out, "{RULE}")?;
        for line in code.trim_end().lines() {
            writeln!(out, "{line}{}", if line == RULE || line == BEGIN { " " } else { "" })?;
        }
    }
    writeln!(out, "{RULE}")
}

/// Reads blocks.
pub fn read_blocks(input: impl BufRead) -> Result<Vec<Block>, ExchangeError> {
    let mut lines = (1..).zip(input.lines());
    let mut blocks = Vec::new();
    let ends = |line| ExchangeError::Line { line, reason: "the file ends within a block".to_owned() };
    while let Some((at, line)) = lines.next() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        if line != BEGIN {
            let reason = "a block begins with 40 dollar signs".to_owned();
            return Err(ExchangeError::Line { line: at, reason });
        }
        let mut next = || -> Result<String, ExchangeError> { Ok(lines.next().ok_or_else(|| ends(at))?.1?) };
        let (tool, clone, fragments) = (next()?, next()?, [next()?, next()?]);
        if next()? != RULE {
            let reason = "40 hyphens stand before a text".to_owned();
            return Err(ExchangeError::Line { line: at + 5, reason });
        }
        let mut text = || -> Result<String, ExchangeError> {
            let mut text = String::new();
            loop {
                let line = next()?;
                if line == RULE {
                    return Ok(text);
                }
                text.push_str(&line);
                text.push('\n');
            }
        };
        let codes = [text()?, text()?];
        blocks.push(Block { tool, clone, fragments, codes });
    }
    Ok(blocks)
}

/// Writes one verdict.
pub fn write_verdict(mut out: impl Write, block: &Block, verdict: Verdict) -> io::Result<()> {
    let Block { tool, clone, fragments, .. } = block;
    writeln!(out, "{tool},{clone},{},{},{}", verdict.name(), fragments[0], fragments[1])
}

/// Reads verdicts.
pub fn read_verdicts(input: impl BufRead) -> Result<Vec<Line>, ExchangeError> {
    let mut verdicts = Vec::new();
    for (at, line) in (1..).zip(input.lines()) {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let wrong = || ExchangeError::Line {
            line: at,
            reason: "give tool,clone,verdict,fragment1,fragment2 with true, false or undecided".to_owned(),
        };
        let mut parts = line.splitn(4, ',');
        let mut part = || parts.next().map(|it| it.trim().to_owned()).ok_or_else(wrong);
        let (tool, clone, verdict, fragments) = (part()?, part()?, part()?, part()?);
        let verdict = Verdict::from_name(&verdict.to_ascii_lowercase()).ok_or_else(wrong)?;
        verdicts.push(Line { tool, clone, verdict, fragments });
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_verdicts_are_read_as_they_are_written() {
        let block = |clone: &str, code: &str| Block {
            tool: "1".to_owned(),
            clone: clone.to_owned(),
            fragments: ["a/b c.java 1 2".to_owned(), "d,e.java 1 1".to_owned()],
            codes: [code.to_owned(), "int y;\n".to_owned()],
        };
        let blocks = [block("1", "int x;\n\nint z;\n"), block("2", "")];
        let mut text = Vec::new();
        for block in &blocks {
            write_block(&mut text, block).expect("it is written");
        }
        assert_eq!(read_blocks(&text[..]).expect("it is read"), blocks);
        let mut lines = Vec::new();
        write_verdict(&mut lines, &blocks[0], Verdict::Undecided).expect("it is written");
        assert_eq!(lines, b"1,1,undecided,a/b c.java 1 2,d,e.java 1 1\n");
        let verdicts = read_verdicts(&lines[..]).expect("it is read");
        assert_eq!(verdicts[0].verdict, Verdict::Undecided);
        assert_eq!(verdicts[0].fragments, "a/b c.java 1 2,d,e.java 1 1");
    }

    #[test]
    fn hostile_texts_end_no_block() {
        let block = Block {
            tool: "1".to_owned(),
            clone: "1".to_owned(),
            fragments: ["a 1 1".to_owned(), "b 1 1".to_owned()],
            codes: [format!("{RULE}\n{BEGIN}\n"), "x\n".to_owned()],
        };
        let mut text = Vec::new();
        write_block(&mut text, &block).expect("it is written");
        let read = read_blocks(&text[..]).expect("it is read");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].codes[1], "x\n");
        assert!(read_blocks(&text[..text.len() - 3]).is_err());
        assert!(read_verdicts(&b"1,1,perhaps,a,b\n"[..]).is_err());
    }
}

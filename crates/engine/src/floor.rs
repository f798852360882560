//! The floor under every figure: how fast files can be read and cut into tokens, with nothing done to them.

use std::path::PathBuf;

use familiar_files::dir::{self, WalkError, WalkOptions};
use familiar_syntax::{Parser, Want, decode, detect};
use rayon::prelude::*;

/// What was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor {
    pub files: u64,
    pub bytes: u64,
    pub tokens: u64,
    pub fragments: u64,
}

/// Reads and lexes every file below `paths`, and finds its fragments where `fragments`.
pub fn lex(paths: &[PathBuf], fragments: bool) -> Result<Floor, WalkError> {
    let listing = dir::walk(paths, &WalkOptions::default())?;
    let want = Want { fragments, line_starts: false };
    let one = |parser: &mut Parser, document: &familiar_files::Document| {
        let bytes = std::fs::read(&document.file).ok()?;
        let text = decode::decode(&bytes).ok()?.text;
        let language = detect::language(document.path.as_str(), &text)?;
        let parsed = parser.parse(language, &text, want);
        let (tokens, fragments) = (parsed.tokens.len() as u64, parsed.fragments.len() as u64);
        Some(Floor { files: 1, bytes: bytes.len() as u64, tokens, fragments })
    };
    Ok(listing
        .documents
        .par_iter()
        .map_init(Parser::default, |parser, document| one(parser, document).unwrap_or_default())
        .reduce(Floor::default, |a, b| Floor {
            files: a.files + b.files,
            bytes: a.bytes + b.bytes,
            tokens: a.tokens + b.tokens,
            fragments: a.fragments + b.fragments,
        }))
}

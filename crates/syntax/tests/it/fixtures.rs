//! Every file under `fixtures/LANG` gives the fragments and tokens of the snapshot that stands beside it.
//!
//! After a change that is meant to move them: `INSTA_UPDATE=always cargo test -p familiar-syntax fixtures::`,
//! then read the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parsed, Parser, Want};

/// Languages that have no fast path.
const BY_TREE_ALONE: [Language; 5] =
    [Language::Ruby, Language::Php, Language::Kotlin, Language::Scala, Language::Swift];

#[test]
fn fixtures_give_their_snapshots() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for folder in entries(&root) {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("folders have plain names");
        let language = Language::from_name(name).unwrap_or_else(|| panic!("no language is called {name}"));
        if cfg!(not(feature = "trees")) && BY_TREE_ALONE.contains(&language) {
            continue;
        }
        let is_snapshot = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "snap" || ext == "new");
        for file in entries(&folder).into_iter().filter(|path| !is_snapshot(path)) {
            let stem = file.file_name().and_then(|name| name.to_str()).expect("fixtures have plain names");
            let source = fs::read(&file).expect("the fixture was just listed");
            let listing = listing(language, &source);
            insta::with_settings!({ snapshot_path => &folder, prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(stem, listing);
            });
        }
    }
}

/// The fragments of `source`, one a line, then its tokens as a pretty printer would break lines.
fn listing(language: Language, source: &[u8]) -> String {
    let mut parser = Parser::default();
    let parsed = parser.parse(language, source, Want { fragments: true, line_starts: true });
    let mut listing = String::new();
    for fragment in parsed.fragments {
        let name = String::from_utf8_lossy(&source[fragment.name.range()]);
        let (start, end) = (fragment.lines.start, fragment.lines.end);
        writeln!(listing, "{} {name} {start}-{end} tokens={}", fragment.kind.name(), fragment.tokens.len())
            .expect("a string takes all");
    }
    listing + &tokens(&parsed, source)
}

/// Each token as a letter for its class and its text; `o` is left off.
fn tokens(parsed: &Parsed, source: &[u8]) -> String {
    let mut text = String::new();
    for token in parsed.tokens {
        text.push(if token.starts_line { '\n' } else { ' ' });
        let letter = match token.class {
            TokenClass::Operator => "",
            TokenClass::Keyword => "k:",
            TokenClass::Identifier => "i:",
            TokenClass::Type => "t:",
            TokenClass::Number => "n:",
            TokenClass::String => "s:",
            TokenClass::Char => "c:",
            TokenClass::Import => "m:",
        };
        text.push_str(letter);
        text.push_str(&String::from_utf8_lossy(token.text(source)).replace('\n', "⏎").replace('\r', "␍"));
    }
    text
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

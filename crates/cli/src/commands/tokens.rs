//! `familiar tokens`: the tokens of programs, with their classes.

use std::process::ExitCode;

use familiar_engine::represent::one;
use familiar_engine::represent::tokens::{self, Extras, TokenFormat, TokenTable, TokenText};
use familiar_source::Language;

use crate::common::Common;
use crate::formats::TokensFormat;
use crate::represented::{self, Sources};

/// Write the tokens of programs, with their classes, as Project CodeNet does.
///
/// A token has a line (from 1), a column (in bytes, from 0), a class and its text. The classes are identifier, keyword, integer,
/// floating, string, character, operator and preprocessor. Tokens of a directive of the preprocessor are marked. Comments
/// and white space are left out unless --with asks for them. Programs that cannot be read are left out and named on
/// standard error.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Also write these, with classes of their own: comments (line_comment, block_comment), newlines, continuations (a backslash at
    /// the end of a line), whitespace, all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = crate::common::choice(EXTRAS), hide_possible_values = true)]
    with: Vec<Extra>,

    #[command(flatten)]
    common: Common<TokensFormat>,
}

/// What may be written besides the tokens of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extra {
    Comments,
    Newlines,
    Continuations,
    Whitespace,
    All,
}

const EXTRAS: [(&str, Extra); 5] = [
    ("comments", Extra::Comments),
    ("newlines", Extra::Newlines),
    ("continuations", Extra::Continuations),
    ("whitespace", Extra::Whitespace),
    ("all", Extra::All),
];

const EXAMPLES: &str = "\
Examples:
  familiar tokens Main.java
  familiar tokens main.c --format csv --with comments
  familiar tokens solutions.jsonl.zst --output tokens.parquet
  familiar tokens src --format ndjson --output tokens.jsonl

Without --format the name of the output file decides: .csv, .jsonl, .ndjson or .parquet; otherwise it is json.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let common = &arguments.common;
    let options = arguments.sources.options(common);
    let endings = [
        ("csv", TokensFormat::Csv),
        ("jsonl", TokensFormat::Jsonl),
        ("ndjson", TokensFormat::Ndjson),
        ("parquet", TokensFormat::Parquet),
    ];
    let (extras, memory) = (arguments.extras(), options.memory);
    let text = |format: TokenFormat, is_one: bool| TokenText { format, extras, is_one, memory };
    let is_one = options.is_one_program();
    let form = match represented::format(common, &endings, TokensFormat::Json) {
        TokensFormat::Json => text(TokenFormat::Json, is_one),
        TokensFormat::Ndjson => text(TokenFormat::Json, false),
        TokensFormat::Jsonl => text(TokenFormat::Jsonl, is_one),
        TokensFormat::Csv => text(TokenFormat::Csv, is_one),
        TokensFormat::Parquet => {
            represented::table(common, &options, &TokenTable { extras, memory }, tokens::table, None)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    represented::text(common, &options, &form, form.head(), b"", None)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The tokens of a text that stands in no file, each as a row.
    pub(crate) fn of_text(&self, language: Language, code: Vec<u8>) -> Result<Vec<u8>, String> {
        let (extras, memory) = (self.extras(), self.common.resources.memory());
        one(&TokenText { format: TokenFormat::Jsonl, extras, is_one: true, memory }, language, code)
    }

    fn extras(&self) -> Extras {
        let has = |extra| self.with.contains(&extra) || self.with.contains(&Extra::All);
        Extras {
            comments: has(Extra::Comments),
            newlines: has(Extra::Newlines),
            continuations: has(Extra::Continuations),
            whitespace: has(Extra::Whitespace),
        }
    }
}

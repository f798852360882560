//! TypeScript with TSX: the front end of [`super::javascript`], with types.

use familiar_source::Language;

use super::Definition;
use super::javascript::Script;

pub static DEFINITION: Definition = Definition {
    language: Language::TypeScript,
    extensions: &["ts", "tsx", "mts", "cts"],
    file_names: &[],
    interpreters: &["ts-node", "tsx", "deno"],
    front_end: &Script { typed: true },
    #[cfg(feature = "trees")]
    tree: Some(&crate::tree::grammars::TYPESCRIPT),
};

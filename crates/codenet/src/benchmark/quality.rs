//! Whether a sample can be an example: it can be read, and it does something.

use familiar_represent::graph::{self, GraphError, Program};
use familiar_represent::tree::{NoTree, Tree};
use familiar_syntax::Limits;

use super::manifest::Settings;
use crate::sample::Sample;
use crate::tokens::Tokenizer;

/// What a sample has.
pub(super) struct Checked {
    pub(super) tokens: u64,
    pub(super) tree_nodes: u64,
    pub(super) bytes: u64,
    pub(super) lines: u64,
}

/// What a sample lacks.
pub(super) enum Fault {
    Tokens,
    Tree,
    Graph,
    Dead,
}

/// Looks at a sample. `memory` bounds its tree. A language without trees or graphs is not asked for them.
pub(super) fn check(sample: &Sample, settings: &Settings, memory: usize) -> Result<Checked, Fault> {
    let language = sample.language.ok_or(Fault::Tokens)?;
    let code = sample.code.as_str();
    let mut tokenizer = Tokenizer::new(Limits::default());
    let tokens = tokenizer.tokens(language, code.as_bytes(), true);
    let tokens = tokens.map(|(_, places)| places.len() as u64).map_err(|_| Fault::Tokens)?;
    if tokens < settings.tokens {
        return Err(Fault::Tokens);
    }
    let tree_nodes = match Tree::of(language, code, memory) {
        Ok(tree) if tree.first_error().is_none() => tree.nodes().len() as u64,
        Err(NoTree::Grammar(_)) => 0,
        Ok(_) | Err(NoTree::Budget) => return Err(Fault::Tree),
    };
    match graph::parse(language, code, memory) {
        Ok(nodes) => {
            let program = Program::of(language, &nodes, code).map_err(|_| Fault::Graph)?;
            if program.dead().share() > settings.dead {
                return Err(Fault::Dead);
            }
        }
        Err(GraphError::Language(_)) => {}
        Err(_) => return Err(Fault::Graph),
    }
    Ok(Checked { tokens, tree_nodes, bytes: code.len() as u64, lines: code.lines().count() as u64 })
}

//! A transformation that is a program of its own.

use std::fmt;
use std::sync::Arc;

use familiar_source::Language;
use familiar_syntax::tree::Node;
use familiar_transform::{Choices, Edit, Program, Refusal, Transformation};

use super::Rewriter;
use super::stored::StoredTransformation;

/// A program in Python that reads a program and prints one. Its one site is the whole program.
pub(super) struct Designed {
    name: &'static str,
    summary: &'static str,
    program: String,
    languages: [Language; 1],
    rewriter: Arc<Rewriter>,
}

impl Designed {
    pub(super) fn new(stored: StoredTransformation, rewriter: &Arc<Rewriter>) -> Self {
        // Names of transformations live as long as the program; a set of a user has few, and is opened once.
        let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        Self {
            name: kept(stored.name),
            summary: kept(stored.title),
            program: stored.program,
            languages: [stored.language],
            rewriter: Arc::clone(rewriter),
        }
    }
}

impl fmt::Debug for Designed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Designed").field(&self.name).finish()
    }
}

impl Transformation for Designed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn languages(&self) -> &[Language] {
        &self.languages
    }

    fn candidates<'p>(&self, program: &'p Program) -> Vec<Node<'p>> {
        vec![program.root()]
    }

    fn rewrite(&self, program: &Program, _: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
        let text = self.rewriter.rewritten(&self.program, program.language(), &program.bytes());
        let text = text.map_err(|trouble| Refusal(trouble.reason()))?;
        Ok(vec![Edit::text(0..program.text().len(), text)])
    }
}

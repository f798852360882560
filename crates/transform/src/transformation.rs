//! What a transformation is.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::choices::Choices;
use crate::comments;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::rewrite::Edit;

/// Rewrites a program at one of its sites so that it looks different and behaves the same.
///
/// *Behaves the same* means: the same output, the same results, and the same class of exception, for all inputs. Time, memory, object
/// identities, tracebacks, and what introspection shows of code and of local variables may differ.
pub trait Transformation: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in one short sentence.
    fn summary(&self) -> &'static str;

    /// The languages whose programs it rewrites.
    fn languages(&self) -> &[Language];

    /// The nodes whose form it knows, in the order of the text. Whether it may rewrite one, [`Transformation::rewrite`] says.
    fn candidates<'p>(&self, program: &'p Program) -> Vec<Node<'p>>;

    /// The edits that rewrite `site`, one of the candidates, or why it stays as it is.
    fn rewrite(&self, program: &Program, site: Node<'_>, choices: &mut Choices)
    -> Result<Vec<Edit>, Refusal>;
}

/// A transformation as data: one for each file of `python` and of the other languages.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) languages: &'static [Language],
    pub(crate) candidates: for<'p> fn(&'p Program) -> Vec<Node<'p>>,
    pub(crate) rewrite: fn(&Program, Node<'_>, &mut Choices) -> Result<Vec<Edit>, Refusal>,
}

impl Transformation for Rule {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn languages(&self) -> &[Language] {
        self.languages
    }

    fn candidates<'p>(&self, program: &'p Program) -> Vec<Node<'p>> {
        (self.candidates)(program)
    }

    fn rewrite(
        &self,
        program: &Program,
        site: Node<'_>,
        choices: &mut Choices,
    ) -> Result<Vec<Edit>, Refusal> {
        if program.has_spelled_names() {
            return Err(Refusal("a name of the program is written with the numbers of its letters"));
        }
        // A program of C that asks for its lines sees when they move.
        let is_c = matches!(program.language(), Language::C | Language::Cpp);
        if is_c && !self.name.contains("rename") && program.words().contains("__LINE__") {
            return Err(Refusal("the program asks for the numbers of its lines"));
        }
        let edits = (self.rewrite)(program, site, choices)?;
        let takes_comments = self.name.starts_with("layout-");
        Ok(if takes_comments { edits } else { comments::kept(program, site, edits) })
    }
}

/// Transformations of one name for different languages.
pub(crate) struct Shared {
    parts: Vec<&'static dyn Transformation>,
    languages: Vec<Language>,
}

impl Shared {
    pub(crate) fn new(part: &'static dyn Transformation) -> Self {
        Self { parts: vec![part], languages: part.languages().to_vec() }
    }

    pub(crate) fn add(&mut self, part: &'static dyn Transformation) {
        self.languages.extend(part.languages());
        self.parts.push(part);
    }

    fn part(&self, language: Language) -> Option<&'static dyn Transformation> {
        self.parts.iter().copied().find(|it| it.languages().contains(&language))
    }
}

impl Transformation for Shared {
    fn name(&self) -> &'static str {
        self.parts[0].name()
    }

    fn summary(&self) -> &'static str {
        self.parts[0].summary()
    }

    fn languages(&self) -> &[Language] {
        &self.languages
    }

    fn candidates<'p>(&self, program: &'p Program) -> Vec<Node<'p>> {
        self.part(program.language()).map_or_else(Vec::new, |it| it.candidates(program))
    }

    fn rewrite(
        &self,
        program: &Program,
        site: Node<'_>,
        choices: &mut Choices,
    ) -> Result<Vec<Edit>, Refusal> {
        match self.part(program.language()) {
            Some(part) => part.rewrite(program, site, choices),
            None => Err(Refusal("it does not know the language")),
        }
    }
}

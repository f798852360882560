//! `familiar transform`: programs that look different and behave the same.

use std::io;
use std::ops::ControlFlow;

use familiar_corpus::dir::WalkOptions;
use familiar_corpus::spec::{self, SpecError};
use familiar_corpus::{Found, Item, LanguageHint, Limits, SourceError};
use familiar_source::Language;
use familiar_syntax::{detect, languages};
use familiar_transform::{ApplyError, Program, Step, Transformation, Where, apply};
use rustc_hash::FxHashSet;
use serde::Serialize;
use thiserror::Error;

/// Compositions of more steps are not made.
const MOST_STEPS: usize = 4;
/// How often another composition is tried where the last one gave nothing new.
const TRIES: u64 = 4;

/// The settings of `familiar transform`.
#[derive(Clone)]
pub struct TransformOptions {
    /// Files, folders, archives or JSON lines, as a corpus takes them.
    pub sources: Vec<String>,
    pub recipe: Recipe,
    /// At which sites.
    pub at: At,
    /// Most variants of one source; 0: one for each transformation.
    pub count: usize,
    pub seed: u64,
    pub exclude: Vec<String>,
    pub no_ignore: bool,
    /// In bytes.
    pub memory: usize,
    pub threads: usize,
}

/// What is done to each program.
#[derive(Clone)]
pub enum Recipe {
    /// All of these, one after the other, where they apply.
    Steps(Vec<&'static dyn Transformation>),
    /// Each of these alone, and then compositions of them.
    Set(Vec<&'static dyn Transformation>),
}

/// At which sites a transformation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    First,
    /// A variant for each site.
    Each,
    All,
}

/// A new program, with the recipe that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TransformedRow {
    /// Path of the file, or id of the row.
    pub source: String,
    pub lang: &'static str,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub code: String,
    /// Its text as it is.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    pub steps: Vec<StepRow>,
    /// Whether it was run beside the source: always `not-run` so far.
    pub verified: &'static str,
}

/// One transformation of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRow {
    pub name: &'static str,
    /// First and last line of each site, in the text before the step.
    pub sites: Vec<[usize; 2]>,
    pub seed: u64,
}

/// Why there are no new programs.
#[derive(Debug, Error)]
pub enum TransformError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{0} is not on this machine: download it, and name a folder or a file")]
    Remote(String),
    #[error("cannot write the programs: {0}; check that there is space")]
    Write(#[from] io::Error),
}

/// Gives the variants of all sources to `out`, and tells how many there are. `skipped` is told of sources without variants, and why.
pub fn run(
    options: &TransformOptions,
    out: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, TransformError> {
    let walk = WalkOptions {
        exclude: options.exclude.clone(),
        no_ignore: options.no_ignore,
        threads: options.threads,
    };
    let mut rows = 0;
    for source in &options.sources {
        let opened = spec::source(source, &walk)?;
        if opened.remote().is_some() {
            return Err(TransformError::Remote(source.clone()));
        }
        let mut failed = None;
        opened.read(&Limits::default(), &mut |found| {
            let result = match found {
                Found::Item(item) => write_variants(options, &item, out, skipped),
                Found::Skip { path, reason } => {
                    skipped(&path, &reason);
                    Ok(0)
                }
                _ => Ok(0),
            };
            match result {
                Ok(written) => {
                    rows += written;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(rows)
}

fn write_variants(
    options: &TransformOptions,
    item: &Item,
    out: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, TransformError> {
    let path = item.occurrence.path.as_str();
    let Some(language) = language_of(item) else { return Ok(0) };
    let program = match Program::parse(language, &item.bytes, options.memory) {
        Ok(program) => program,
        Err(error) => {
            skipped(path, &error.to_string());
            return Ok(0);
        }
    };
    let mut maker =
        Maker { options, program: &program, seen: FxHashSet::default(), refusal: None, faults: Vec::new() };
    let variants = maker.variants();
    for fault in &maker.faults {
        skipped(path, &format!("{fault}; please report this"));
    }
    if variants.is_empty() && maker.faults.is_empty() {
        let refusal = maker.refusal.unwrap_or_else(|| "no transformation applies".to_owned());
        skipped(path, &refusal);
    }
    let mut written = 0;
    for Made { code, steps } in variants {
        written += 1;
        let steps = steps.iter().map(|it| StepRow { name: it.name, sites: it.sites.clone(), seed: it.seed });
        out(&TransformedRow {
            source: path.to_owned(),
            lang: language.name(),
            code: String::from_utf8_lossy(&code).into_owned(),
            bytes: code,
            steps: steps.collect(),
            verified: "not-run",
        })?;
    }
    Ok(written)
}

fn language_of(item: &Item) -> Option<Language> {
    match item.language {
        LanguageHint::Language(language) => Some(language),
        LanguageHint::Unspecified => {
            let language = detect::language(&item.occurrence.path, &item.bytes);
            language.filter(|language| !languages::others::is_data(*language))
        }
        _ => None,
    }
}

/// A new text, with the steps that made it.
struct Made {
    code: Vec<u8>,
    steps: Vec<Step>,
}

/// Makes the variants of one program.
struct Maker<'o> {
    options: &'o TransformOptions,
    program: &'o Program,
    /// The texts that were made.
    seen: FxHashSet<Vec<u8>>,
    /// Why the first transformation that did not apply did not.
    refusal: Option<String>,
    /// Texts of transformations that are no programs.
    faults: Vec<String>,
}

impl Maker<'_> {
    fn variants(&mut self) -> Vec<Made> {
        let mut made = Vec::new();
        match &self.options.recipe {
            Recipe::Steps(steps) => made.extend(self.composed(steps, self.options.seed)),
            Recipe::Set(members) => {
                let knows = |it: &&&dyn Transformation| it.languages().contains(&self.program.language());
                let members: Vec<_> = members.iter().filter(knows).copied().collect();
                self.alone(&members, &mut made);
                self.compositions(&members, &mut made);
            }
        }
        made
    }

    fn is_full(&self, made: &[Made]) -> bool {
        self.options.count > 0 && made.len() >= self.options.count
    }

    /// Each transformation alone: the first variant of each, then the second of each, and so on.
    fn alone(&mut self, members: &[&'static dyn Transformation], made: &mut Vec<Made>) {
        let mut left = members.to_vec();
        for round in 0.. {
            let at = match self.options.at {
                At::First => Where::First,
                At::All => Where::All,
                At::Each => Where::Nth(round),
            };
            let mut next = Vec::new();
            for member in left {
                if self.is_full(made) {
                    return;
                }
                if let Some(variant) = self.applied(self.program, member, at, self.options.seed) {
                    made.extend(self.new_text(&variant.program, vec![variant.step]));
                    next.push(member);
                }
            }
            left = next;
            if left.is_empty() || self.options.at != At::Each {
                return;
            }
        }
    }

    /// Compositions of two and more members, until there are enough.
    fn compositions(&mut self, members: &[&'static dyn Transformation], made: &mut Vec<Made>) {
        let mut choices = familiar_transform::Choices::new(self.program, self.options.seed);
        for length in 2..=MOST_STEPS {
            let mut failures = 0;
            while self.options.count > 0 && !self.is_full(made) && failures < TRIES * members.len() as u64 {
                let steps: Vec<_> =
                    (0..length).filter_map(|_| members.get(choices.below(members.len()))).copied().collect();
                let seed = choices.below(usize::MAX) as u64;
                match self.composed(&steps, seed).filter(|it| it.steps.len() == length) {
                    Some(variant) => made.push(variant),
                    None => failures += 1,
                }
            }
        }
    }

    /// All of `steps`, one after the other; those that do not apply are left out. `None` where the text is not new.
    fn composed(&mut self, steps: &[&'static dyn Transformation], seed: u64) -> Option<Made> {
        let at = if self.options.at == At::First { Where::First } else { Where::All };
        let mut program: Option<Program> = None;
        let mut taken = Vec::new();
        for step in steps {
            let before = program.as_ref().unwrap_or(self.program);
            if let Some(variant) = self.applied(before, *step, at, seed) {
                program = Some(variant.program);
                taken.push(variant.step);
            }
        }
        program.and_then(|program| self.new_text(&program, taken))
    }

    fn applied(
        &mut self,
        program: &Program,
        transformation: &dyn Transformation,
        at: Where,
        seed: u64,
    ) -> Option<familiar_transform::Variant> {
        match apply(program, transformation, at, seed) {
            Ok(variant) => Some(variant),
            Err(ApplyError::NotApplicable(refusal)) => {
                self.refusal.get_or_insert_with(|| format!("{}: {refusal}", transformation.name()));
                None
            }
            Err(fault @ ApplyError::Broken { .. }) => {
                self.faults.push(fault.to_string());
                None
            }
        }
    }

    fn new_text(&mut self, program: &Program, steps: Vec<Step>) -> Option<Made> {
        let code = program.bytes();
        self.seen.insert(code.clone()).then_some(Made { code, steps })
    }
}

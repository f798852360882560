//! Draws the functions that a model is asked about.
//!
//! Sources go into a corpus of the project, so that each seed has its origin and its license. Of functions that are copies of each other,
//! one is taken. Where fewer are wanted than there are, they are spread over what functions do, so that not a thousand getters are drawn.
//!
//! `functions` reads the functions of a file, `contained` says whether one stands by itself, with what is `known` in its file, and `spread`
//! draws.

mod contained;
mod functions;
mod known;
mod spread;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_corpus::{Found, Limits, RowTests, Source, spec};
use familiar_files::dir::WalkOptions;
use familiar_library::{AddOptions, Library, Reading, add, files};
use familiar_license::{Expression, infer};
use familiar_source::{Language, Progress};
use familiar_syntax::languages;
use serde::Serialize;

use crate::error::DatasetError;
use crate::lines;
use crate::parse;
use crate::pool;
use crate::project::{Project, file};
use crate::reply::Reply;
use crate::seed::{Origin, Seed};
use functions::Function;

/// Which functions can be seeds.
#[derive(Clone, Debug)]
pub struct SeedOptions {
    /// Sources that are added to the project's corpus, as `corpus add` takes them.
    pub sources: Vec<String>,
    /// A corpus that is there already, in the place of the project's.
    pub corpus: Option<PathBuf>,
    /// Only these; all where there are none.
    pub languages: Vec<Language>,
    pub min_lines: u32,
    pub max_lines: u32,
    /// Only functions that use nothing of their own project.
    pub self_contained: bool,
    /// Only functions under one of these licenses, by their SPDX names; whatever their license is where there are none.
    pub licenses: Vec<String>,
    /// Only the first function of each file, as in SemanticCloneBench, whose files hold a pair.
    pub first_of_file: bool,
    /// So many at most; all where 0.
    pub count: usize,
    pub seed: u64,
    /// Whether the seeds that are there stay.
    pub add: bool,
    /// 0 stands for one for each processor core.
    pub threads: usize,
    pub memory: usize,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeedResult {
    pub files: u64,
    pub functions: u64,
    /// Functions that are no seeds, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
    pub seeds: u64,
    /// Seeds by language, and by license.
    pub by_language: BTreeMap<String, u64>,
    pub by_license: BTreeMap<String, u64>,
}

/// A source, and the name that stands for it.
type NamedSource = (String, Box<dyn Source>);

/// Draws the seeds of a project.
pub fn run(
    project: &Project,
    options: &SeedOptions,
    progress: &dyn Progress,
) -> Result<SeedResult, DatasetError> {
    let _lock = project.lock()?;
    pool(options.threads)?.install(|| draw(project, options, progress))
}

fn draw(
    project: &Project,
    options: &SeedOptions,
    progress: &dyn Progress,
) -> Result<SeedResult, DatasetError> {
    have_functions(&options.languages)?;
    let folder = options.corpus.clone().unwrap_or_else(|| project.path(file::CORPUS));
    if !options.sources.is_empty() {
        fill(project, options, progress)?;
    } else if options.corpus.is_none() && !folder.exists() {
        return Err(DatasetError::NoSources);
    }
    progress.stage("reading functions", 0);
    let mut result = SeedResult::default();
    let mut all = fitting(&folder, options, &mut result)?;
    let library = Library::open(&folder)?;
    if !options.licenses.is_empty() {
        let before = all.len();
        all = only_licensed(&library, all, &options.licenses)?;
        if before > all.len() {
            result.left_out.insert("another license", (before - all.len()) as u64);
        }
    }
    if all.is_empty() {
        let reasons: Vec<String> =
            result.left_out.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let reasons = if reasons.is_empty() { "there is none".to_owned() } else { reasons.join(", ") };
        return Err(DatasetError::NoSeeds(reasons));
    }
    progress.stage("drawing seeds", 0);
    let before = all.len();
    let drawn = spread::draw(all, options.count, options.seed)?;
    if before > drawn.len() {
        result.left_out.insert("not drawn", (before - drawn.len()) as u64);
    }
    let tests = tests(options)?;
    let path = project.path(file::SEEDS);
    let before: Vec<Seed> = match lines::all(&path, "seeds") {
        // A damaged file is made anew.
        Err(_) if !options.add => Vec::new(),
        before => before?,
    };
    // The sources that had the tests need not be named again.
    let mut kept = tests_of(&before);
    let mut seeds = if options.add { before } else { Vec::new() };
    let mut known: BTreeSet<String> = seeds.iter().map(|seed| seed.seed_id.clone()).collect();
    for function in drawn {
        let (origin, license) = licensed(&library, &function)?;
        let mut seed = Seed::of_code(function.language.name(), &function.code);
        if !known.insert(seed.seed_id.clone()) {
            continue;
        }
        let test =
            tests.get(&(origin.project.clone(), origin.path.clone())).and_then(|it| it.asserts.clone());
        seed.test = test.or_else(|| kept.remove(&seed.seed_id));
        let language = seed.lang.clone();
        *result.by_language.entry(language).or_default() += 1;
        *result.by_license.entry(license.clone().unwrap_or_else(|| "unknown".to_owned())).or_default() += 1;
        seeds.push(Seed { name: function.name, origin: Some(origin), license, ..seed });
    }
    result.seeds = seeds.len() as u64;
    keeps_replies(project, &known)?;
    lines::write(&path, &seeds)?;
    Ok(result)
}

/// Refuses languages whose functions are not found.
fn have_functions(wanted: &[Language]) -> Result<(), DatasetError> {
    let mut known: Vec<&str> = languages::with_fragments().map(|it| it.language.name()).collect();
    match wanted.iter().find(|language| !known.contains(&language.name())) {
        None => Ok(()),
        Some(language) => {
            known.sort_unstable();
            Err(DatasetError::NoFunctions { language: language.name(), known: known.join(", ") })
        }
    }
}

/// Refuses to take away seeds to which there are replies: without their seeds these are of no use.
fn keeps_replies(project: &Project, known: &BTreeSet<String>) -> Result<(), DatasetError> {
    for (name, step) in [(file::IMPORTED, "import"), (file::GENERATED, "generate")] {
        // A file that is damaged holds nothing that could be lost.
        let replies: Vec<Reply> = lines::all(&project.path(name), step).unwrap_or_default();
        let lost: BTreeSet<&str> =
            replies.iter().map(|it| it.seed_id.as_str()).filter(|it| !known.contains(*it)).collect();
        if !lost.is_empty() {
            return Err(DatasetError::SeedsInUse { path: project.path(name), seeds: lost.len() as u64 });
        }
    }
    Ok(())
}

/// The functions of a corpus that can be seeds, apart from their licenses; of copies the first.
fn fitting(
    folder: &Path,
    options: &SeedOptions,
    result: &mut SeedResult,
) -> Result<Vec<Function>, DatasetError> {
    let kept = files::read(&[folder.to_owned()], 1)?;
    let (mut all, mut forms) = (Vec::new(), BTreeSet::new());
    for number in 0..kept.input.documents.len() as u32 {
        let blob = kept.input.blob(number);
        let language = kept.input.language(number);
        let (Some(blob), Some(language)) = (blob, language) else { continue };
        if !options.languages.is_empty() && !options.languages.contains(&language) {
            continue;
        }
        let path = kept.input.documents[number as usize].path.clone();
        let bytes = kept
            .input
            .read(number)
            .map_err(|source| DatasetError::Read { path: PathBuf::from(path.as_str()), source })?;
        result.files += 1;
        let found = functions::of(language, &bytes, blob);
        let most = if options.first_of_file { 1 } else { usize::MAX };
        for function in found.into_iter().take(most) {
            result.functions += 1;
            let reason = unfit(&function, options)
                .or_else(|| (!forms.insert(function.form)).then_some("a copy"))
                .or_else(|| (!parse::reads(language, &function.code)).then_some("does not parse"));
            match reason {
                Some(reason) => *result.left_out.entry(reason).or_default() += 1,
                None => all.push(function),
            }
        }
    }
    Ok(all)
}

/// Those under one of some licenses. The license of every function is read, since those that do not fit must not be drawn.
fn only_licensed(
    library: &Library,
    all: Vec<Function>,
    licenses: &[String],
) -> Result<Vec<Function>, DatasetError> {
    let mut fitting = Vec::new();
    for function in all {
        let (_, license) = licensed(library, &function)?;
        if license.is_some_and(|it| may_be_taken(&it, licenses)) {
            fitting.push(function);
        }
    }
    Ok(fitting)
}

/// Whether an expression can be kept under some licenses: of a choice one is enough.
fn may_be_taken(expression: &str, licenses: &[String]) -> bool {
    fn holds(expression: &Expression, licenses: &[String]) -> bool {
        match expression {
            Expression::License(_) => licenses.contains(&expression.to_string()),
            Expression::And(all) => all.iter().all(|it| holds(it, licenses)),
            Expression::Or(all) => all.iter().any(|it| holds(it, licenses)),
        }
    }
    let is_named = licenses.iter().any(|it| it == expression);
    is_named || Expression::parse(expression).is_ok_and(|it| holds(&it, licenses))
}

/// Why a function is no seed, apart from its license.
fn unfit(function: &Function, options: &SeedOptions) -> Option<&'static str> {
    if function.lines < options.min_lines {
        return Some("too short");
    }
    if function.lines > options.max_lines {
        return Some("too long");
    }
    if !function.has_body {
        return Some("without a body");
    }
    (options.self_contained && !function.is_contained).then_some("not self-contained")
}

/// Where a function stands, and under which license.
fn licensed(library: &Library, function: &Function) -> Result<(Origin, Option<String>), DatasetError> {
    let witnesses = library.witnesses(&function.blob)?;
    let Some(first) = witnesses.first() else { return Ok((Origin::default(), None)) };
    let layers = library.licenses().of(&function.blob, first)?;
    let occurrence = &first.occurrence;
    let origin = Origin {
        project: occurrence.project.clone(),
        path: occurrence.path.clone(),
        line: occurrence.first_line.max(1) + function.first_line.saturating_sub(1),
    };
    Ok((origin, infer::conclude(&layers).expression.as_ref().map(ToString::to_string)))
}

/// Adds the sources to the project's corpus.
fn fill(project: &Project, options: &SeedOptions, progress: &dyn Progress) -> Result<(), DatasetError> {
    let reading = Reading { limits: Limits::default(), threads: options.threads, memory: options.memory };
    let outcome = add(
        &AddOptions {
            folder: project.path(file::CORPUS),
            sources: sources(options)?,
            base: BTreeSet::new(),
            exclude: Vec::new(),
            text: true,
            reading,
        },
        progress,
    )?;
    match outcome.failed.into_iter().next() {
        Some(error) => Err(DatasetError::Source(error)),
        None => Ok(()),
    }
}

fn sources(options: &SeedOptions) -> Result<Vec<NamedSource>, DatasetError> {
    let mut sources = Vec::new();
    for given in &options.sources {
        for name in spec::names(given)?.all()? {
            let source = spec::source(&name, &WalkOptions::default())?;
            sources.push((name, source));
        }
    }
    Ok(sources)
}

/// The tests of seeds that are there, by seed.
fn tests_of(seeds: &[Seed]) -> BTreeMap<String, String> {
    seeds.iter().filter_map(|seed| Some((seed.seed_id.clone(), seed.test.clone()?))).collect()
}

/// The tests of programs in files of rows, by project and path. A corpus does not keep them.
fn tests(options: &SeedOptions) -> Result<BTreeMap<(String, String), RowTests>, DatasetError> {
    let mut tests = BTreeMap::new();
    for (name, source) in sources(options)? {
        if !name.starts_with("jsonl:") {
            continue;
        }
        source.read(&Limits::default(), &mut |found| {
            if let Found::Item(item) = found
                && let Some(row) = item.tests
            {
                tests.insert((item.occurrence.project, item.occurrence.path), *row);
            }
            std::ops::ControlFlow::Continue(())
        })?;
    }
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_with_replies_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let known = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<_>>();
        assert!(keeps_replies(&project, &known(&[])).is_ok());
        let replies = ["a", "a", "b"].map(|it| Reply { seed_id: it.into(), ..Reply::default() });
        lines::write(&project.path(file::IMPORTED), &replies).expect("it is written");
        assert!(keeps_replies(&project, &known(&["a", "b"])).is_ok());
        let error = keeps_replies(&project, &known(&["b"])).expect_err("a would go").to_string();
        assert!(error.contains("1 seeds") && error.contains("--add"), "{error}");
    }

    #[test]
    fn languages_without_functions_are_named() {
        assert!(have_functions(&[]).is_ok() && have_functions(&[Language::Java, Language::Swift]).is_ok());
        let error =
            have_functions(&[Language::Java, Language::Cobol]).expect_err("none are found").to_string();
        assert!(
            error.starts_with("--lang cobol: ") && error.contains(" c, cpp, csharp, go, java,"),
            "{error}"
        );
    }

    #[test]
    fn one_license_of_a_choice_is_enough() {
        let named = ["MIT", "Apache-2.0"].map(str::to_owned);
        for expression in
            ["MIT", "MIT OR GPL-3.0-only", "MIT AND Apache-2.0", "GPL-2.0-only OR (MIT AND Apache-2.0)"]
        {
            assert!(may_be_taken(expression, &named), "{expression}");
        }
        for expression in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "NOASSERTION"] {
            assert!(!may_be_taken(expression, &named), "{expression}");
        }
    }
}

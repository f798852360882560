//! Puts both sides of pairs into the files of a system, so that detectors can be run on something real (GPTCloneBench, Section III-D).
//!
//! A side stands where a function may stand: in the body of a class, or between the functions of a file. The file still parses
//! afterwards, and no file has both sides of a pair. A manifest says where everything is.
//!
//! `place` is where a side stands. `host` reads and writes the system, `places` finds where a function may stand, `deal` gives each side
//! its place, and `compile` says which pairs keep the system from compiling.

mod compile;
mod deal;
mod host;
mod place;
mod places;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use familiar_source::{Fragment, FragmentKind, Language, Progress, Silent};
use familiar_syntax::{Parser, Want};
use rayon::prelude::*;
use serde::Serialize;

use crate::error::DatasetError;
use crate::judge::released::Judged;
use crate::lines::{self, Writer};
use crate::pair::Pair;
use crate::pool;
use crate::project::{Project, file, vacant};
use crate::split::splits;

use compile::Said;
use place::Sides;
pub use place::{Kind, Place};

/// The file that says where everything is; in the folder of the system.
pub const MANIFEST: &str = "injected.jsonl";

/// Controls have so many lines and tokens at least: no detector that is in use leaves out so large a function. BigCloneEval asks for six
/// lines and 50 tokens.
const CONTROL_LINES: u32 = 10;
const CONTROL_TOKENS: u32 = 120;

/// So many pairs are looked at together.
const LOOKED_AT: usize = 512;

/// What goes where.
#[derive(Clone, Debug)]
pub struct InjectOptions {
    /// The system.
    pub host: PathBuf,
    /// The folder of the system with the pairs; it must not exist, or be empty.
    pub output: PathBuf,
    /// So many pairs at most; all where 0.
    pub pairs: usize,
    /// So many functions are put in twice as they are: a detector that does not find them does not run.
    pub controls: usize,
    /// A command that compiles the system, run by the shell in its folder. Pairs with an error in them are taken out until it succeeds.
    pub compile: Option<String>,
    pub seed: u64,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// What was put in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InjectResult {
    /// Files of the system, and how many of them were changed.
    pub files: u64,
    pub changed: u64,
    pub pairs: u64,
    pub controls: u64,
    /// Pairs of which a side does not fit into any file that was tried, by kind.
    pub left_out: BTreeMap<Kind, u64>,
    /// Pairs that can stand nowhere in this system, by the reason; of those that were looked at, until there were as many as were asked for.
    pub unfit: BTreeMap<&'static str, u64>,
    /// Pairs that do not compile in this system, with what the compiler said.
    pub not_compiling: BTreeMap<String, String>,
    /// Files of the system that could not be read; with the reason.
    pub skipped: Vec<String>,
}

/// Puts the pairs of a project into a system.
pub fn run(
    project: &Project,
    options: &InjectOptions,
    progress: &dyn Progress,
) -> Result<InjectResult, DatasetError> {
    pool(options.threads)?.install(|| {
        vacant(&options.output)?;
        if is_within(&options.output, &options.host) {
            return Err(DatasetError::InHost(options.output.clone()));
        }
        let all: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
        if all.is_empty() {
            return Err(DatasetError::Missing { what: "pairs", step: "filter" });
        }
        progress.stage("reading the system", 0);
        let host = host::Host::read(&options.host)?;
        let (sides, unfit) = chosen(&all, &Judged::load(project, &all)?, &host, options);
        if sides.is_empty() {
            let reasons: Vec<String> =
                unfit.iter().map(|(reason, count)| format!("{count} pairs: {reason}")).collect();
            return Err(DatasetError::NoHost { host: options.host.clone(), reasons: reasons.join("; ") });
        }
        Ok(InjectResult { unfit, ..inject(&host, sides, options, progress)? })
    })
}

/// Whether a folder that need not exist lies in another one.
fn is_within(folder: &Path, other: &Path) -> bool {
    let Ok(other) = other.canonicalize() else { return false };
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    // Where it does not exist, a folder above it does.
    whole
        .ancestors()
        .find_map(|above| above.canonicalize().ok())
        .is_some_and(|above| above.starts_with(other))
}

/// The pairs that can stand in the system, and the controls, in an order by chance. And how many pairs cannot, by the reason.
fn chosen(
    all: &[Pair],
    judged: &Judged,
    host: &host::Host,
    options: &InjectOptions,
) -> (Vec<Sides>, BTreeMap<&'static str, u64>) {
    let parts = splits(all, options.seed);
    let mut reasons: BTreeMap<&'static str, u64> = BTreeMap::new();
    let has = |lang: &String| host.by_language.contains_key(lang.as_str());
    let (mut order, without): (Vec<usize>, Vec<usize>) =
        (0..all.len()).partition(|&at| has(&all[at].lang1) && has(&all[at].lang2));
    if !without.is_empty() {
        reasons.insert("the system has no file in their language", without.len() as u64);
    }
    let mut leave = |reason: &'static str| *reasons.entry(reason).or_default() += 1;
    order.sort_by_key(|&at| deal::drawn(options.seed, &all[at].id, 0));
    let most = if options.pairs == 0 { all.len() } else { options.pairs };
    let mut chosen: Vec<(usize, Kind)> = Vec::new();
    // Asking the grammar takes most of the time, so no more are asked about than are needed.
    for some in order.chunks(LOOKED_AT) {
        if chosen.len() == most {
            break;
        }
        let fit: Vec<bool> = some.par_iter().map(|&at| fits(&all[at])).collect();
        for (&at, fits) in some.iter().zip(fit) {
            match judged.kind(&all[at]) {
                _ if chosen.len() == most => break,
                _ if !fits => leave("a side does not parse where functions stand"),
                None => leave("judges do not agree that they are clones or are none"),
                Some(kind) => chosen.push((at, kind)),
            }
        }
    }
    let sides = |at: usize, kind: Kind, id: String, other: &str, lang: &str| Sides {
        id,
        kind,
        prompt: all[at].prompt.clone(),
        split: parts[at],
        langs: [all[at].lang1.clone(), lang.to_owned()],
        codes: [all[at].code1.clone(), other.to_owned()],
    };
    let used: BTreeSet<&str> = chosen.iter().map(|&(at, _)| all[at].seed_id.as_str()).collect();
    let controls = control_seeds(all, host, &used, options).into_iter().map(|at| {
        let pair = &all[at];
        sides(at, Kind::Control, format!("control.{}", pair.seed_id), &pair.code1, &pair.lang1)
    });
    let pairs = chosen.iter().map(|&(at, kind)| {
        let pair = &all[at];
        sides(at, kind, pair.id.clone(), &pair.code2, &pair.lang2)
    });
    (controls.chain(pairs).collect(), reasons)
}

/// Whether both sides of a pair are code that may stand where functions of their languages stand.
fn fits(pair: &Pair) -> bool {
    let takes = |lang: &str, code: &str| {
        Language::from_name(lang).is_some_and(|language| places::takes(language, code))
    };
    takes(&pair.lang1, &pair.code1) && takes(&pair.lang2, &pair.code2)
}

/// Pairs whose seeds are controls: each seed once, one function that is large enough. Those come first that are in no pair which is put in: a
/// third copy would make chains, of which some detectors report no pair for each two.
fn control_seeds(
    all: &[Pair],
    host: &host::Host,
    used: &BTreeSet<&str>,
    options: &InjectOptions,
) -> Vec<usize> {
    let mut seeds: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, pair) in all.iter().enumerate() {
        if host.by_language.contains_key(pair.lang1.as_str()) {
            seeds.entry(&pair.seed_id).or_insert(at);
        }
    }
    let mut order: Vec<(&str, usize)> = seeds.into_iter().collect();
    order.sort_by_key(|(seed, _)| (used.contains(seed), deal::drawn(options.seed, seed, 0)));
    let mut parser = Parser::default();
    let mut is_control = |at: usize| {
        let (pair, code) = (&all[at], all[at].code1.as_bytes());
        let language = Language::from_name(&pair.lang1).unwrap_or(Language::Other);
        let parsed = parser.parse(language, code, Want { fragments: true, ..Want::default() });
        let is_large = |it: &Fragment| {
            it.kind == FragmentKind::Function
                && it.bytes.end - it.bytes.start >= code.trim_ascii().len() as u32
                && it.lines.end + 1 - it.lines.start >= CONTROL_LINES
                && it.tokens.end - it.tokens.start >= CONTROL_TOKENS
        };
        parsed.fragments.iter().any(is_large) && places::takes(language, &pair.code1)
    };
    order.into_iter().map(|(_, at)| at).filter(|&at| is_control(at)).take(options.controls).collect()
}

fn inject(
    host: &host::Host,
    sides: Vec<Sides>,
    options: &InjectOptions,
    progress: &dyn Progress,
) -> Result<InjectResult, DatasetError> {
    let mut result = InjectResult {
        files: host.files.len() as u64,
        skipped: host.skipped.clone(),
        ..InjectResult::default()
    };
    progress.stage("putting pairs in", sides.len() as u64);
    let mut sides = sides;
    let mut dealt = deal::deal(host, &sides, options.seed, progress);
    progress.stage("writing the system", 0);
    let unfinished = Unfinished::of(&options.output)?;
    let output = unfinished.0.as_path();
    result.skipped.extend(host.write(output, &dealt.changed)?);
    if let Some(command) = &options.compile {
        progress.stage("compiling the system", 0);
        // Each round takes some pairs out, so there is a last one.
        while let Said::Errors(errors) = compile::check(command, output, &dealt.places)? {
            sides.retain(|it| !errors.contains_key(&it.id));
            result.not_compiling.extend(errors);
            let before: BTreeSet<usize> = dealt.changed.keys().copied().collect();
            dealt = deal::deal(host, &sides, options.seed, &Silent);
            let which = before.into_iter().chain(dealt.changed.keys().copied()).collect();
            host.write_some(output, &dealt.changed, &which)?;
        }
    }
    result.left_out = dealt.left_out;
    let mut places = dealt.places;
    places.sort_by(|a, b| (&a.id, a.side).cmp(&(&b.id, b.side)));
    result.controls = places.iter().filter(|it| it.kind == Kind::Control).count() as u64 / 2;
    result.pairs = places.len() as u64 / 2 - result.controls;
    result.changed = dealt.changed.len() as u64;
    let mut writer = Writer::create(&output.join(MANIFEST))?;
    places.iter().try_for_each(|place| writer.row(place))?;
    writer.finish()?;
    unfinished.finish(&options.output)?;
    Ok(result)
}

/// A folder that takes its name when it is whole, and goes otherwise.
struct Unfinished(PathBuf);

impl Unfinished {
    fn of(folder: &Path) -> Result<Self, DatasetError> {
        // An empty folder may have several names, such as `.`.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.components().collect());
        let mut name = OsString::from(".");
        name.push(folder.file_name().unwrap_or_default());
        name.push(".unfinished");
        let path = folder.with_file_name(name);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(|source| DatasetError::Write { path: path.clone(), source })?;
        }
        Ok(Self(path))
    }

    fn finish(self, folder: &Path) -> Result<(), DatasetError> {
        let failed = |source| DatasetError::Write { path: folder.to_owned(), source };
        if folder.exists() {
            // It is empty.
            let folder = folder.canonicalize().map_err(failed)?;
            fs::remove_dir(&folder).map_err(failed)?;
            return fs::rename(&self.0, folder).map_err(failed);
        }
        fs::rename(&self.0, folder).map_err(failed)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After an error. What cannot be removed now goes when it is made again.
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! Puts both sides of pairs into the files of a system, so that detectors can be run on something real (GPTCloneBench, Section III-D).
//!
//! A side stands where a function may stand: in the body of a class, or between the functions of a file. The file still parses
//! afterwards, and no file has both sides of a pair. A manifest says where everything is.
//!
//! `host` reads and writes the system, `places` finds where a function may stand, and `deal` gives each side its place.

mod deal;
mod host;
mod places;

use std::collections::BTreeMap;
use std::path::PathBuf;

use familiar_source::Progress;
use serde::{Deserialize, Serialize};

use crate::error::DatasetError;
use crate::lines::{self, Writer};
use crate::pair::{Band, Pair};
use crate::pool;
use crate::project::{Project, file};
use crate::split::{Split, splits};

/// The file that says where everything is; in the folder of the system.
pub const MANIFEST: &str = "injected.jsonl";

/// What goes where.
#[derive(Clone, Debug)]
pub struct InjectOptions {
    /// The system.
    pub host: PathBuf,
    /// The folder of the system with the pairs; it must not exist.
    pub output: PathBuf,
    /// So many pairs at most; all where 0.
    pub pairs: usize,
    /// So many functions are put in twice as they are: a detector that does not find them does not run.
    pub controls: usize,
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
    /// Files of the system that could not be read; with the reason.
    pub skipped: Vec<String>,
}

/// A row of the manifest: one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The name of the pair.
    pub id: String,
    /// 1 is the seed, and 2 the implementation; of a control, both are the seed.
    pub side: u8,
    pub kind: Kind,
    pub lang: String,
    pub prompt: String,
    pub split: Split,
    /// Below the folder of the system, with `/` between its parts.
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
}

/// What a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Both sides are equal.
    Control,
    False,
    Type3,
    Type4,
    CrossLanguage,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::False => "false",
            Self::Type3 => "type3",
            Self::Type4 => "type4",
            Self::CrossLanguage => "cross-language",
        }
    }

    pub fn of(band: Band) -> Self {
        match band {
            Band::False => Self::False,
            Band::Type3 => Self::Type3,
            Band::Type4 => Self::Type4,
            Band::CrossLanguage => Self::CrossLanguage,
        }
    }
}

/// Both sides of something that is put in.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) prompt: String,
    pub(crate) split: Split,
    pub(crate) langs: [String; 2],
    pub(crate) codes: [String; 2],
}

/// Puts the pairs of a project into a system.
pub fn run(
    project: &Project,
    options: &InjectOptions,
    progress: &dyn Progress,
) -> Result<InjectResult, DatasetError> {
    pool(options.threads)?.install(|| {
        if options.output.exists() {
            return Err(DatasetError::Exists(options.output.clone()));
        }
        let all: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
        if all.is_empty() {
            return Err(DatasetError::Missing { what: "pairs", step: "filter" });
        }
        progress.stage("reading the system", 0);
        let host = host::Host::read(&options.host)?;
        let sides = chosen(&all, &host, options);
        if sides.is_empty() {
            return Err(DatasetError::NoHost(options.host.clone()));
        }
        inject(&host, &sides, options, progress)
    })
}

/// The pairs whose languages the system has, and the controls, in an order by chance.
fn chosen(all: &[Pair], host: &host::Host, options: &InjectOptions) -> Vec<Sides> {
    let parts = splits(all, options.seed);
    let has = |lang: &str| host.by_language.contains_key(lang);
    let mut order: Vec<usize> =
        (0..all.len()).filter(|&at| has(&all[at].lang1) && has(&all[at].lang2)).collect();
    order.sort_by_key(|&at| deal::drawn(options.seed, &all[at].id, 0));
    let sides = |at: usize, kind: Kind, id: String, other: &str, lang: &str| Sides {
        id,
        kind,
        prompt: all[at].prompt.clone(),
        split: parts[at],
        langs: [all[at].lang1.clone(), lang.to_owned()],
        codes: [all[at].code1.clone(), other.to_owned()],
    };
    let controls = order.iter().rev().take(options.controls).map(|&at| {
        let pair = &all[at];
        sides(at, Kind::Control, format!("control.{}", pair.id), &pair.code1, &pair.lang1)
    });
    let most = if options.pairs == 0 { all.len() } else { options.pairs };
    let pairs = order.iter().take(most).map(|&at| {
        let pair = &all[at];
        sides(at, Kind::of(pair.band), pair.id.clone(), &pair.code2, &pair.lang2)
    });
    controls.chain(pairs).collect()
}

fn inject(
    host: &host::Host,
    sides: &[Sides],
    options: &InjectOptions,
    progress: &dyn Progress,
) -> Result<InjectResult, DatasetError> {
    let mut result = InjectResult {
        files: host.files.len() as u64,
        skipped: host.skipped.clone(),
        ..InjectResult::default()
    };
    progress.stage("putting pairs in", sides.len() as u64);
    let dealt = deal::deal(host, sides, options.seed, progress);
    result.left_out = dealt.left_out;
    let mut places = dealt.places;
    places.sort_by(|a, b| (&a.id, a.side).cmp(&(&b.id, b.side)));
    result.controls = places.iter().filter(|it| it.kind == Kind::Control).count() as u64 / 2;
    result.pairs = places.len() as u64 / 2 - result.controls;
    result.changed = dealt.changed.len() as u64;
    progress.stage("writing the system", 0);
    result.skipped.extend(host.write(&options.output, &dealt.changed)?);
    // The manifest comes last: with it the folder is whole.
    let mut writer = Writer::create(&options.output.join(MANIFEST))?;
    places.iter().try_for_each(|place| writer.row(place))?;
    writer.finish()?;
    Ok(result)
}

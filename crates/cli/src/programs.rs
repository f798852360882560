//! The flags that choose programs of a file, and the detectors that are asked about them.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use familiar_engine::Measure;
use familiar_evaluate::attack::{ChangesDetector, CommandDetector, Detector, PairDetector};
use familiar_evaluate::{Judge, Selection};
use familiar_source::Language;
use familiar_transform::catalog::{SETS, Set};

use crate::{encoders, values};

/// Which rows of a file of programs take part.
#[derive(clap::Args, Debug)]
pub(crate) struct Programs {
    /// Use at most N programs: the first ones
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    programs: Option<usize>,
    /// The field that names the problem of a program [default: problem_id, or id in rows without it]
    #[arg(long, value_name = "FIELD")]
    group: Option<String>,
    /// Use at most N programs of each problem in each language: the first ones
    #[arg(long, value_name = "N")]
    max_per_group: Option<NonZeroUsize>,
    /// Leave out one problem in N, chosen by a hash of its name: those that `transform design --one-of N` reads
    #[arg(long, value_name = "N")]
    but_one_of: Option<NonZeroU64>,
    /// Use only rows in these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Use only rows in which a field has this value, such as split=valid. May be repeated
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = values::condition)]
    conditions: Vec<(String, String)>,
}

impl Programs {
    /// Most programs that take part; 0 stands for all.
    pub(crate) fn most(&self) -> usize {
        self.programs.unwrap_or(0)
    }

    pub(crate) fn selection(&self) -> Selection {
        let usual = Selection::default();
        Selection {
            group_otherwise: self.group.is_none().then(|| "id".to_owned()),
            group: self.group.clone().unwrap_or(usual.group),
            languages: self.lang.clone(),
            filters: self.conditions.clone(),
            max_per_group: self.max_per_group,
            one_of: None,
            but_one_of: self.but_one_of,
        }
    }
}

/// Detectors in this process that are none of ours.
pub(crate) type Guests = [Arc<dyn PairDetector>];

/// [`detector`], or the guest of this name.
pub(crate) fn detector_or_guest(
    name: &str,
    guests: &Guests,
    patience: u64,
    threads: usize,
) -> anyhow::Result<Detector> {
    match guests.iter().find(|guest| guest.name() == name) {
        Some(guest) => Ok(Detector::Guest(Arc::clone(guest))),
        None => detector(name, patience, threads),
    }
}

/// The measure, the encoder or the program of this name. `patience` is how many seconds an answer of a program may take.
pub(crate) fn detector(name: &str, patience: u64, threads: usize) -> anyhow::Result<Detector> {
    if let Some(command) = name.strip_prefix("command:") {
        let patience = Duration::from_secs(patience.max(1));
        return Ok(Detector::Command(Arc::new(CommandDetector::start(command, patience)?)));
    }
    if name == ChangesDetector::NAME {
        return Ok(Detector::Guest(Arc::new(ChangesDetector)));
    }
    Ok(Detector::Judge(match Measure::from_name(name) {
        Some(measure) => Judge::Measure(measure),
        // What is left is an encoder, or says which one it is.
        None if name.contains(':') => Judge::Encoder(encoders::open(name, threads)?),
        None => Judge::Encoder(encoders::open(name, threads).with_context(|| {
            let measures = Measure::ALL.map(Measure::name).join(", ");
            format!("{name} is neither a measure ({measures}) nor command:PROGRAM")
        })?),
    }))
}

/// The set of this name, one of the catalogue.
pub(crate) fn set(name: &str) -> anyhow::Result<&'static Set> {
    Set::named(name).with_context(|| {
        let names: Vec<_> = SETS.iter().map(|set| set.name).collect();
        format!("--set {name}: there is no such set; there are {}", names.join(", "))
    })
}

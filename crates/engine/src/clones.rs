//! `familiar clones`: the clones inside and among trees, nothing persisted.

use std::io;
use std::path::PathBuf;

use familiar_corpus::Document;
use familiar_corpus::dir::{self, Listing, WalkError, WalkOptions};
use familiar_index::{FileEntry, Side};
use familiar_report::{
    ClassRow, CloneReport, FragmentRow, PairRow, PairSource, Settings, class_fingerprint, pair_fingerprint,
};
use familiar_search::Matches;
use familiar_search::classes::{Class, Pair, Pairs};
use familiar_source::{FragmentKind, Lines};
use familiar_syntax::normal::Renaming;

use crate::changed::{Changed, ChangedError};
use crate::ingest::{self, Ingested, Reading};
use crate::rank::Rarity;
use crate::resolve::{self, Sources, Text};
use crate::{Baseline, CloneOptions, OptionsError, Progress, detect, summary};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum CloneError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Changed(#[from] ChangedError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error(
        "cannot keep tokens in a temporary file in {}: {source}; free some space, set TMPDIR, or raise --memory",
        std::env::temp_dir().display()
    )]
    Spill { source: io::Error },
}

/// Finds the clones that `options` ask for; those that `baseline` holds stay quiet.
pub fn run(
    options: &CloneOptions,
    baseline: Option<&Baseline>,
    progress: &dyn Progress,
) -> Result<CloneReport, CloneError> {
    options.check()?;
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| CloneError::Threads { threads, source })?;
    pool.install(|| Search::start(options, progress)?.report(baseline, progress))
}

/// A search whose input is read and whose matches are found.
struct Search<'o> {
    options: &'o CloneOptions,
    roots: Vec<PathBuf>,
    documents: Vec<Document>,
    ingested: Ingested,
    reading: Reading,
}

impl<'o> Search<'o> {
    fn start(options: &'o CloneOptions, progress: &dyn Progress) -> Result<Self, CloneError> {
        let sides = !options.query.is_empty();
        let roots: Vec<PathBuf> =
            if sides { [&options.query[..], &options.against].concat() } else { options.paths.clone() };
        progress.stage("listing files", 0);
        let walk = WalkOptions { exclude: options.exclude.clone(), no_ignore: options.no_ignore };
        let Listing { documents, skips } = dir::walk(&roots, &walk)?;
        let queries = options.query.len() as u32;
        let side = |root: u32| match (sides, root < queries) {
            (false, _) => Side::Both,
            (true, true) => Side::Query,
            (true, false) => Side::Against,
        };
        let reading = Reading::new(options);
        let mut ingested = ingest::ingest(&documents, side, &reading, options.memory, progress)
            .map_err(|source| CloneError::Spill { source })?;
        ingested.skips.extend(skips);
        Ok(Self { options, roots, documents, ingested, reading })
    }

    fn report(
        mut self,
        baseline: Option<&Baseline>,
        progress: &dyn Progress,
    ) -> Result<CloneReport, CloneError> {
        let spill = |source| CloneError::Spill { source };
        let samples = self.ingested.samples.take();
        let found = detect::detect(&self.ingested.collection, samples.as_deref(), self.options, progress)
            .map_err(spill)?;
        drop(samples);
        progress.stage("reading what was found", 0);
        let mut skips = std::mem::take(&mut self.ingested.skips);
        let (found, texts) = resolve::resolve(found, &self.sources(), self.options.min_lines, &mut skips);
        let matches = found.into_matches();
        let touching = self.changed_items(&matches, &texts)?;
        let pairs = Pairs::new(&matches, &self.ingested.collection.files, &self.options.types, self.cross())
            .touching(touching.clone());
        let mut classes = pairs.classes();
        let mut rows = pairs.rays_and_links(&classes);
        let mut class_rows = self.class_rows(&matches, &texts, &classes).map_err(spill)?;
        let accepted = baseline.map_or(0, |baseline| {
            leave_out_accepted(baseline.clone(), &texts, &mut classes, &mut class_rows, &mut rows)
        });
        let with_pair: Vec<bool> = (0..texts.len() as u32).map(|item| pairs.has_any(item)).collect();
        let mut report_summary = summary::of_input(&self.ingested);
        report_summary.accepted = accepted;
        report_summary.pairs = rows.len() as u64;
        report_summary.classes = classes.len() as u64;
        report_summary.duplicated_lines = summary::duplicated_lines(&matches, &texts, &classes);
        report_summary.duplication =
            report_summary.duplicated_lines as f64 / report_summary.lines.max(1) as f64;
        report_summary.skipped = summary::skipped(skips);
        drop(pairs);
        let ids = ids(&with_pair);
        let fragments = self.fragment_rows(&matches, &texts, &ids);
        let renumber = Renumber { ids: &ids, measure: self.options.measure.name(), texts: &texts };
        let class_rows = self.ranked(renumber.classes(class_rows), &fragments);
        let pair_rows = rows.iter().map(|pair| renumber.pair(pair)).collect();
        let settings = self.settings();
        let class_of = class_of(&classes, texts.len());
        let all_pairs = Box::new(AllPairs {
            files: self.ingested.collection.files,
            types: self.options.types.clone(),
            cross_families: self.options.cross_language,
            measure: self.options.measure.name(),
            most_per_class: self.options.max_pairs_per_class,
            touching,
            matches,
            texts,
            ids,
            class_of,
        });
        Ok(CloneReport {
            settings,
            summary: report_summary,
            fragments,
            pairs: pair_rows,
            classes: class_rows,
            all_pairs,
        })
    }

    fn cross(&self) -> bool {
        self.options.cross_language
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            documents: &self.documents,
            files: &self.ingested.files,
            collection: &self.ingested.collection,
            reading: &self.reading,
            renaming: self.options.renaming(),
        }
    }

    fn document(&self, matches: &Matches, item: u32) -> &Document {
        let file = matches.items()[item as usize].place.file;
        &self.documents[self.ingested.files[file as usize].document as usize]
    }

    /// Which items touch lines changed since the revision that the options name.
    fn changed_items(&self, matches: &Matches, texts: &[Text]) -> Result<Option<Vec<bool>>, CloneError> {
        let Some(revision) = &self.options.changed_since else { return Ok(None) };
        let changed: Vec<Changed> =
            self.roots.iter().map(|root| Changed::since(root, revision)).collect::<Result<_, _>>()?;
        let touches = |(item, text): (u32, &Text)| {
            let document = self.document(matches, item);
            let path = document.path.raw_bytes().unwrap_or(document.path.as_str().as_bytes());
            changed[document.root as usize].touches(path, text.lines)
        };
        Ok(Some((0u32..).zip(texts).map(touches).collect()))
    }

    /// The classes with item numbers for fragments, not ranked yet.
    fn class_rows(&self, matches: &Matches, texts: &[Text], classes: &[Class]) -> io::Result<Vec<ClassRow>> {
        let collection = &self.ingested.collection;
        let rarity = Rarity::of(collection)?;
        let row = |class: &Class| {
            let representative = class.members[0];
            let place = matches.items()[representative as usize].place;
            let others = (class.members.len() - 1) as f64;
            Ok(ClassRow {
                representative,
                members: class.members.clone(),
                clone_type: class.clone_type,
                lines: texts[representative as usize].lines.count(),
                rank: 0,
                score: (f64::from(place.tokens.len()) * others * rarity.bits(collection, place)?).round(),
                fingerprint: class_fingerprint(
                    class.members.iter().map(|&member| texts[member as usize].form),
                ),
                excerpt: None,
            })
        };
        classes.iter().map(row).collect()
    }

    /// Sorts the classes by score, numbers them, and quotes the first.
    fn ranked(&self, mut classes: Vec<ClassRow>, fragments: &[FragmentRow]) -> Vec<ClassRow> {
        classes.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.representative.cmp(&b.representative)));
        for (at, class) in classes.iter_mut().enumerate() {
            class.rank = at as u32 + 1;
        }
        for class in classes.iter_mut().take(self.options.excerpts) {
            let fragment = &fragments[class.representative as usize];
            let document = self.documents.binary_search_by(|d| {
                (d.root, d.path.as_str()).cmp(&(fragment.root, fragment.path.as_str()))
            });
            let lines = Lines::new(fragment.start_line, fragment.end_line);
            class.excerpt = document.ok().and_then(|at| summary::excerpt(&self.documents[at], lines));
        }
        classes
    }

    fn fragment_rows(&self, matches: &Matches, texts: &[Text], ids: &[Option<u32>]) -> Vec<FragmentRow> {
        let row = |item: u32, id: u32| {
            let document = self.document(matches, item);
            let (at, text) = (matches.items()[item as usize], &texts[item as usize]);
            FragmentRow {
                id,
                path: document.path.as_str().to_owned(),
                path_bytes: document.path.raw_bytes().map(<[u8]>::to_vec),
                root: document.root,
                language: self.ingested.files[at.place.file as usize].language.name(),
                kind: at.kind.name(),
                name: text.name.clone(),
                start_line: text.lines.start,
                end_line: text.lines.end,
                start_byte: text.bytes.start,
                end_byte: text.bytes.end,
                tokens: at.place.tokens.len(),
            }
        };
        (0u32..).zip(ids).filter_map(|(item, id)| id.map(|id| row(item, id))).collect()
    }

    fn settings(&self) -> Settings {
        let options = self.options;
        Settings {
            granularity: options.granularity.iter().map(|kind: &FragmentKind| kind.name()).collect(),
            types: options.types.clone(),
            measure: options.measure.name(),
            similarity: options.threshold(),
            renaming: match options.renaming() {
                Renaming::Blind => "blind",
                Renaming::Consistent => "consistent",
            },
            min_tokens: options.min_tokens,
            min_lines: options.min_lines,
            max_gap_tokens: options.max_gap_tokens,
            roots: self.roots.iter().map(|root| root.to_string_lossy().into_owned()).collect(),
        }
    }
}

/// Numbers, densely, the items that are part of a pair.
fn ids(with_pair: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&pair: &bool| {
        pair.then(|| {
            next += 1;
            next - 1
        })
    };
    with_pair.iter().map(number).collect()
}

/// The class of each item.
fn class_of(classes: &[Class], items: usize) -> Vec<Option<u32>> {
    let mut class_of = vec![None; items];
    for (number, class) in (0u32..).zip(classes) {
        for &member in &class.members {
            class_of[member as usize] = Some(number);
        }
    }
    class_of
}

/// Takes accepted classes and their pairs out; returns how many there were.
fn leave_out_accepted(
    mut baseline: Baseline,
    texts: &[Text],
    classes: &mut Vec<Class>,
    rows: &mut Vec<ClassRow>,
    pairs: &mut Vec<Pair>,
) -> u64 {
    let fingerprint =
        |left: u32, right: u32| pair_fingerprint(texts[left as usize].form, texts[right as usize].form);
    let before = rows.len();
    let mut accepted_items = vec![false; texts.len()];
    let keep: Vec<bool> = rows
        .iter()
        .map(|class| {
            let rays: Vec<String> =
                class.members[1..].iter().map(|&member| fingerprint(class.representative, member)).collect();
            let accepted = baseline.accepts(&class.fingerprint, &rays);
            if accepted {
                class.members.iter().for_each(|&member| accepted_items[member as usize] = true);
            }
            !accepted
        })
        .collect();
    let mut kept = keep.iter();
    classes.retain(|_| *kept.next().expect("as many as rows"));
    let mut kept = keep.iter();
    rows.retain(|_| *kept.next().expect("as many as rows"));
    pairs.retain(|pair| !(accepted_items[pair.left as usize] && accepted_items[pair.right as usize]));
    (before - rows.len()) as u64
}

/// Turns item numbers into fragment ids.
struct Renumber<'r> {
    ids: &'r [Option<u32>],
    measure: &'static str,
    texts: &'r [Text],
}

impl Renumber<'_> {
    fn id(&self, item: u32) -> u32 {
        self.ids[item as usize].expect("an item of a pair has an id")
    }

    fn pair(&self, pair: &Pair) -> PairRow {
        let form = |item: u32| self.texts[item as usize].form;
        PairRow {
            left: self.id(pair.left),
            right: self.id(pair.right),
            clone_type: pair.relation.clone_type,
            similarity: pair.relation.similarity,
            measure: self.measure,
            fingerprint: pair_fingerprint(form(pair.left), form(pair.right)),
            alignment: Vec::new(),
        }
    }

    fn classes(&self, mut classes: Vec<ClassRow>) -> Vec<ClassRow> {
        for class in &mut classes {
            class.representative = self.id(class.representative);
            for member in &mut class.members {
                *member = self.id(*member);
            }
        }
        classes
    }
}

/// Every pair of a finished search.
struct AllPairs {
    matches: Matches,
    files: Vec<FileEntry>,
    types: Vec<u8>,
    cross_families: bool,
    measure: &'static str,
    most_per_class: Option<u64>,
    touching: Option<Vec<bool>>,
    texts: Vec<Text>,
    ids: Vec<Option<u32>>,
    class_of: Vec<Option<u32>>,
}

impl PairSource for AllPairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        let pairs = Pairs::new(&self.matches, &self.files, &self.types, self.cross_families)
            .touching(self.touching.clone());
        let renumber = Renumber { ids: &self.ids, measure: self.measure, texts: &self.texts };
        let classes = self.class_of.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut seen = vec![0u64; classes];
        pairs.for_each(|pair| {
            let (left, right) = (self.class_of[pair.left as usize], self.class_of[pair.right as usize]);
            if let (Some(class), true, Some(most)) = (left, left == right, self.most_per_class) {
                seen[class as usize] += 1;
                if seen[class as usize] > most {
                    return Ok(());
                }
            }
            visit(&renumber.pair(&pair))
        })
    }
}

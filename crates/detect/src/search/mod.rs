//! The way of a search: documents to a collection, to matches, to a report.

mod classes;
mod sides;

use std::path::PathBuf;
use std::sync::Arc;

use familiar_files::input::Input;
use familiar_files::{Document, Skip};
use familiar_index::Side;
use familiar_index::vectors::FragmentVectors;
use familiar_report::{CloneReport, FragmentRow, Settings, Summary, Unsettled};
use familiar_review::Decisions;
use familiar_search::classes::Pairs;
use familiar_search::evidence::Commonness;
use familiar_search::information::Limit;
use familiar_search::runs::FileFingerprints;
use familiar_search::{Matches, Measure};
use familiar_source::{FragmentKind, Progress};
use familiar_syntax::normal::Renaming;
use rayon::ThreadPool;

use crate::baseline::Findings;
use crate::behavior::{Behavior, Encoding};
use crate::changed::Changed;
use crate::explain::Explainer;
use crate::ingest::{FileInfo, Ingested, Part};
use crate::matching::Detected;
use crate::memory::Memory;
use crate::rank::Rarity;
use crate::reading::Reading;
use crate::resolve::{self, Sources, Text};
use crate::stream::{self, AllPairs, Choice, Finished, Idioms, SomePairs};
use crate::texts::Documents;
use crate::whole::Whole;
use crate::{Baseline, CloneOptions, DetectError, baseline, matching, roots, summary};

pub use sides::{Against, QuerySide};

/// Threads for searches.
pub fn pool(threads: usize) -> Result<Arc<ThreadPool>, DetectError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Arc::new).map_err(|source| DetectError::Threads { threads, source })
}

/// Finds the clones among documents that lie in no tree.
pub fn among(
    options: &CloneOptions,
    input: Input,
    pool: &Arc<ThreadPool>,
    progress: &dyn Progress,
) -> Result<CloneReport, DetectError> {
    options.check()?;
    pool.install(|| {
        Search::read(options, input, |_| Side::Both, progress)?.report(None, progress, pool.clone())
    })
}

/// Where the documents of a search lie, and what is known of them beside their text.
#[derive(Debug, Default)]
pub struct Scope {
    pub roots: Vec<PathBuf>,
    /// How many of the roots, the first ones, are trees; the others are projects of corpora, which lie nowhere.
    pub trees: usize,
    /// Files that are left out already.
    pub skips: Vec<Skip>,
    /// Whether pairs are to be told from idioms.
    pub idioms: bool,
    /// Whether only what the query's side holds is counted.
    pub counts_query: bool,
    /// Where some documents were handed out: whether each was.
    pub handed_out: Option<Vec<bool>>,
    /// Vectors that need not be made, with the encoder asked.
    pub stored: Option<FragmentVectors>,
}

/// A search whose input is read.
pub struct Search<'o> {
    options: &'o CloneOptions,
    scope: Scope,
    input: Arc<Input>,
    ingested: Ingested,
    reading: Reading,
    memory: Memory,
    whole: Option<Whole>,
}

impl<'o> Search<'o> {
    /// A search of files that were read before, as part of a tree.
    pub(crate) fn of_part(
        options: &'o CloneOptions,
        (input, ingested): (Input, Ingested),
        reading: Reading,
        memory: Memory,
        whole: Whole,
    ) -> Self {
        let (scope, input) = (Scope::default(), Arc::new(input));
        Self { options, scope, input, ingested, reading, memory, whole: Some(whole) }
    }

    /// Reads documents; `side` tells the side of each.
    pub fn read(
        options: &'o CloneOptions,
        input: Input,
        side: impl Fn(&Document) -> Side + Sync,
        progress: &dyn Progress,
    ) -> Result<Self, DetectError> {
        let (reading, memory) = (Reading::new(options), Memory::new(options.memory, &input.documents));
        let mut ingested = Ingested::new(&reading, memory);
        let all = Part { input: &input, first: 0, seen: None };
        ingested.read(all, side, &reading, memory, progress)?;
        let (scope, input) = (Scope::default(), Arc::new(input));
        Ok(Self { options, scope, input, ingested, reading, memory, whole: None })
    }

    /// The same search, of documents that lie there.
    pub fn within(mut self, mut scope: Scope) -> Self {
        self.ingested.skips.append(&mut scope.skips);
        Self { scope, ..self }
    }

    /// What is searched.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Bytes that vectors may take that were made before.
    pub fn stored_vectors_bytes(&self) -> usize {
        self.memory.stored_vectors()
    }

    /// Finds the clones that the options ask for; those that `accepted` holds stay quiet.
    pub fn report(
        mut self,
        accepted: Option<&Baseline>,
        progress: &dyn Progress,
        pool: Arc<ThreadPool>,
    ) -> Result<CloneReport, DetectError> {
        let (detected, commonness) = self.detected(progress)?;
        progress.stage("reading the findings", 0);
        let (matches, mut texts, rarity) = self.resolved(detected)?;
        let mut choice = self.choice(&matches, &texts)?;
        let mut summary = self.summary();
        let mut findings = self.findings(&choice, &matches, &texts, &rarity, commonness.as_deref())?;
        if let Some(accepted) = accepted {
            let (rest, hidden) = baseline::leave_out_accepted(accepted.clone(), findings);
            summary.accepted = self.nested(hidden.classes, &matches, &texts).len() as u64;
            summary.gone = hidden.gone;
            (findings, choice.accepted) = (rest, Some(hidden.pairs));
        }
        let shown = accepted.and_then(Baseline::of_shown);
        summary.unsettled = shown.map(|shown| self.unsettled(&summary, shown, &findings));
        let Findings { classes, class_rows, pairs, .. } = findings;
        let mut class_rows = self.ranked(class_rows, &matches, &texts);
        summary::count_findings(&mut summary, &matches, &texts, &classes, &class_rows);
        summary.pairs = pairs.len() as u64;
        let class_of = stream::class_of(&classes, texts.len());
        let ids = stream::ids(&choice.pairs(&matches));
        let fragments = self.fragment_rows(&matches, &mut texts, &ids);
        let (settings, roots) = (self.settings(), roots::all(&self.scope.roots[..self.scope.trees]));
        let sources = Documents { input: self.input.clone(), limits: self.reading.limits };
        let most_per_class = self.options.max_pairs_per_class;
        // The result starts threads of its own where it is read.
        let threads = pool.current_num_threads();
        drop(pool);
        let finished = Arc::new(self.finished(matches, choice, texts, ids, threads)?);
        finished.explain(&mut class_rows);
        finished.renumber(&mut class_rows);
        Ok(CloneReport {
            settings,
            roots,
            summary,
            fragments,
            pairs: Box::new(SomePairs { finished: finished.clone(), pairs }),
            classes: class_rows,
            all_pairs: Box::new(AllPairs { finished, most_per_class, class_of }),
            sources: Box::new(sources),
            decisions: Decisions::default(),
        })
    }

    /// What is counted of the findings without those that are settled and shown all the same.
    fn unsettled(&self, summary: &Summary, shown: Baseline, findings: &Findings<'_>) -> Unsettled {
        let (rest, _) = baseline::leave_out_accepted(shown, findings.clone());
        let rows = self.ranked(rest.class_rows, rest.matches, rest.texts);
        let mut counted = summary.clone();
        summary::count_findings(&mut counted, rest.matches, rest.texts, &rest.classes, &rows);
        Unsettled { classes: counted.classes, duplicated_lines: counted.duplicated_lines }
    }

    /// Compares what was read, within the memory; and how often tokens and statements stand, where that was counted.
    fn detected(
        &mut self,
        progress: &dyn Progress,
    ) -> Result<(Detected, Option<Arc<Commonness>>), DetectError> {
        let samples = std::mem::take(&mut self.ingested.samples);
        let sampled = samples.iter().flatten().flatten().map(FileFingerprints::bytes).sum();
        let similar = self.options.wants_fragments() && self.options.wants_type(3);
        self.memory.fit_fragments(&mut self.ingested.collection, sampled, similar)?;
        let (collection, behavior) = (&self.ingested.collection, self.behavior());
        let (options, whole) = (self.options, self.whole.as_ref());
        let (mut detected, commonness) =
            matching::detect(collection, &samples, options, self.memory, behavior.as_ref(), whole, progress)?;
        drop(samples);
        if let Some(about) = whole.and_then(|whole| whole.about) {
            detected = self.about(detected, about);
        }
        self.scope.stored = None;
        self.memory.fit_found(&mut self.ingested.collection, detected.items.len(), detected.links.len())?;
        Ok((detected, commonness))
    }

    /// The items that are part of a pair with one of `file`: no others need to be read once more.
    fn about(&self, detected: Detected, file: u32) -> Detected {
        let (files, options) = (&self.ingested.collection.files, self.options);
        let matches = detected.into_matches();
        let marks = matches.items().iter().map(|item| item.place.file == file).collect();
        let pairs = Pairs::new(&matches, files, &options.types, options.cross_language).touching(Some(marks));
        let keeps = pairs.have_any();
        drop(pairs);
        Detected::of(matches).keeping(&keeps)
    }

    /// Reads the files once more in which something was found, and counts how rare tokens are meanwhile.
    fn resolved(&mut self, detected: Detected) -> Result<(Matches, Vec<Text>, Rarity), DetectError> {
        let mut skips = std::mem::take(&mut self.ingested.skips);
        let ((detected, texts), rarity) = rayon::join(
            || resolve::resolve(detected, &self.sources(), self.options.min_lines, &mut skips),
            || Rarity::of(&self.ingested.collection),
        );
        self.ingested.skips = skips;
        Ok((detected.into_matches(), texts, rarity?))
    }

    /// What of the summary does not depend on the findings.
    fn summary(&mut self) -> Summary {
        let mut summary = summary::of_input(&self.ingested);
        if self.scope.counts_query {
            (summary.files, summary.bytes, summary.lines) = self.ingested.query;
        }
        summary.skipped = summary::skipped(std::mem::take(&mut self.ingested.skips));
        summary
    }

    /// The classes of the pairs that are chosen, and the pairs that a report lists.
    fn findings<'m>(
        &self,
        choice: &Choice,
        matches: &'m Matches,
        texts: &'m [Text],
        rarity: &Rarity,
        commonness: Option<&Commonness>,
    ) -> Result<Findings<'m>, DetectError> {
        let pairs = choice.pairs(matches);
        let classes = pairs.classes();
        let rows = pairs.rays_and_links(&classes);
        let class_rows = self.class_rows(matches, texts, &classes, rarity, commonness)?;
        Ok(Findings { matches, texts, classes, class_rows, pairs: rows })
    }

    /// All that pairs are made from.
    fn finished(
        self,
        matches: Matches,
        choice: Choice,
        texts: Vec<Text>,
        ids: Vec<Option<u32>>,
        threads: usize,
    ) -> Result<Finished, DetectError> {
        let (measure, collection) = (self.options.measure.name(), self.ingested.collection);
        let idioms = self.scope.idioms.then(|| Idioms::of(&collection)).transpose()?;
        let encoder = self.options.encoder.clone().filter(|_| self.options.explain);
        let (input, reading) = (self.input, self.reading);
        let explainer = encoder.map(|encoder| Explainer { encoder, input, reading });
        let files = self.ingested.files;
        Ok(Finished { matches, choice, texts, ids, measure, collection, idioms, threads, files, explainer })
    }

    /// Which pairs belong to the result, as far as the options say.
    fn choice(&self, matches: &Matches, texts: &[Text]) -> Result<Choice, DetectError> {
        Ok(Choice {
            files: self.ingested.collection.files.clone(),
            types: self.options.types.clone(),
            cross_families: self.options.cross_language,
            trees: self.options.between_projects.then(|| self.roots_of_files()),
            handed_out: self.handed_out_files(),
            touching: self.changed_items(matches, texts)?,
            accepted: None,
        })
    }

    /// For each file of the collection the number of its root.
    fn roots_of_files(&self) -> Vec<u32> {
        let root = |file: &FileInfo| self.input.documents[file.document as usize].root;
        self.ingested.files.iter().map(root).collect()
    }

    /// For each file of the collection whether it was handed out, where any was.
    fn handed_out_files(&self) -> Option<Vec<bool>> {
        let marks = self.scope.handed_out.as_ref()?;
        Some(self.ingested.files.iter().map(|file| marks[file.document as usize]).collect())
    }

    /// What tells whether fragments do the same, where that is asked for.
    fn behavior(&self) -> Option<Behavior<'_>> {
        let encoder = self.options.encoder.as_deref().filter(|_| self.options.wants_encoder())?;
        Some(Behavior {
            encoder,
            encoding: Encoding {
                input: &self.input,
                files: &self.ingested.files,
                reading: &self.reading,
                stored: self.scope.stored.as_ref().map(|vectors| (vectors, encoder.name())),
                cross_families: self.options.cross_language,
                memory: self.memory,
            },
            confidence: self.options.confidence,
            test_callbacks: self.options.test_callbacks,
        })
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            input: &self.input,
            files: &self.ingested.files,
            collection: &self.ingested.collection,
            reading: &self.reading,
            renaming: self.options.renaming(),
            token_lines: self.options.alignments && self.options.measure == Measure::Aligned,
            contents: self.options.explain,
            parses: self.whole.as_ref().map(|whole| &*whole.parses),
        }
    }

    /// The number of the document that an item stands in.
    fn document_number(&self, matches: &Matches, item: u32) -> u32 {
        let file = matches.items()[item as usize].place.file;
        self.ingested.files[file as usize].document
    }

    fn document(&self, matches: &Matches, item: u32) -> &Document {
        &self.input.documents[self.document_number(matches, item) as usize]
    }

    /// Which items touch lines changed since the revision that the options name.
    fn changed_items(&self, matches: &Matches, texts: &[Text]) -> Result<Option<Vec<bool>>, DetectError> {
        if let Some(about) = self.whole.as_ref().and_then(|whole| whole.about) {
            return Ok(Some(matches.items().iter().map(|item| item.place.file == about).collect()));
        }
        let Some(revision) = &self.options.changed_since else { return Ok(None) };
        let ignored = self.options.no_ignore;
        let changed = self.scope.roots.iter().map(|root| Changed::since(root, revision, ignored));
        let changed: Vec<Changed> = changed.collect::<Result<_, _>>()?;
        let touches = |(item, text): (u32, &Text)| {
            let document = self.document(matches, item);
            let path = document.path.raw_bytes().unwrap_or(document.path.as_str().as_bytes());
            changed[document.root as usize].touches(path, text.lines)
        };
        Ok(Some((0u32..).zip(texts).map(touches).collect()))
    }

    /// The rows of the fragments that have an id. Takes the names out of `texts`.
    fn fragment_rows(&self, matches: &Matches, texts: &mut [Text], ids: &[Option<u32>]) -> Vec<FragmentRow> {
        // Items are ordered by file: those of one share its path.
        let mut path: Arc<str> = Arc::default();
        let row = |(item, (text, &id)): (u32, (&mut Text, &Option<u32>))| {
            let document = self.document(matches, item);
            let at = matches.items()[item as usize];
            if *path != *document.path.as_str() {
                path = document.path.as_str().into();
            }
            Some(FragmentRow {
                id: id?,
                path: path.clone(),
                blob: self.input.blob(self.document_number(matches, item)).map(|blob| blob.swhid()),
                path_bytes: document.path.raw_bytes().map(<[u8]>::to_vec),
                root: document.root,
                language: self.ingested.files[at.place.file as usize].language.name(),
                kind: at.kind.name(),
                name: std::mem::take(&mut text.name),
                start_line: text.lines.start,
                end_line: text.lines.end,
                start_byte: text.bytes.start,
                end_byte: text.bytes.end,
                tokens: at.place.tokens.len(),
                form: text.form,
                document: self.document_number(matches, item),
            })
        };
        (0u32..).zip(texts.iter_mut().zip(ids)).filter_map(row).collect()
    }

    /// Tokens of all that the result is about.
    fn tokens_of_tree(&self) -> u64 {
        self.whole.as_ref().map_or_else(|| self.ingested.collection.tokens.total(), |whole| whole.tokens)
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
            min_tokens: options.limit().tokens(),
            min_bits: match options.limit_among(self.tokens_of_tree()) {
                Limit::Information(bits) => Some(bits),
                Limit::Tokens(_) => None,
            },
            min_lines: options.min_lines,
            max_gap_tokens: options.max_gap_tokens,
            changed_since: options.changed_since.clone(),
            encoder: self.behavior().map(|behavior| behavior.encoder.name().to_owned()),
            confidence: options.wants_type(4).then_some(options.confidence),
            test_callbacks: options.wants_type(4).then_some(options.test_callbacks),
            validate: options.validate,
            roots: self.scope.roots.iter().map(|root| root.to_string_lossy().into_owned()).collect(),
        }
    }
}

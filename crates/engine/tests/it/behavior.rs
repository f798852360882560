//! Which code an encoder has to read before Type-4 clones are found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use familiar_corpus::{Limits, spec};
use familiar_engine::{CloneOptions, clones};
use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, AddOptions, Reading};
use familiar_model::{Builtin, Calibration, Code, Curve, EncodeError, Encoder, Vectors};
use familiar_report::{CloneReport, PairRow};
use familiar_source::{FragmentKind, Language, Silent};
use familiar_syntax::normal::Renaming;

const SEARCH_JAVA: &str = "class Lists {
    static int search(int[] sorted, int wanted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            if (sorted[middle] == wanted) {
                return middle;
            }
            if (sorted[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
";

const SEARCH_PYTHON: &str = "def search(numbers, wanted):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == wanted:
            return middle
        elif numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
";

const READ: &str = "def read(path, encoding='utf-8'):
    with open(path, encoding=encoding) as file:
        lines = [line.rstrip() for line in file if not line.startswith('#')]
    while lines and not lines[-1]:
        lines.pop()
    size = len(lines)
    return {'path': path, 'lines': lines, 'size': size, 'last': lines[-1:]}
";

/// The encoder that comes with the program, with or without its first stage, and how many texts the whole of it read.
#[derive(Debug)]
struct Counting {
    ours: Builtin,
    has_stages: bool,
    read: AtomicUsize,
}

impl Counting {
    fn new(has_stages: bool) -> Arc<Self> {
        Arc::new(Self { ours: Builtin::shipped().clone(), has_stages, read: AtomicUsize::new(0) })
    }
}

impl Encoder for Counting {
    fn name(&self) -> &str {
        self.ours.name()
    }

    fn dimensions(&self) -> usize {
        self.ours.dimensions()
    }

    fn crowding(&self, vector: &[f32], language: Language) -> f32 {
        self.ours.crowding(vector, language)
    }

    fn calibration(&self) -> Calibration {
        self.ours.calibration()
    }

    fn first_stage(&self) -> Option<Box<dyn Encoder>> {
        self.ours.first_stage().filter(|_| self.has_stages)
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        self.read.fetch_add(codes.iter().filter(|code| !code.text.is_empty()).count(), Ordering::Relaxed);
        self.ours.encode(codes)
    }
}

fn options(encoder: Arc<Counting>, threads: usize) -> CloneOptions {
    CloneOptions {
        granularity: vec![FragmentKind::Function],
        types: vec![4],
        confidence: 0.05,
        cross_language: true,
        min_tokens: Some(30),
        encoder: Some(encoder),
        threads,
        ..CloneOptions::default()
    }
}

/// The pairs by the paths of both sides, with their similarities; and how many texts the whole encoder read.
fn found(options: &CloneOptions, encoder: &Counting) -> (Vec<(String, String, f64)>, usize) {
    let report = clones::run(options, None, &Silent).expect("the input can be read");
    let mut pairs = Vec::new();
    let path = |id: u32| report.fragments[id as usize].path.to_string();
    report
        .all_pairs
        .for_each(&mut |pair| {
            pairs.push((path(pair.left), path(pair.right), pair.similarity));
            Ok(())
        })
        .expect("nothing is written");
    (pairs, encoder.read.swap(0, Ordering::Relaxed))
}

fn write(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
    std::fs::create_dir_all(folder).expect("the temporary folder can be written");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the folder is there");
    }
    folder.to_owned()
}

#[test]
fn the_whole_encoder_reads_only_what_its_first_stage_finds_and_says_the_same_of_it() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let tree =
        write(folder.path(), &[("Lists.java", SEARCH_JAVA), ("find.py", SEARCH_PYTHON), ("read.py", READ)]);
    let of = |has_stages, threads| {
        let encoder = Counting::new(has_stages);
        found(&CloneOptions { paths: vec![tree.clone()], ..options(encoder.clone(), threads) }, &encoder)
    };
    let (whole, read) = of(false, 1);
    assert_eq!((whole.len(), read), (1, 3), "{whole:?}");
    assert_eq!(of(true, 1), (whole.clone(), 2));
    assert_eq!(of(true, 3), (whole, 2));
}

/// Adds a folder to a corpus.
fn add(corpus: &Path, folder: &Path) {
    let name = spec::canonical(folder.to_str().expect("a plain name")).expect("it is there");
    let source = spec::source(&name, &WalkOptions::default()).expect("it is there");
    let options = AddOptions {
        folder: corpus.to_owned(),
        sources: vec![(name, source)],
        base: BTreeSet::new(),
        exclude: Vec::new(),
        text: true,
        reading: Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 },
    };
    corpus::add(&options, &Silent).expect("the corpus can be written");
}

#[test]
fn of_what_a_corpus_has_vectors_nothing_is_encoded_and_the_rest_is() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let corpus = folder.path().join("corpus");
    let old = write(&folder.path().join("old"), &[("Lists.java", SEARCH_JAVA), ("read.py", READ)]);
    let new = write(&folder.path().join("new"), &[("find.py", SEARCH_PYTHON)]);
    add(&corpus, &old);
    add(&corpus, &new);
    let of = |has_stages| {
        let encoder = Counting::new(has_stages);
        found(&CloneOptions { corpora: vec![corpus.clone()], ..options(encoder.clone(), 2) }, &encoder)
    };
    let (fresh, read) = of(false);
    assert_eq!((fresh.len(), read), (1, 3), "{fresh:?}");
    assert_eq!(of(true), (fresh.clone(), 2));
    corpus::make_vectors(&corpus, &Builtin::shipped().clone(), 1, 1 << 30, &Silent)
        .expect("the text is kept");
    for has_stages in [false, true] {
        let (stored, read) = of(has_stages);
        assert_eq!(read, 0);
        // The cosine is the same; of the crowding, rounding a vector changes a little.
        assert_eq!((&stored[0].0, &stored[0].1), (&fresh[0].0, &fresh[0].1));
        assert!((stored[0].2 - fresh[0].2).abs() < 0.005, "{stored:?} {fresh:?}");
    }
    // What is added later, and has no vectors yet, is encoded.
    let edited = READ.replace("lines.pop()", "lines = lines[:-1]");
    let more = write(&folder.path().join("more"), &[("other.py", &edited)]);
    add(&corpus, &more);
    let (stored, read) = of(false);
    assert_eq!(read, 1);
    assert!(stored.len() > fresh.len(), "{stored:?}");
    // Vectors of another encoder are none of ours.
    let other = Builtin::shipped().at_stage(familiar_model::Stage::Static);
    corpus::make_vectors(&corpus, &other, 1, 1 << 30, &Silent).expect("the text is kept");
    assert!(of(false).1 > 0);
}

/// The paths of pairs that are explained, and of those that are not.
fn explained(report: &CloneReport) -> (usize, usize) {
    let (mut with, mut without) = (0, 0);
    let count = &mut |pair: &PairRow| {
        *if pair.explanation.is_some() { &mut with } else { &mut without } += 1;
        Ok(())
    };
    report.pairs.for_each(count).expect("nothing is written");
    (with, without)
}

#[test]
fn what_changed_meanwhile_is_not_explained() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let write_all = || write(folder.path(), &[("Lists.java", SEARCH_JAVA), ("find.py", SEARCH_PYTHON)]);
    let paths = vec![write_all()];
    let encoder: Arc<dyn Encoder> = Arc::new(Builtin::shipped().clone());
    let options =
        CloneOptions { paths, explain: true, encoder: Some(encoder), ..options(Counting::new(true), 1) };
    let report = clones::run(&options, None, &Silent).expect("the input can be read");
    assert_eq!(explained(&report), (1, 0));
    // Another text of the same length, none at all, and a file that is gone.
    for text in [&SEARCH_PYTHON.replace("middle", "center"), ""] {
        std::fs::write(folder.path().join("find.py"), text).expect("the folder is there");
        assert_eq!(explained(&report), (0, 1), "{text:?}");
    }
    std::fs::remove_file(folder.path().join("find.py")).expect("it is there");
    assert_eq!(explained(&report), (0, 1));
    write_all();
    assert_eq!(explained(&report), (1, 0));
}

#[test]
fn pairs_of_a_corpus_are_explained_from_its_text() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let corpus = folder.path().join("corpus");
    add(
        &corpus,
        &write(&folder.path().join("a"), &[("Lists.java", SEARCH_JAVA), ("find.py", SEARCH_PYTHON)]),
    );
    let encoder: Arc<dyn Encoder> = Arc::new(Builtin::shipped().clone());
    let base = options(Counting::new(true), 1);
    let options = CloneOptions { corpora: vec![corpus], explain: true, encoder: Some(encoder), ..base };
    let report = clones::run(&options, None, &Silent).expect("the corpus can be read");
    assert_eq!(explained(&report), (1, 0));
}

#[test]
fn only_an_encoder_that_can_say_why_explains() {
    let paths = vec![PathBuf::from(".")];
    let options = CloneOptions { paths, explain: true, ..options(Counting::new(true), 1) };
    let error = options.check().expect_err("the encoder explains nothing");
    assert!(error.to_string().contains("cannot say what makes code alike"), "{error}");
    let options = CloneOptions { types: vec![1, 2, 3], ..options };
    let error = options.check().expect_err("there is nothing to explain");
    assert!(error.to_string().contains("--types 4"), "{error}");
}

#[test]
fn a_corpus_gives_the_vectors_of_what_stands_in_it() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let corpus = folder.path().join("corpus");
    let old = write(&folder.path().join("old"), &[("Lists.java", SEARCH_JAVA), ("read.py", READ)]);
    let new = write(&folder.path().join("new"), &[("find.py", SEARCH_PYTHON), ("same.py", READ)]);
    add(&corpus, &old);
    add(&corpus, &new);
    let given = || {
        let mut rows = Vec::new();
        corpus::each_vector(&corpus, &Silent, &mut |row| {
            let length: f32 = row.vector.iter().map(|number| number * number).sum();
            assert!(
                (length - 1.0).abs() < 1e-3 && row.tokens > 0 && row.lines.end > row.lines.start,
                "{row:?}"
            );
            rows.push((row.occurrence.path.clone(), row.language.to_owned()));
        })?;
        rows.sort();
        Ok::<_, corpus::CorpusError>(rows)
    };
    assert!(matches!(given(), Err(corpus::CorpusError::NoVectors { .. })));
    corpus::make_vectors(&corpus, &Builtin::shipped().clone(), 1, 1 << 30, &Silent)
        .expect("the text is kept");
    let all = given().expect("there are vectors");
    // A blob that stands at two places has its vectors once.
    let languages: Vec<&str> = all.iter().map(|row| row.1.as_str()).collect();
    assert_eq!(languages, ["java", "python", "python"], "{all:?}");
    let name = spec::canonical(new.to_str().expect("a plain name")).expect("it is there");
    corpus::remove(&corpus, &name).expect("it is there");
    let rest = given().expect("there are vectors");
    assert_eq!(rest.iter().map(|row| row.0.as_str()).collect::<Vec<_>>(), ["Lists.java", "read.py"]);
}

/// An encoder whose vectors, and what lies near them, are drawn by a hash of the text; those of its first stage are a little off.
#[derive(Debug)]
struct Drawn {
    has_stages: bool,
    /// How far off, and by which draw.
    off: f32,
    seed: u64,
}

impl Drawn {
    const DIMENSIONS: usize = 5;

    fn number(seed: u64, text: &[u8], at: usize) -> f32 {
        let start = seed.wrapping_mul(31).wrapping_add(at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mix =
            |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        let hash = text.iter().fold(start, mix).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (hash >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

impl Encoder for Drawn {
    fn name(&self) -> &'static str {
        if self.off > 0.0 { "drawn static" } else { "drawn" }
    }

    fn dimensions(&self) -> usize {
        Self::DIMENSIONS
    }

    fn crowding(&self, vector: &[f32], _: Language) -> f32 {
        vector[0].abs() / 2.0
    }

    fn calibration(&self) -> Calibration {
        let curve = Curve { crowding: 0.5, slope: 8.0, offset: -3.0 };
        Calibration { within: curve, across: curve }
    }

    fn first_stage(&self) -> Option<Box<dyn Encoder>> {
        let first = Self { has_stages: false, off: 0.4, ..*self };
        self.has_stages.then(|| Box::new(first) as Box<dyn Encoder>)
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let number = |code: &Code<'_>, at| {
            Self::number(self.seed, code.text, at) + self.off * Self::number(self.seed + 1, code.text, at)
        };
        let row = |code| (0..Self::DIMENSIONS).map(move |at| number(code, at));
        Ok(Vectors::normalized(Self::DIMENSIONS, codes.iter().flat_map(row).collect()))
    }
}

#[test]
fn a_stricter_confidence_finds_nothing_that_a_looser_one_does_not() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    // Of other statements, so that none is a copy of another but for names.
    let java = |number| SEARCH_JAVA.replace("        return -1;", &"        low += 1;\n".repeat(number));
    let python = |number| SEARCH_PYTHON.replace("    return -1", &"    low += 1\n".repeat(number));
    let texts: Vec<(String, String)> = (0..35)
        .flat_map(|number| {
            [(format!("F{number}.java"), java(number)), (format!("f{number}.py"), python(number))]
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let tree = write(folder.path(), &files);
    for (seed, has_stages) in [(1, false), (2, true), (3, true)] {
        let of = |confidence: f64| -> BTreeSet<(String, String)> {
            let encoder = Arc::new(Drawn { has_stages, off: 0.0, seed });
            let options = CloneOptions {
                granularity: vec![FragmentKind::Function],
                types: vec![4],
                confidence,
                cross_language: true,
                renaming: Some(Renaming::Consistent),
                min_tokens: Some(30),
                encoder: Some(encoder),
                paths: vec![tree.clone()],
                ..CloneOptions::default()
            };
            let report = clones::run(&options, None, &Silent).expect("the input can be read");
            let mut pairs = BTreeSet::new();
            let path = |id: u32| report.fragments[id as usize].path.to_string();
            report
                .all_pairs
                .for_each(&mut |pair| {
                    pairs.insert((path(pair.left), path(pair.right)));
                    Ok(())
                })
                .expect("nothing is written");
            pairs
        };
        let found: Vec<BTreeSet<(String, String)>> =
            [0.02, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97].into_iter().map(of).collect();
        for looser_and_stricter in found.windows(2) {
            let [looser, stricter] = looser_and_stricter else { unreachable!("windows of two") };
            assert_eq!(stricter.difference(looser).next(), None, "seed {seed}");
        }
        assert!(found[0].len() > 200 && !found[6].is_empty() && found[6].len() < found[2].len());
    }
}

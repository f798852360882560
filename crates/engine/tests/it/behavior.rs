//! Which code an encoder has to read before Type-4 clones are found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Limits, spec};
use familiar_engine::corpus::{self, AddOptions, Reading};
use familiar_engine::progress::Silent;
use familiar_engine::{CloneOptions, clones};
use familiar_model::{Builtin, Calibration, Code, EncodeError, Encoder, Vectors};
use familiar_source::{FragmentKind, Language};

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

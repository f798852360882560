//! The encoder that comes with the program: what its vectors promise, and what of its weights is refused.

use familiar_model::weights::{Weights, WeightsError};
use familiar_model::{Builtin, Code, Encoder, Stage, Vectors};
use familiar_source::Language;

const SEARCH_JAVA: &str = "
int search(int[] sorted, int wanted) {
    int low = 0, high = sorted.length - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == wanted) return middle;
        if (sorted[middle] < wanted) low = middle + 1; else high = middle - 1;
    }
    return -1;
}";

const SEARCH_PYTHON: &str = "
def find(items, x):
    l, r = 0, len(items) - 1
    while l <= r:
        m = (l + r) // 2
        if items[m] == x:
            return m
        elif items[m] < x:
            l = m + 1
        else:
            r = m - 1
    return -1
";

const REVERSE_PYTHON: &str = "
def turned(text):
    words = text.split(' ')
    out = []
    for word in words:
        out.append(''.join(reversed(word)))
    return ' '.join(out)
";

fn code(language: Language, text: &str) -> Code<'_> {
    Code { language, text: text.as_bytes() }
}

fn encode(codes: &[Code<'_>]) -> Vectors {
    Builtin::shipped().encode(codes).expect("the built-in encoder does not fail")
}

/// What is said of both stages holds for the static one too.
#[test]
fn the_static_stage_finds_a_translation() {
    let fast = Builtin::shipped().at_stage(Stage::Static);
    let codes = [
        code(Language::Java, SEARCH_JAVA),
        code(Language::Python, SEARCH_PYTHON),
        code(Language::Python, REVERSE_PYTHON),
        code(Language::Python, ""),
    ];
    let vectors = fast.encode(&codes).expect("the built-in encoder does not fail");
    assert_eq!((fast.name(), fast.dimensions()), ("familiar-5 static", 256));
    assert_eq!(Builtin::shipped().dimensions(), 256);
    assert!(vectors.cosine(0, 1) > vectors.cosine(0, 2) + 0.15);
    assert_eq!(vectors.cosine(3, 3), 0.0);
}

#[test]
fn a_translation_is_nearer_than_other_code() {
    let vectors = encode(&[
        code(Language::Java, SEARCH_JAVA),
        code(Language::Python, SEARCH_PYTHON),
        code(Language::Python, REVERSE_PYTHON),
    ]);
    let (same, other) = (vectors.cosine(0, 1), vectors.cosine(0, 2));
    assert!(same > 0.3 && other < same - 0.25, "{same} and {other}");
}

/// The forms do not know names, and the network hardly; the words do.
#[test]
fn renaming_moves_a_vector_little() {
    let renamed = SEARCH_JAVA
        .replace("low", "a1")
        .replace("high", "b1")
        .replace("middle", "c1")
        .replace("wanted", "d1");
    let vectors = encode(&[code(Language::Java, SEARCH_JAVA), code(Language::Java, &renamed)]);
    assert!(vectors.cosine(0, 1) > 0.75, "{}", vectors.cosine(0, 1));
}

/// The same bytes give the same vector alone, in company, and on any number of threads.
#[test]
fn a_vector_depends_on_its_code_alone() {
    let long = format!("void f() {{ {} }}", "x = g(x, 1); if (x > 3) { y[x] += 2; }\n".repeat(300));
    let codes: Vec<Code<'_>> = [
        code(Language::Java, SEARCH_JAVA),
        code(Language::Python, SEARCH_PYTHON),
        code(Language::C, &long),
        code(Language::Python, REVERSE_PYTHON),
    ]
    .into_iter()
    .cycle()
    .take(40)
    .collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| encode(&codes))
    };
    let together = on(1);
    assert_eq!(on(4), together);
    for (at, code) in codes.iter().enumerate().take(4) {
        assert_eq!(encode(&[*code]).row(0), together.row(at));
    }
}

/// Who asks first puts the background together while the other threads of its pool, and the work that waits there, ask for it too.
#[test]
fn any_number_of_threads_may_ask_how_near_unrelated_code_lies() {
    use rayon::prelude::*;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    let vectors = encode(&[code(Language::Java, SEARCH_JAVA)]);
    for few in (2..6).cycle().take(20) {
        let fresh = Builtin::shipped().at_stage(Stage::Whole);
        let crowding = |_| fresh.crowding(vectors.row(0), Language::Java);
        let all: Vec<f32> = pool.install(|| (0..few).into_par_iter().map(crowding).collect());
        assert!(all.iter().all(|&one| one == all[0]), "{all:?}");
    }
}

#[test]
fn code_without_tokens_has_no_direction_and_the_shortest_has_one() {
    let vectors = encode(&[
        code(Language::Java, ""),
        code(Language::Java, "// nothing"),
        code(Language::Java, "x"),
        code(Language::Other, "%"),
        code(Language::Python, "import os"),
    ]);
    let length = |at: usize| vectors.cosine(at, at);
    assert_eq!([length(0), length(1), length(4)], [0.0; 3]);
    assert!((length(2) - 1.0).abs() < 1e-6 && (length(3) - 1.0).abs() < 1e-6);
}

#[test]
fn weights_that_are_damaged_foreign_or_newer_are_refused() {
    let shipped = include_bytes!("../weights/familiar-5.bin");
    let read = |bytes: &[u8]| Weights::read(bytes).map(|weights| weights.name);
    assert_eq!(read(shipped).as_deref(), Ok("familiar-5"));
    assert_eq!(read(b"safetensors"), Err(WeightsError::Foreign));
    for length in [16, 20, 30, 60, shipped.len() / 2, shipped.len() - 1] {
        assert_eq!(read(&shipped[..length]), Err(WeightsError::Short), "{length}");
    }
    let with = |at: usize, byte: u8| {
        let mut bytes = shipped.to_vec();
        bytes[at] = byte;
        read(&bytes)
    };
    assert_eq!(with(16, 9), Err(WeightsError::Version(9)));
    assert_eq!(with(shipped.len() / 2, shipped[shipped.len() / 2] ^ 1), Err(WeightsError::Damaged));
    // The first of the sizes, behind the name of ten letters.
    assert_eq!(with(34, 0), Err(WeightsError::Size("token")));
}

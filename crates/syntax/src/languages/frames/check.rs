//! What must hold for a front end's output whatever the bytes: tests call [`survives`].

use std::path::Path;

use familiar_source::Span;

use crate::{FrontEnd, Output, Want};

/// Feeds `front_end` the fixtures in `folder`, changed at random, `pieces` at random, and `pieces` nested without end.
pub(in crate::languages) fn survives(front_end: &dyn FrontEnd, folder: &str, pieces: &[&str]) {
    let mut out = Output::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for entry in std::fs::read_dir(root).expect("the fixtures are there").filter_map(Result::ok) {
        if entry.path().extension().is_none_or(|ext| ext != "snap") {
            seeds.push(std::fs::read(entry.path()).expect("the fixture was just listed"));
        }
    }
    seeds.sort();
    for seed in &seeds {
        check(front_end, seed, &mut out);
        for _ in 0..200 {
            let mut source = seed.clone();
            for _ in 0..=random.below(4) {
                change(&mut source, pieces, &mut random);
            }
            check(front_end, &source, &mut out);
        }
    }
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.below(256) as u8).collect();
        check(front_end, &bytes, &mut out);
        let words: Vec<&str> = (0..random.below(120)).map(|_| pieces[random.below(pieces.len())]).collect();
        check(front_end, words.join(" ").as_bytes(), &mut out);
        check(front_end, words.concat().as_bytes(), &mut out);
    }
    for piece in pieces {
        check(front_end, piece.repeat(20_000).as_bytes(), &mut out);
        check(front_end, format!("{piece} ").repeat(10_000).as_bytes(), &mut out);
    }
}

/// Deletes, repeats or replaces something.
fn change(source: &mut Vec<u8>, pieces: &[&str], random: &mut Random) {
    let at = random.below(source.len() + 1);
    let end = (at + random.below(40)).min(source.len());
    match random.below(5) {
        0 => drop(source.drain(at..end)),
        1 => source.truncate(at),
        2 => {
            let copy = source[at..end].to_vec();
            drop(source.splice(end..end, copy));
        }
        3 => drop(source.splice(at..at, [random.below(256) as u8])),
        _ => {
            let piece = pieces[random.below(pieces.len())];
            drop(source.splice(at..at, piece.bytes()));
        }
    }
}

/// Tokens are in order and inside the source; fragments are inside it and nested or apart.
fn check(front_end: &dyn FrontEnd, source: &[u8], out: &mut Output) {
    out.tokens.clear();
    out.fragments.clear();
    out.lines.rebuild(source);
    front_end.parse(source, Want { fragments: true, line_starts: true }, out);
    let mut end = 0;
    for token in out.tokens.iter() {
        assert!(end <= token.start && token.start < token.end, "{token:?} in {source:?}");
        end = token.end;
    }
    assert!(end as usize <= source.len());
    crate::finder::sort_fragments(&mut out.fragments);
    let mut open: Vec<Span> = Vec::new();
    for fragment in &out.fragments {
        let (first, last) = (fragment.tokens.start as usize, fragment.tokens.end as usize - 1);
        assert_eq!(out.tokens[first].start, fragment.bytes.start);
        assert_eq!(out.tokens[last].end, fragment.bytes.end);
        assert!(fragment.name.end as usize <= source.len());
        while open.last().is_some_and(|outer| outer.end <= fragment.bytes.start) {
            open.pop();
        }
        let nested = open.last().is_none_or(|outer| outer.contains(fragment.bytes));
        assert!(nested, "{fragment:?} in {}", String::from_utf8_lossy(source));
        open.push(fragment.bytes);
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

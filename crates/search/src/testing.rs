//! Small collections for the tests of the measures, and the measures' meaning spelt out.

use familiar_index::{Collection, FileEntry, FragmentEntry, Side, TokenStore};
use familiar_source::TokenClass;
use familiar_syntax::normal::{self, Renamer, Renaming, Symbol};
use proptest::prelude::*;

use crate::Link;
use crate::equal::{self, Equal, EqualSettings};
use crate::similar::{Sequence, SimilarSettings, Similarity};

/// Symbols of words: lower-case ones are identifiers, upper-case ones keywords, digits numbers, others operators.
pub(crate) fn symbols(words: &str) -> Vec<u32> {
    let class = |word: &str| match word.as_bytes()[0] {
        b'a'..=b'z' => TokenClass::Identifier,
        b'A'..=b'Z' => TokenClass::Keyword,
        b'0'..=b'9' => TokenClass::Number,
        _ => TokenClass::Operator,
    };
    words.split_whitespace().map(|word| Symbol::new(class(word), word.as_bytes()).0).collect()
}

pub(crate) fn sequence(symbols: &[u32]) -> Sequence<'_> {
    Sequence { symbols, line_starts: &[] }
}

/// A fragment: its statements, each a list of words, the number of its family and its side.
pub(crate) type Given = (Vec<Vec<&'static str>>, u8, Side);

/// Fragments in one file each, many of them variants of one another.
pub(crate) fn fragments() -> impl Strategy<Value = Vec<Given>> {
    const WORDS: [&str; 14] =
        ["a", "b", "c", "d", "IF", "FOR", "RETURN", "PASS", "1", "2", "=", "+", "(", ")"];
    let statement = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4);
    let fragment = prop::collection::vec(statement, 1..10);
    let family = 0u8..2;
    let side = prop::sample::select(vec![Side::Both, Side::Both, Side::Query, Side::Against]);
    prop::collection::vec((fragment, family, side, 0usize..4), 0..14).prop_map(|all| {
        let mut fragments = Vec::new();
        for (statements, family, side, edits) in all {
            let mut variant = statements.clone();
            for edit in 0..edits.min(variant.len()) {
                let other = (edit * 3 + 1) % variant.len();
                variant.swap(edit, other);
            }
            variant.extend((0..edits).map(|_| vec!["PASS"]));
            fragments.push((statements, family, side));
            fragments.push((variant, family, side));
        }
        fragments
    })
}

/// The fragments as a collection, and their groups.
pub(crate) fn collection(fragments: &[Given]) -> (Collection, Equal) {
    let store = || TokenStore::new(1 << 20, std::env::temp_dir());
    let mut collection = Collection {
        tokens: store(),
        line_starts: store(),
        scopes: store(),
        files: Vec::new(),
        fragments: Vec::new(),
    };
    let mut renamer = Renamer::default();
    let mut blind = Vec::new();
    for (file, (statements, family, side)) in fragments.iter().enumerate() {
        let words: Vec<String> = statements.iter().map(|statement| statement.join(" ")).collect();
        let form = symbols(&words.join(" "));
        let starts = statements.iter().scan(0, |at, statement| {
            *at += statement.len() as u32;
            Some(*at - statement.len() as u32)
        });
        renamer.rename(&form, Renaming::Blind, &mut blind);
        collection.files.push(FileEntry {
            family: *family,
            side: *side,
            tests_from: u32::MAX,
            is_markup: false,
        });
        collection.fragments.push(FragmentEntry {
            file: file as u32,
            ordinal: 0,
            kind: 2,
            test_callback: false,
            name: 0,
            first: 0,
            tokens: form.len() as u32,
            lines: (1, 1),
            exact: normal::hash(&form),
            renamed: normal::hash(&blind),
        });
        collection.scopes.push(&[]).expect("it fits the memory");
        collection.line_starts.push(&starts.collect::<Vec<u32>>()).expect("it fits the memory");
        collection.tokens.push(&form).expect("it fits the memory");
    }
    let selected: Vec<u32> = (0..fragments.len() as u32).collect();
    let settings = EqualSettings { type_2: true, renaming: Renaming::Blind, cross_families: false };
    let equal = equal::group(&collection, &selected, settings).expect("tokens are in memory");
    (collection, equal)
}

/// The links by their definition: every pair of nodes is compared.
pub(crate) fn brute_force(
    measure: &dyn Similarity,
    collection: &Collection,
    equal: &Equal,
    settings: &SimilarSettings<'_>,
) -> Vec<Link> {
    let file = |fragment: u32| &collection.files[collection.fragments[fragment as usize].file as usize];
    let of = |left: u32, right: u32| {
        let (mut a, mut b, mut starts_a, mut starts_b) = (vec![], vec![], vec![], vec![]);
        let read = |fragment: u32, symbols: &mut Vec<u32>, starts: &mut Vec<u32>| {
            let entry = &collection.fragments[fragment as usize];
            let mut buffer = Vec::new();
            symbols.extend(collection.tokens.file(entry.file, &mut buffer).expect("in memory"));
            collection.line_starts_of(entry, starts).expect("in memory");
        };
        read(left, &mut a, &mut starts_a);
        read(right, &mut b, &mut starts_b);
        measure.of(
            Sequence { symbols: &a, line_starts: &starts_a },
            Sequence { symbols: &b, line_starts: &starts_b },
        )
    };
    let mut links = Vec::new();
    for (left, a) in equal.nodes.iter().enumerate() {
        for (right, b) in equal.nodes.iter().enumerate().skip(left + 1) {
            let same_family = file(a[0]).family == file(b[0]).family || settings.cross_families;
            let sides = a.iter().any(|&x| b.iter().any(|&y| file(x).side.pairs_with(file(y).side)));
            let similarity = of(a[0], b[0]);
            let alike = similarity >= settings.similarity;
            if same_family && sides && equal.twins[left] != equal.twins[right] && alike {
                links.push(Link::edited(left as u32, right as u32, similarity));
            }
        }
    }
    links
}

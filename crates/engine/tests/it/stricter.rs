//! A stricter setting never finds more: what it covers, a looser one covers too.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use familiar_engine::{CloneOptions, clones};
use familiar_source::FragmentKind;
use familiar_source::Silent;
use familiar_syntax::normal::Renaming;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A line of one file and a line of another that correspond; files by their number.
type LinePair = (u32, u32, u32, u32);

/// The line pairs that a search covers.
struct Covered {
    /// Equal and renamed code, line by line.
    surely: BTreeSet<LinePair>,
    /// With edited code, of which nothing here says what corresponds: each line with each.
    maybe: BTreeSet<LinePair>,
}

fn covered(tree: &Path, options: &CloneOptions) -> Covered {
    let options = CloneOptions { paths: vec![tree.to_owned()], threads: 1, ..options.clone() };
    let report = clones::run(&options, None, &Silent).expect("the tree can be read");
    let (mut surely, mut maybe) = (Vec::new(), Vec::new());
    let number = |path: &str| -> u32 {
        path.strip_suffix(".js")
            .and_then(|name| name.parse().ok())
            .expect("files are called by their numbers")
    };
    let mut add = |pair: &familiar_report::PairRow| -> io::Result<()> {
        let [left, right] = [pair.left, pair.right].map(|id| &report.fragments[id as usize]);
        let (x, y) = (number(&left.path), number(&right.path));
        if pair.clone_type < 3 {
            let lines = (left.start_line..=left.end_line).zip(right.start_line..=right.end_line);
            surely.extend(lines.map(|(a, b)| (x, a, y, b)));
        } else {
            for a in left.start_line..=left.end_line {
                maybe.extend((right.start_line..=right.end_line).map(|b| (x, a, y, b)));
            }
        }
        Ok(())
    };
    report.all_pairs.for_each(&mut add).expect("pairs are in memory");
    maybe.extend(&surely);
    Covered { surely: surely.into_iter().collect(), maybe: maybe.into_iter().collect() }
}

/// Statements, each on a line of its own, of a few words that recur. No two have the same form, so that nothing repeats
/// itself: such code is one class, which does not list each pair of repetitions.
fn statements() -> impl Strategy<Value = Vec<String>> {
    const WORDS: [&str; 6] = ["price", "tax", "sum", "rate", "item", "list"];
    let forms = Just((0..6usize).collect::<Vec<_>>()).prop_shuffle();
    let words = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 18);
    (forms, words, 1..=6usize).prop_map(|(forms, words, count)| {
        let of = |(&form, words): (&usize, &[&str])| {
            let [a, b, c] = [words[0], words[1], words[2]];
            match form {
                0 => format!("let {a} = {b}({c}, {a});"),
                1 => format!("{a}.{b}.push({c} + 1);"),
                2 => format!("{c}.{a}({b}, {a}).add({c});"),
                3 => format!("{a}[{b}] = {c}.map(x => x.{a});"),
                4 => format!("{c}.add({a} - {b}, [{a}]);"),
                _ => format!("return {a} * {b} - {c};"),
            }
        };
        forms.iter().zip(words.chunks(3)).take(count).map(of).collect()
    })
}

/// Functions and statements between them; what is chosen for several files is copied. No file holds anything twice.
fn tree() -> impl Strategy<Value = Vec<String>> {
    let pool = prop::collection::vec(statements(), 2..6);
    let pieces = prop::collection::vec(
        prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 2..7),
        2..4,
    );
    (pool, pieces).prop_map(|(pool, files)| {
        let piece = |(number, (function, index)): (usize, &(bool, prop::sample::Index))| {
            let statements = index.get(&pool).join("\n");
            if *function {
                format!("function f{number}(a, b) {{\n{statements}\n}}\n")
            } else {
                statements + "\n"
            }
        };
        let once = |pieces: &Vec<(bool, prop::sample::Index)>| -> String {
            let mut seen = BTreeSet::new();
            let first = |(_, index): &&(bool, prop::sample::Index)| seen.insert(index.index(pool.len()));
            pieces.iter().filter(first).enumerate().map(piece).collect()
        };
        files.iter().map(once).collect()
    })
}

/// A tree so large that what is copied must say more than its shape: functions of many words, some copied as they are, some
/// renamed in part or throughout, and statements between them.
fn large_tree() -> impl Strategy<Value = Vec<String>> {
    const FILES: usize = 24;
    const FUNCTIONS: usize = 40;
    let word = (0..400u32).prop_map(|number| format!("name{number}"));
    let words = prop::collection::vec(word, 24);
    let shape = prop::collection::vec(0..6usize, 6..14);
    let pool = prop::collection::vec((words, shape), FUNCTIONS);
    // Of each piece: whether it is a function, which one of the pool it is, and what becomes of its words.
    let piece = (any::<bool>(), 0..FUNCTIONS, 0..4u32, 0..24usize);
    let files = prop::collection::vec(prop::collection::vec(piece, 14), FILES);
    (pool, files).prop_map(|(pool, files)| {
        let text = |&(function, number, change, at): &(bool, usize, u32, usize)| {
            let (words, shape) = &pool[number];
            let word = |index: usize| {
                let index = index % words.len();
                let is_changed = match change {
                    0 | 1 => false,
                    2 => index == at,
                    _ => index.is_multiple_of(3),
                };
                if is_changed { format!("other{change}{index}") } else { words[index].clone() }
            };
            let line = |(row, form): (usize, &usize)| {
                let [a, b, c] = [word(2 * row), word(2 * row + 1), word(3 * row + 7)];
                match form {
                    0 => format!("let {a} = {b}({c}, {a});\n"),
                    1 => format!("{a}.{b}.push({c} + 1);\n"),
                    2 => format!("if ({a}) {{ {c}.{b}({a}); }}\n"),
                    3 => format!("{a}[{b}] = {c}.map(x => x.{a});\n"),
                    4 => format!("{c}.add({a} - {b}, [{a}]);\n"),
                    _ => format!("{a} = {b} * {c} - {a} / {c};\n"),
                }
            };
            let body: String = shape.iter().enumerate().map(line).collect();
            if function { format!("function {}(a, b) {{\n{body}}}\n", word(23)) } else { body }
        };
        let file = |pieces: &Vec<_>| {
            let mut seen = BTreeSet::new();
            pieces
                .iter()
                .filter(|piece: &&(bool, usize, u32, usize)| seen.insert(piece.1))
                .map(text)
                .collect()
        };
        files.iter().map(file).collect()
    })
}

/// What a stricter setting, and a looser one, changes in the options; nothing stands for the options as they are.
type Change = Option<fn(&mut CloneOptions)>;

/// Settings, each with a looser one behind it.
const SETTINGS: [(&str, Change, Change); 10] = [
    ("--min-lines", Some(|options| options.min_lines = 6), None),
    (
        "--min-tokens",
        Some(|options| options.min_tokens = Some(40)),
        Some(|options| options.min_tokens = Some(20)),
    ),
    ("--renaming", Some(|options| options.renaming = Some(Renaming::Consistent)), None),
    ("--types 1", Some(|options| options.types = vec![1]), None),
    ("--types 1,2", Some(|options| options.types = vec![1, 2]), None),
    ("--similarity", Some(|options| options.similarity = Some(0.9)), None),
    ("--max-gap-tokens", Some(|options| options.max_gap_tokens = 0), None),
    ("--granularity function", Some(|options| options.granularity = vec![FragmentKind::Function]), None),
    ("--granularity run", Some(|options| options.granularity = vec![FragmentKind::Run]), None),
    ("--include-idioms", None, Some(|options| options.include_idioms = true)),
];

/// Writes `files` to a folder and checks each of the settings.
fn check(files: &[String], base: &CloneOptions) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (number, text) in files.iter().enumerate() {
        let path = folder.path().join(format!("{number}.js"));
        std::fs::write(path, text).expect("the temporary folder can be written");
    }
    let of_base = covered(folder.path(), base);
    for (flag, stricter, looser) in SETTINGS {
        let of = |change: Change| {
            change.map(|change| {
                let mut options = base.clone();
                change(&mut options);
                covered(folder.path(), &options)
            })
        };
        let (stricter, looser) = (of(stricter), of(looser));
        let few = &stricter.as_ref().unwrap_or(&of_base).surely;
        let many = &looser.as_ref().unwrap_or(&of_base).maybe;
        let lost: Vec<_> = few.difference(many).collect();
        prop_assert!(lost.is_empty(), "{}: {} of {}, {:?}", flag, lost.len(), few.len(), lost.first());
    }
    Ok(())
}

/// The same trees each time: what fails is to be repaired, not to come and go.
fn trees(usual: u32) -> ProptestConfig {
    ProptestConfig {
        cases: std::env::var("FAMILIAR_TREES").map_or(usual, |cases| cases.parse().expect("a number")),
        rng_seed: RngSeed::Fixed(21),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Three functions repeat the same few lines. The first two are edited copies, and of the third only the repeated lines
/// are alike: functions cover the first pair of stretches, and the other pairs must stay.
#[test]
fn a_stretch_that_repeats_itself_stays_where_functions_cover_another() {
    let steps = |names: &[&str]| -> String {
        let step =
            |name| format!("if (!load(lib, \"{name}\")) {{\nlog(\"no \" + '{name}');\nfail(lib);\n}}\n");
        names.iter().map(step).collect()
    };
    let copied = steps(&["init", "start", "stop", "check", "key", "end"]);
    let other = steps(&["init", "other", "third", "check"]);
    let end = "plugin.rate = lib.price * 2 - lib.tax;\nlist.push(plugin);\nreturn plugin.ready(lib);\n";
    let rest = "for (const item of list) {\nitem.add(lib, 3);\n}\nwhile (plugin.waits()) {\nplugin.next(lib);\n}\n\
                send(plugin.all().map(x => x.name));\nlist.sort().forEach(show);\nreturn null;\n";
    let files = [
        format!("function one(lib, plugin) {{\n{copied}{end}}}\n"),
        format!("function two(lib, plugin) {{\n{copied}plugin.version = 2;\n{end}}}\n"),
        format!("function three(lib, plugin) {{\nlist.clear();\n{other}{rest}}}\n"),
    ];
    let base = CloneOptions { min_tokens: Some(20), min_lines: 3, ..CloneOptions::default() };
    check(&files, &base).expect("a stricter setting covers nothing else");
}

proptest! {
    #![proptest_config(trees(48))]

    #[test]
    fn what_a_stricter_setting_covers_a_looser_one_covers_too(files in tree()) {
        check(&files, &CloneOptions { min_tokens: Some(20), min_lines: 3, ..CloneOptions::default() })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..trees(2) })]

    #[test]
    #[ignore = "long"]
    fn so_it_is_in_a_large_tree_where_copies_are_told_from_idioms(files in large_tree()) {
        check(&files, &CloneOptions::default())?;
    }
}

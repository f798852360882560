//! The join of tasks, with rows shared out at random, beside what one machine finds.

mod aligned;
mod cluster;

use std::collections::BTreeSet;

use familiar_detect::{CloneOptions, among, pool};
use familiar_files::dir::{self, WalkOptions};
use familiar_files::input::Input;
use familiar_search::Measure as SearchMeasure;
use familiar_source::{FragmentKind, Language, Silent};
use familiar_tasks::Measure;
use proptest::prelude::*;

use cluster::Cluster;

/// Functions of a few names and operators, so that many are alike.
fn function() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "total", "x", "rate"]);
    let statement = (name.clone(), prop::sample::select(vec!["+", "*"]), name, 0..3_u32)
        .prop_map(|(one, sign, two, number)| format!("    {one} = {two} {sign} {number}\n"));
    prop::collection::vec(statement, 4..9).prop_map(|lines| format!("def f(a, b):\n{}", lines.concat()))
}

fn files() -> impl Strategy<Value = Vec<String>> {
    let file = prop::collection::vec(function(), 1..4).prop_map(|all| all.join("\n"));
    prop::collection::vec(file, 2..7)
}

/// Places of two functions, and how much they are alike in millionths.
type Pairs = BTreeSet<((String, u32), (String, u32), u8, u64)>;

fn options(similarity: f64) -> CloneOptions {
    CloneOptions {
        granularity: vec![FragmentKind::Function],
        measure: SearchMeasure::TokenOverlap,
        similarity: Some(similarity),
        min_tokens: Some(10),
        min_lines: 3,
        ..CloneOptions::default()
    }
}

/// What one machine finds.
fn expected(files: &[String], options: CloneOptions) -> Pairs {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, text) in files.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number:03}.py")), text).expect("a file");
    }
    let paths = vec![folder.path().to_owned()];
    let input = Input::of_files(dir::walk(&paths, &WalkOptions::default()).expect("a tree").documents);
    let options = CloneOptions { paths, ..options };
    let report = among(&options, input, &pool(1).expect("threads"), &Silent).expect("a report");
    let mut pairs = Pairs::new();
    let place = |number: u32| {
        let row = &report.fragments[number as usize];
        (row.path.to_string(), row.start_line)
    };
    report
        .all_pairs
        .for_each(&mut |pair| {
            let (one, two) = (place(pair.left), place(pair.right));
            pairs.insert((
                one.clone().min(two.clone()),
                one.max(two),
                pair.clone_type,
                millionths(pair.similarity),
            ));
            Ok(())
        })
        .expect("pairs");
    pairs
}

fn millionths(similarity: f64) -> u64 {
    (similarity * 1e6).round() as u64
}

/// What the tasks find.
fn found(files: &[String], options: &CloneOptions, cluster: &Cluster) -> Pairs {
    let fragments = cluster::fragments(files, options);
    let similarity = options.similarity.expect("a threshold");
    let nodes: Vec<_> = fragments.iter().map(|it| it.node.clone()).collect();
    let links = cluster.links(&nodes, Measure::TokenOverlap { similarity });
    let mut pairs = Pairs::new();
    for (at, one) in fragments.iter().enumerate() {
        for two in &fragments[at + 1..] {
            let (left, right) = (&one.node, &two.node);
            let link = (left.hash.min(right.hash), left.hash.max(right.hash));
            let kind = match (left.hash == right.hash, left.twin == right.twin, links.get(&link)) {
                (true, ..) => (1, 1.0),
                (_, true, _) => (2, 1.0),
                (.., Some(&(similarity, _))) => (3, similarity),
                _ => continue,
            };
            let (left, right) = (one.place.clone(), two.place.clone());
            pairs.insert((left.clone().min(right.clone()), left.max(right), kind.0, millionths(kind.1)));
        }
    }
    pairs
}

/// What one machine is asked for by the aligned measure.
fn aligned_options(similarity: f64) -> CloneOptions {
    CloneOptions { measure: SearchMeasure::Aligned, include_idioms: true, ..options(similarity) }
}

/// What the shares of the aligned measure find.
fn found_aligned(files: &[String], options: &CloneOptions, size: usize) -> Pairs {
    let functions = aligned::functions(files, options);
    let links = aligned::links(&functions, options.similarity.expect("a threshold"), size);
    let mut pairs = Pairs::new();
    for (at, left) in functions.iter().enumerate() {
        for right in &functions[at + 1..] {
            let link = (left.node.min(right.node), left.node.max(right.node));
            let kind = match (left.node == right.node, left.twin == right.twin, links.get(&link)) {
                (true, ..) => (1, 1.0),
                (_, true, _) => (2, 1.0),
                (.., Some(&(similarity, _))) => (3, similarity),
                _ => continue,
            };
            let (left, right) = (left.place.clone(), right.place.clone());
            pairs.insert((left.clone().min(right.clone()), left.max(right), kind.0, millionths(kind.1)));
        }
    }
    pairs
}

/// Near-duplicates of whole texts: two ids, and both indices in millionths.
type Near = BTreeSet<(String, String, u64, u64)>;

fn expected_duplicates(texts: &[String], set: f64, multiset: f64) -> Near {
    use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds, run};
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("rows.jsonl");
    let row = |(id, code): (usize, &String)| {
        serde_json::json!({"id": id.to_string(), "lang": "python", "code": code}).to_string() + "\n"
    };
    std::fs::write(&data, texts.iter().enumerate().map(row).collect::<String>()).expect("a file");
    let options = DuplicatesOptions {
        data: vec![data],
        thresholds: Thresholds { set, multiset },
        only: Only::default(),
        strings: true,
        memory: 1 << 30,
        threads: 1,
    };
    let found = run(&options, &Silent).expect("duplicates");
    let mut near = Near::new();
    let each = found.each_pair(&mut |pair| {
        let id = |number: u32| found.ids[number as usize].clone();
        let (one, two) = (id(pair.left), id(pair.right));
        let overlap = pair.overlap;
        near.insert((one, two, millionths(overlap.set), millionths(overlap.multiset)));
        Ok::<(), ()>(())
    });
    each.expect("pairs");
    near
}

fn found_duplicates(texts: &[String], set: f64, multiset: f64, cluster: &Cluster) -> Near {
    let samples = cluster::samples(texts, Language::Python);
    let links = cluster.links(&samples, Measure::Jaccard { set, multiset });
    let mut near = Near::new();
    for (at, one) in samples.iter().enumerate() {
        for (other, two) in samples.iter().enumerate().skip(at + 1) {
            let link = (one.hash.min(two.hash), one.hash.max(two.hash));
            let (set, multiset) = match links.get(&link) {
                _ if one.hash == two.hash => (1.0, 1.0),
                Some(&found) => found,
                None => continue,
            };
            near.insert((at.to_string(), other.to_string(), millionths(set), millionths(multiset)));
        }
    }
    near
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tasks_find_the_clones_that_one_machine_finds(
        files in files(),
        percent in 50_u32..=100,
        cluster in cluster::clusters(),
    ) {
        let options = options(f64::from(percent) / 100.0);
        let found = found(&files, &options, &cluster);
        prop_assert_eq!(found, expected(&files, options));
    }

    #[test]
    fn shares_of_the_aligned_search_find_what_one_machine_finds(
        files in files(),
        percent in 30_u32..=100,
        size in 1..20_usize,
    ) {
        let options = aligned_options(f64::from(percent) / 100.0);
        let found = found_aligned(&files, &options, size);
        prop_assert_eq!(found, expected(&files, options));
    }

    #[test]
    fn tasks_find_between_two_sides_what_they_find_among_all(
        (files, others) in (files(), files()),
        percent in 50_u32..=100,
        cluster in cluster::clusters(),
    ) {
        let measure = Measure::TokenOverlap { similarity: f64::from(percent) / 100.0 };
        let nodes = |files: &[String]| -> Vec<cluster::Node> {
            cluster::fragments(files, &options(0.8)).into_iter().map(|it| it.node).collect()
        };
        // Some stand on both sides.
        let (queries, known) = (nodes(&files), nodes(&[&files[..1], &others].concat()));
        let has = |side: &[cluster::Node], hash: &cluster::Hash| side.iter().any(|node| node.hash == *hash);
        let mut expected = cluster.links(&[&queries[..], &known].concat(), measure);
        expected.retain(|(left, right), _| {
            has(&queries, left) && has(&known, right) || has(&known, left) && has(&queries, right)
        });
        prop_assert_eq!(cluster.links_between(&queries, &known, measure), expected);
    }

    #[test]
    fn tasks_find_the_near_duplicates_that_one_machine_finds(
        texts in prop::collection::vec(function(), 2..9),
        (set, multiset) in (50_u32..=100, 50_u32..=100),
        cluster in cluster::clusters(),
    ) {
        let (set, multiset) = (f64::from(set) / 100.0, f64::from(multiset) / 100.0);
        let found = found_duplicates(&texts, set, multiset, &cluster);
        prop_assert_eq!(found, expected_duplicates(&texts, set, multiset));
    }
}

/// So many functions are alike that every bound of the search holds something back.
#[test]
fn shares_of_the_aligned_search_keep_its_bounds() {
    let words = ["price", "tax", "rate", "item", "total", "cost", "sum", "part"];
    let mut state = 1_u32;
    let mut draw = |most: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % most
    };
    let mut files = Vec::new();
    for number in 0..40 {
        let mut lines = Vec::new();
        for of_file in 0..25 {
            // Half of them differ in names alone.
            let name =
                if of_file % 2 == 0 { words[draw(8)].to_owned() } else { format!("name_{number}_{of_file}") };
            lines.extend(["def f(a, b):".to_owned(), format!("    {name} = a + 1")]);
            for _ in 0..6 + draw(3) {
                let (sign, other) = (["+", "*", "-"][draw(3) / 2], words[draw(3)]);
                lines.push(format!("    {name} = {name} {sign} {other}(b)"));
            }
        }
        files.push(lines.join("\n") + "\n");
    }
    let options = aligned_options(0.6);
    let found = found_aligned(&files, &options, 7);
    assert!(found.iter().filter(|pair| pair.2 == 3).count() > 10_000);
    assert_eq!(found, expected(&files, options));
}

#[test]
fn what_no_task_can_read_is_a_row_with_a_reason() {
    let deep = "(".repeat(1 << 20);
    let rows = cluster::rows(&[
        ("a.py", Some(b"\xff\x00\x00"), None),
        ("b.py", None, None),
        ("c.md", Some(b"# prose"), None),
    ]);
    let reasons = cluster::reasons(&familiar_tasks::Files::new(&options(0.8)).read(&rows).expect("rows"));
    assert_eq!(reasons[1].as_deref(), Some("a null"));
    assert!(reasons.iter().all(Option::is_some), "{reasons:?}");
    assert!(cluster::fragments(&[deep], &options(0.8)).is_empty());
}

//! Runs against brute force, on strings over tiny alphabets and on planted repeats.

use super::text::Form;
use super::*;
use crate::Place;
use crate::runs::consistent::is_consistent;
use familiar_index::{FileEntry, Periodic, Side, TokenStore};
use familiar_source::Span;
use proptest::prelude::*;

fn settings(min_tokens: u32) -> RunSettings {
    RunSettings {
        min_tokens,
        type_2: false,
        renaming: Renaming::Blind,
        max_gap_tokens: 0,
        max_equal_gap: 0,
        cross_families: false,
        import_barriers: true,
        memory: usize::MAX,
    }
}

fn collection_of(files: &[(Vec<u32>, u8, Side)], budget: usize) -> Collection {
    let mut tokens = TokenStore::new(budget, std::env::temp_dir());
    for (symbols, ..) in files {
        tokens.push(symbols).expect("the temporary folder can be written");
    }
    let files = files
        .iter()
        .map(|&(_, family, side)| FileEntry { family, side, tests_from: u32::MAX, is_markup: false })
        .collect();
    let line_starts = TokenStore::new(0, std::env::temp_dir());
    let scopes = TokenStore::new(0, std::env::temp_dir());
    Collection { tokens, line_starts, scopes, files, fragments: Vec::new() }
}

fn both(files: &[Vec<u32>]) -> Vec<(Vec<u32>, u8, Side)> {
    files.iter().map(|symbols| (symbols.clone(), 0, Side::Both)).collect()
}

fn runs_of(files: &[(Vec<u32>, u8, Side)], settings: &RunSettings) -> (Collection, Runs) {
    let collection = collection_of(files, usize::MAX);
    let runs = find(&collection, settings, None).expect("the collection is in memory");
    (collection, runs)
}

/// All pairs of places that the result implies; those of periodic groups apart.
fn implied(collection: &Collection, runs: &Runs) -> (Vec<(Place, Place)>, Vec<Place>) {
    let pairs = runs.groups.iter().flat_map(|group| group.pairs(collection)).collect();
    let periodic = runs.groups.iter().filter(|group| group.period > 0);
    (pairs, periodic.flat_map(|group| group.members.iter().map(|member| member.place)).collect())
}

fn contains(outer: Place, inner: Place) -> bool {
    outer.file == inner.file && outer.tokens.contains(inner.tokens)
}

/// Every maximal pair of equal runs of `min_tokens` that may be reported, by comparing all positions.
fn brute_force(files: &[(Vec<u32>, u8, Side)], settings: &RunSettings) -> Vec<(Place, Place)> {
    let form = settings.form();
    let mut found = Vec::new();
    for (a, x) in files.iter().enumerate() {
        for (b, y) in files.iter().enumerate().skip(a) {
            if !x.2.pairs_with(y.2) || (x.1 != y.1 && !settings.cross_families) {
                continue;
            }
            let same =
                |i: usize, j: usize| form.value(x.0[i]) == form.value(y.0[j]) && !form.is_barrier(x.0[i]);
            for i in 0..x.0.len() {
                for j in if a == b { i + 1 } else { 0 }..y.0.len() {
                    if i > 0 && j > 0 && same(i - 1, j - 1) {
                        continue;
                    }
                    let len =
                        (0..).take_while(|&n| i + n < x.0.len() && j + n < y.0.len() && same(i + n, j + n));
                    let len = len.count() as u32;
                    let place = |file: usize, at: usize| Place {
                        file: file as u32,
                        tokens: Span::new(at as u32, at as u32 + len),
                    };
                    if len >= settings.min_tokens {
                        found.push((place(a, i), place(b, j)));
                    }
                }
            }
        }
    }
    found
}

/// The maximal stretches of a file that overlap their own copy, with their smallest period first.
fn stretches_of(symbols: &[u32], form: Form) -> Vec<Periodic> {
    let same =
        |a: usize, b: usize| form.value(symbols[a]) == form.value(symbols[b]) && !form.is_barrier(symbols[a]);
    let mut found = Vec::new();
    for period in 1..symbols.len() {
        let mut start = 0;
        while start + period < symbols.len() {
            let len = (start..symbols.len() - period).take_while(|&at| same(at, at + period)).count();
            if len > period {
                let [start, end, period] = [start, start + len + period, period].map(|at| at as u32);
                found.push(Periodic { start, end, period });
            }
            start += len + 1;
        }
    }
    found
}

fn check(files: &[(Vec<u32>, u8, Side)], settings: &RunSettings) -> Result<(), TestCaseError> {
    let (collection, runs) = runs_of(files, settings);
    let (pairs, stretches) = implied(&collection, &runs);
    let form = settings.form();
    let all_stretches: Vec<_> = files.iter().map(|file| stretches_of(&file.0, form)).collect();
    for (left, right) in brute_force(files, settings) {
        let span = Place {
            file: left.file,
            tokens: Span::new(left.tokens.start, right.tokens.end.max(left.tokens.end)),
        };
        let one_file = left.file == right.file;
        let pair = pairs.iter().any(|&(a, b)| {
            contains(a, left) && contains(b, right) || contains(a, right) && contains(b, left)
        });
        let stretch = all_stretches[left.file as usize]
            .iter()
            .copied()
            .find(|stretch| one_file && stretch.start <= span.tokens.start && span.tokens.end <= stretch.end);
        // What repeats inside one periodic stretch is there as the stretch or as parts of it.
        let covered = pair
            || stretch.is_some_and(|stretch| {
                let whole = Place { file: left.file, tokens: Span::new(stretch.start, stretch.end) };
                stretches.contains(&whole)
                    || pairs.iter().any(|&(a, b)| contains(whole, a) && contains(whole, b))
                    || pairs.iter().any(|&(a, b)| contains(a, whole) || contains(b, whole))
                    || periodic::halves(stretch, settings.min_tokens).is_none_or(|(first, second)| {
                        let [first, second] = [first, second].map(|tokens| Place { tokens, ..whole });
                        pairs.iter().any(|&(a, b)| contains(a, first) && contains(b, second))
                    })
            });
        prop_assert!(covered, "{left:?} {right:?} is not in {:#?}", runs.groups);
    }
    check_sound(files, settings, &collection, &runs)
}

/// Places are equal, apart, on allowed sides, and long enough; pairs of equal places are maximal.
fn check_sound(
    files: &[(Vec<u32>, u8, Side)],
    settings: &RunSettings,
    collection: &Collection,
    runs: &Runs,
) -> Result<(), TestCaseError> {
    let form = settings.form();
    let normal = |place: Place| -> Vec<u32> {
        files[place.file as usize].0[place.tokens.range()].iter().map(|&symbol| form.value(symbol)).collect()
    };
    for group in &runs.groups {
        prop_assert!(group.members.is_sorted());
        for (left, right) in group.pairs(collection) {
            let (a, b) = (normal(left), normal(right));
            prop_assert!(a.len() >= settings.min_tokens as usize);
            prop_assert!(!a.iter().any(|&symbol| form.is_barrier(symbol)));
            let [x, y] = [left, right].map(|place| collection.files[place.file as usize]);
            prop_assert!(x.side.pairs_with(y.side) && (settings.cross_families || x.family == y.family));
            prop_assert!(left.file != right.file || left.tokens.end <= right.tokens.start);
            if group.period == 0 {
                prop_assert_eq!(a, b);
            } else {
                let period = group.period as usize;
                prop_assert!([a, b].iter().all(|side| side[period..] == side[..side.len() - period]));
            }
        }
    }
    let mut places: Vec<_> = runs.groups.iter().map(|group| (group.period, group.members.clone())).collect();
    places.sort_unstable();
    let all = places.len();
    places.dedup();
    prop_assert_eq!(places.len(), all);
    Ok(())
}

/// The maximal parts of two blind-equal runs that are equal under consistent renaming, by trying all.
fn consistent_parts(a: &[u32], b: &[u32], least: usize, settings: &RunSettings) -> Vec<(usize, usize)> {
    let fits = |from: usize, to: usize| is_consistent(settings.form(), &a[from..to], &b[from..to]);
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for from in 0..a.len() {
        let to = (from..=a.len()).take_while(|&to| fits(from, to)).last().unwrap_or(from);
        if to - from >= least && parts.last().is_none_or(|last| last.1 < to) {
            parts.push((from, to));
        }
    }
    parts
}

/// Pieces of a small alphabet, repeated and strung together: dense in repeats of every kind.
fn strung(symbols: std::ops::Range<u32>) -> impl Strategy<Value = Vec<u32>> {
    let piece = prop::collection::vec(symbols, 1..12);
    let repeated = (piece, 1usize..8).prop_map(|(piece, times)| piece.repeat(times));
    prop::collection::vec(repeated, 1..4).prop_map(|parts| parts.concat())
}

/// Rows of several fields of one form, as tables, tests and functions of like statements have them.
fn nested() -> impl Strategy<Value = Vec<u32>> {
    let (head, field) = (prop::collection::vec(8u32..11, 1..4), prop::collection::vec(0u32..3, 1..6));
    let row = (head, field, 1usize..14).prop_map(|(head, field, times)| [head, field.repeat(times)].concat());
    let rows = (row, 1usize..12).prop_map(|(row, times)| row.repeat(times));
    prop::collection::vec(rows, 1..3).prop_map(|parts| parts.concat())
}

/// Files strung of the same few parts.
fn planted(symbols: u32) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let parts = prop::collection::vec(strung(0..symbols), 2..4);
    let orders = prop::collection::vec(prop::collection::vec(0usize..5, 1..4), 1..4);
    (parts, orders).prop_map(|(parts, orders)| {
        let file = |order: Vec<usize>| order.iter().flat_map(|&at| parts[at % parts.len()].clone()).collect();
        orders.into_iter().map(file).collect()
    })
}

fn sides(files: Vec<Vec<u32>>) -> impl Strategy<Value = Vec<(Vec<u32>, u8, Side)>> {
    let side = prop_oneof![Just(Side::Both), Just(Side::Query), Just(Side::Against)];
    let entries = prop::collection::vec((0u8..2, side), files.len());
    entries.prop_map(move |entries| {
        files.iter().cloned().zip(entries).map(|(symbols, (family, side))| (symbols, family, side)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("RUNS_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60)))]

    #[test]
    fn random_strings(files in prop::collection::vec(prop::collection::vec(0u32..2, 0..90), 1..4), t in 3u32..12) {
        check(&both(&files), &settings(t))?;
    }

    #[test]
    fn strings_of_repeated_pieces(files in prop::collection::vec(strung(0..3), 1..4), t in 3u32..16) {
        check(&both(&files), &settings(t))?;
    }

    #[test]
    fn rows_of_repeated_pieces(files in prop::collection::vec(nested(), 1..3), t in 3u32..16) {
        check(&both(&files), &settings(t))?;
    }

    #[test]
    fn files_of_the_same_parts(files in planted(4), t in 3u32..16) {
        check(&both(&files), &settings(t))?;
    }

    #[test]
    fn barriers_cut_runs(files in planted(8), t in 3u32..10) {
        check(&both(&files), &settings(t))?;
        check(&both(&files), &RunSettings { import_barriers: false, ..settings(t) })?;
    }

    #[test]
    fn blind_runs(files in planted(64), t in 3u32..12) {
        check(&both(&files), &RunSettings { type_2: true, ..settings(t) })?;
    }

    #[test]
    fn sides_and_families(files in planted(3).prop_flat_map(sides), t in 3u32..10, cross_families: bool) {
        check(&files, &RunSettings { cross_families, ..settings(t) })?;
    }

    #[test]
    fn files_on_disk_and_small_memory_change_nothing(files in planted(4), t in 3u32..10) {
        let files = both(&files);
        let (_, expected) = runs_of(&files, &settings(t));
        let spilled = collection_of(&files, 64);
        let found = find(&spilled, &RunSettings { memory: 1, ..settings(t) }, None).expect("the spill file can be read");
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn what_joins_runs_is_equal_and_loses_none(files in planted(8), t in 3u32..8, gap in 0u32..4) {
        let files = both(&files);
        let apart = RunSettings { max_gap_tokens: gap, ..settings(t) };
        let (collection, before) = runs_of(&files, &apart);
        let (_, after) = runs_of(&files, &RunSettings { max_equal_gap: 8, ..apart });
        let symbols = |place: Place| &files[place.file as usize].0[place.tokens.range()];
        for group in after.groups.iter().filter(|group| group.period == 0) {
            let first = group.members[0].place;
            prop_assert!(group.members.iter().all(|member| symbols(member.place) == symbols(first)));
        }
        let all = |runs: &Runs| {
            let merged = runs.pairs.iter().map(|pair| (pair.left, pair.right));
            implied(&collection, runs).0.into_iter().chain(merged).collect::<Vec<_>>()
        };
        let joined = all(&after);
        // Which pairs over gaps are merged is a choice; every run stays.
        for (left, right) in implied(&collection, &before).0 {
            let found = joined.iter().any(|&(a, b)| contains(a, left) && contains(b, right));
            prop_assert!(found, "{left:?} {right:?} is not in {after:#?}");
        }
    }

    #[test]
    fn consistent_runs(files in planted(40), t in 3u32..10) {
        let files = both(&files);
        let settings = RunSettings { type_2: true, renaming: Renaming::Consistent, ..settings(t) };
        let (collection, runs) = runs_of(&files, &settings);
        let (pairs, _) = implied(&collection, &runs);
        let symbols = |place: Place| &files[place.file as usize].0[place.tokens.range()];
        for &(left, right) in &pairs {
            prop_assert!(is_consistent(settings.form(), symbols(left), symbols(right)));
        }
        // Every maximal consistent part of a blind run is there, periodic stretches apart.
        let stretches: Vec<_> = files.iter().map(|file| stretches_of(&file.0, settings.form())).collect();
        let in_stretch = |place: Place| {
            let mut near = stretches[place.file as usize].iter();
            near.any(|stretch| stretch.start <= place.tokens.start && place.tokens.end <= stretch.end)
        };
        for (left, right) in brute_force(&files, &settings) {
            for (from, to) in consistent_parts(symbols(left), symbols(right), t as usize, &settings) {
                let part = |place: Place| {
                    let start = place.tokens.start;
                    Place { tokens: Span::new(start + from as u32, start + to as u32), ..place }
                };
                let (x, y) = (part(left), part(right));
                let overlap = x.file == y.file && x.tokens.end > y.tokens.start;
                let found = pairs.iter().any(|&(a, b)| contains(a, x) && contains(b, y));
                let apart = in_stretch(x) || in_stretch(y) || in_stretch(left) || in_stretch(right);
                prop_assert!(found || overlap || apart, "{x:?} {y:?} is not in {:#?}", runs.groups);
            }
        }
    }
}

#[test]
fn many_copies_are_one_group() {
    let copy: Vec<u32> = (1..80).map(|at| at * 8).collect();
    let files: Vec<_> =
        (0..500u32).map(|at| [vec![at * 8 + 1], copy.clone(), vec![at * 8 + 4]].concat()).collect();
    let (_, runs) = runs_of(&both(&files), &settings(50));
    assert_eq!(runs.groups.len(), 1);
    assert_eq!(runs.groups[0].members.len(), 500);
}

#[test]
fn long_tables_are_one_group() {
    for period in [1, 2, 7, 13, 14, 20, 60, 300] {
        let piece: Vec<u32> = (1..=period).map(|at| at * 8).collect();
        let table: Vec<u32> = piece.iter().cycle().take(20_000).copied().collect();
        let (_, alone) = runs_of(&both(std::slice::from_ref(&table)), &settings(50));
        assert_eq!(alone.groups.len(), 1, "period {period}: {:?}", alone.groups.len());
        assert_eq!(alone.groups[0].members.len(), 2);
        let two = [[[1].as_slice(), &table[1..], &[9]].concat(), [&[17], &table[..15_000], &[25]].concat()];
        let (_, runs) = runs_of(&both(&two), &settings(50));
        assert_eq!(runs.groups.len(), 1, "period {period}: {:#?}", runs.groups);
        assert_eq!(runs.groups[0].period, period);
    }
}

/// The time that this takes grows with the square of the table's length where the rows are not seen.
#[test]
fn tables_of_rows_with_many_fields_are_found_by_their_rows() {
    for fields in [5, 8, 12, 40] {
        let field: Vec<u32> = (1..=10).map(|at| at * 8).collect();
        let row = [vec![800, 808, 816], field.repeat(fields)].concat();
        let table: Vec<u32> = row.iter().cycle().take(30_000).copied().collect();
        let (_, runs) = runs_of(&both(std::slice::from_ref(&table)), &settings(50));
        // A stretch alone in its file is told by its halves, a whole number of rows apart.
        let halves = |group: &RunGroup| {
            let places: Vec<Span> = group.members.iter().map(|member| member.place.tokens).collect();
            matches!(places[..], [one, two] if one.start == 0
                && two.end == 30_000
                && ((two.start - one.start) as usize).is_multiple_of(row.len()))
        };
        assert!(runs.groups.iter().any(halves), "{fields}: {:#?}", runs.groups);
        assert!(runs.groups.len() < 100, "{fields}: {}", runs.groups.len());
    }
}

#[test]
fn neighbours_over_a_gap_are_one_pair() {
    let part = |from: u32| (from..from + 30).map(|at| at * 8).collect::<Vec<u32>>();
    let files = [[part(100), vec![8], part(200)].concat(), [part(100), vec![16, 24], part(200)].concat()];
    let (_, runs) = runs_of(&both(&files), &RunSettings { max_gap_tokens: 5, ..settings(20) });
    assert!(runs.groups.is_empty(), "{:?}", runs.groups);
    assert_eq!(runs.pairs.len(), 1);
    assert_eq!(runs.pairs[0].pieces, [(0, 0, 30), (31, 32, 30)]);
    assert!((runs.pairs[0].similarity - 60.0 / 62.0).abs() < 1e-9);
}

/// Imports in the middle of a copied file, and what between them is too short for a run.
#[test]
fn runs_with_the_same_between_them_are_one_run() {
    let part = |from: u32| (from..from + 30).map(|at| at * 8).collect::<Vec<u32>>();
    let imports = [vec![15, 23, 31], part(400)[..5].to_vec(), vec![15, 39]].concat();
    let file = |imports: &[u32]| [&part(100), imports, &part(200), imports, &part(300)].concat();
    let settings = RunSettings { max_equal_gap: 20, max_gap_tokens: 12, ..settings(20) };

    let (_, runs) = runs_of(&both(&[file(&imports), file(&imports), file(&imports)]), &settings);
    assert_eq!(runs.pairs, []);
    let whole = |group: &RunGroup| {
        group.members.len() == 3
            && group.members.iter().all(|member| member.place.tokens == Span::new(0, 110))
    };
    assert_eq!(runs.groups.iter().filter(|group| whole(group)).count(), 1, "{:#?}", runs.groups);

    let (_, runs) = runs_of(&both(&[file(&imports), file(&[imports.as_slice(), &[47]].concat())]), &settings);
    assert_eq!(runs.groups, []);
    assert_eq!(runs.pairs[0].pieces, [(0, 0, 30), (40, 41, 30), (80, 82, 30)]);
}

/// Two pairs of joined runs without a place in common are one group once a third pair has one place of each.
#[test]
fn joined_runs_that_meet_late_are_one_group() {
    let row = [7, 0, 0, 0, 3];
    let files = [[vec![3], row.repeat(3)].concat(), [vec![3], row.repeat(5), vec![7, 0, 0, 0]].concat()];
    let settings = RunSettings { max_gap_tokens: 1, max_equal_gap: 8, ..settings(3) };
    let (collection, runs) = runs_of(&both(&files), &settings);
    let place = |start: u32| Place { file: 1, tokens: Span::new(start, start + 9) };
    assert!(implied(&collection, &runs).0.contains(&(place(2), place(17))), "{:#?}", runs.groups);
}

#[test]
fn forms_do_not_look_past_a_barrier() {
    let form = Form { blind: true, barriers: true };
    assert!(form.is_barrier(15) && !form.is_barrier(16));
}

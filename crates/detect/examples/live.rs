//! How long the pairs of one file take in a tree that is in memory, and whether they are those of a search through the tree:
//! `cargo run --release -p familiar-detect --example live -- TREE FILES`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use familiar_detect::live::LiveTree;
use familiar_detect::{CloneOptions, pool};
use familiar_files::dir::{self, WalkOptions};
use familiar_report::CloneReport;
use familiar_source::Silent;

type Place = (String, u32, u32);

#[expect(clippy::print_stdout, reason = "it is what the example is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().ok_or("give a tree")?);
    let files: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let options = CloneOptions { paths: vec![root], memory: 4 << 30, ..CloneOptions::default() };
    let documents = dir::walk(&options.paths, &WalkOptions::default())?.documents;
    let start = Instant::now();
    let mut tree = LiveTree::read(options, documents, pool(0)?, &Silent)?;
    println!("read {} files in {:.1} s", tree.files(), start.elapsed().as_secs_f64());
    let paths: Vec<PathBuf> = tree.paths().map(Into::into).collect();
    let step = (paths.len() / files.max(1)).max(1);
    let mut times = Vec::new();
    let mut around = BTreeMap::new();
    for path in paths.iter().step_by(step) {
        let text = std::fs::read(path)?;
        let start = Instant::now();
        tree.set(path, Some(text.into()));
        let set = start.elapsed().as_secs_f64();
        let report = tree.around(path, None)?;
        times.push((start.elapsed().as_secs_f64(), set, path));
        let name = tree.place(path).ok_or("below no root")?.1.as_str().to_owned();
        around.insert(name.clone(), report.map(|report| of(&report, &name)).transpose()?.unwrap_or_default());
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0 * 1e3;
    println!("p50 {:.1} ms, p95 {:.1} ms, max {:.1} ms", at(0.5), at(0.95), at(1.0));
    for (all, set, path) in times.iter().rev().take(5) {
        println!("  {:.1} ms, of them {:.1} ms to read it: {}", all * 1e3, set * 1e3, path.display());
    }
    let start = Instant::now();
    let all = tree.all(None)?;
    println!("the whole tree: {:.1} s", start.elapsed().as_secs_f64());
    let (mut same, mut missing, mut more, mut pairs) = (0, 0, 0, 0);
    for (name, found) in &around {
        let expected = of(&all, name)?;
        let (less, beyond) = (expected.difference(found).count(), found.difference(&expected).count());
        (same, missing, more) = (same + usize::from(less + beyond == 0), missing + less, more + beyond);
        pairs += expected.len();
        if less + beyond > 0 {
            println!("  {name}: {less} of {} missing, {beyond} more", expected.len());
            expected.difference(found).take(2).for_each(|pair| println!("    missing {pair:?}"));
            found.difference(&expected).take(2).for_each(|pair| println!("    more {pair:?}"));
        }
    }
    println!("{same} of {} files the same; of {pairs} pairs {missing} missing, {more} more", around.len());
    Ok(())
}

fn of(report: &CloneReport, path: &str) -> std::io::Result<BTreeSet<(Place, Place, u8)>> {
    let place = |id: u32| {
        let fragment = &report.fragments[id as usize];
        (fragment.path.to_string(), fragment.start_line, fragment.end_line)
    };
    let mut found = BTreeSet::new();
    report.all_pairs.for_each(&mut |pair| {
        let (left, right) = (place(pair.left), place(pair.right));
        if left.0 == path || right.0 == path {
            found.insert((left, right, pair.clone_type));
        }
        Ok(())
    })?;
    Ok(found)
}

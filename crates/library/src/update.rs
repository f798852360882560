//! `corpus update`: every source of a corpus again, as it was added.

use std::collections::BTreeMap;
use std::path::PathBuf;

use familiar_corpus::{Limits, Source, spec};
use familiar_files::dir::WalkOptions;
use familiar_store::{Corpus, SourceEntry, Writer};

use crate::CorpusError;
use crate::add::{self, FillOptions, Marks};
use crate::outcome::Outcome;
use crate::source_reader::Reading;
use familiar_source::Progress;

/// How a corpus is updated.
pub struct UpdateOptions {
    /// The corpus.
    pub folder: PathBuf,
    /// Which files of folders count; where `exclude` is empty, each source leaves out what it left out before, and takes what
    /// `.gitignore` files leave out if it did before.
    pub walk: WalkOptions,
    /// Of limits that are the usual ones, those count with which each source was read before.
    pub reading: Reading,
}

/// How the names of sources begin that somebody gave: there is no place where they could be read again, and they do not change.
pub const GIVEN: &str = "upload:";

/// Reads every source of a corpus again. What it was marked with stays: that it was handed out, projects that were taken out of
/// it, paths that are left out.
pub fn update(options: &UpdateOptions, progress: &dyn Progress) -> Result<Outcome, CorpusError> {
    Corpus::open(&options.folder)?;
    // What it says counts until this writer ends.
    let writer = Writer::open(&options.folder, true)?;
    let mut sources: Vec<(String, Box<dyn Source>)> = Vec::new();
    let (mut marks, mut failed) = (BTreeMap::new(), Vec::new());
    for entry in writer.manifest().sources.clone() {
        let limits = Some(limits(options.reading.limits, &entry));
        let SourceEntry { source: name, base, without, exclude, no_ignore, .. } = entry;
        let given = &options.walk.exclude;
        let exclude = if given.is_empty() { exclude } else { given.clone() };
        let no_ignore = no_ignore || options.walk.no_ignore;
        if name.starts_with(GIVEN) {
            continue;
        }
        let walk = WalkOptions { exclude: exclude.clone(), no_ignore, ..options.walk.clone() };
        let mut marked = Marks { base, without, exclude: Vec::new(), no_ignore: false, limits };
        match spec::source(&name, &walk) {
            Ok(source) => {
                source.exclude().clone_into(&mut marked.exclude);
                marked.no_ignore = source.no_ignore();
                sources.push((name.clone(), source));
            }
            Err(error) => failed.push(error.into()),
        }
        marks.insert(name, marked);
    }
    let given = FillOptions { folder: &options.folder, sources: &sources, marks, reading: options.reading };
    let mut outcome = add::fill(writer, &given, progress)?;
    outcome.failed.splice(0..0, failed);
    Ok(outcome)
}

/// The limits within which a source is read again: those that are given, otherwise those of before.
fn limits(given: Limits, before: &SourceEntry) -> Limits {
    let usual = Limits::default();
    let or = |given: u64, usual: u64, before: Option<u64>| before.filter(|_| given == usual).unwrap_or(given);
    let depth = before.max_depth.filter(|_| given.archive_depth == usual.archive_depth);
    Limits {
        item_bytes: or(given.item_bytes, usual.item_bytes, before.max_file),
        archive_bytes: or(given.archive_bytes, usual.archive_bytes, before.max_archive),
        archive_depth: depth.unwrap_or(given.archive_depth),
        ..given
    }
}

#[cfg(test)]
mod agreement;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{AddOptions, add, remove_projects};
    use familiar_source::Silent;

    #[test]
    fn an_update_keeps_what_is_said_of_a_source_and_needs_no_table_of_places() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let given = dir.path().canonicalize().expect("just made").join("given");
        for author in ["ann", "bob", "cid"] {
            std::fs::create_dir_all(given.join(author)).expect("just made");
            for name in ["a.py", "left_out.py"] {
                let code = format!("def {author}(a):\n    return a + 1\n");
                std::fs::write(given.join(author).join(name), code).expect("just made");
            }
        }
        let name = format!("submissions:{}", given.display());
        let walk = WalkOptions { exclude: vec!["left_out.py".to_owned()], ..WalkOptions::default() };
        let folder = dir.path().join("corpus");
        let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
        let options = AddOptions {
            folder: folder.clone(),
            sources: vec![(name.clone(), spec::source(&name, &walk).expect("it is there"))],
            base: BTreeSet::from([name]),
            exclude: walk.exclude,
            text: true,
            reading,
        };
        add(&options, &Silent).expect("the corpus can be written");
        let projects = crate::info(&folder).expect("it is whole").projects;
        remove_projects(&folder, &[projects[1].project.clone()].into(), 1 << 30).expect("it is there");
        let before = Corpus::open(&folder).expect("it is there").manifest().clone();
        for file in before.files().filter(|file| file.table == "occurrences") {
            std::fs::write(folder.join(&file.file), "damaged").expect("it is ours");
        }
        let options = UpdateOptions { folder: folder.clone(), walk: WalkOptions::default(), reading };
        let outcome = update(&options, &Silent).expect("the corpus can be written");
        assert_eq!(outcome.added[0].occurrences, 2);
        let after = Corpus::open(&folder).expect("it is there").manifest().sources.clone();
        assert_eq!(after[0], SourceEntry { read: after[0].read, ..before.sources[0].clone() });
        assert!(after[0].base && after[0].without.len() == 1 && after[0].exclude.len() == 1, "{after:?}");
    }

    fn fragments(folder: &std::path::Path) -> (u64, u64) {
        let info = crate::info(folder).expect("it is whole");
        (info.fragments, info.skips)
    }

    #[test]
    fn functions_that_did_not_fit_the_memory_are_found_with_more() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let given = dir.path().canonicalize().expect("just made").join("given");
        std::fs::create_dir(&given).expect("just made");
        let body = "  if a > b\n    c = a + b\n    puts(c)\n  end\n";
        let ruby: Vec<String> = (0..3000).map(|n| format!("def f{n}(a, b)\n{body}  a\nend\n")).collect();
        let ruby = ruby.concat();
        std::fs::write(given.join("a.rb"), &ruby).expect("just made");
        let name = format!("dir:{}", given.display());
        let add_to = |folder: &std::path::Path, memory| {
            let source = spec::source(&name, &WalkOptions::default()).expect("it is there");
            let options = AddOptions {
                folder: folder.to_owned(),
                sources: vec![(name.clone(), source)],
                base: BTreeSet::new(),
                exclude: Vec::new(),
                text: true,
                reading: Reading { limits: Limits::default(), threads: 1, memory },
            };
            add(&options, &Silent).expect("the corpus can be written");
        };
        let (small, fresh) = (dir.path().join("small"), dir.path().join("fresh"));
        add_to(&fresh, 1 << 30);
        add_to(&small, 40 << 20);
        let before = fragments(&small);
        if before.0 == fragments(&fresh).0 {
            // Without syntax trees nothing is given up on.
            return;
        }
        assert_eq!(before.1, 1);
        // The reason stands as long as the functions are missing, wherever the file is.
        std::fs::write(given.join("b.rb"), ruby).expect("just made");
        add_to(&small, 40 << 20);
        assert_eq!(fragments(&small), (before.0, 2));
        let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
        let options = UpdateOptions { folder: small.clone(), walk: WalkOptions::default(), reading };
        update(&options, &Silent).expect("the corpus can be written");
        assert_eq!(fragments(&small), fragments(&fresh));
    }

    #[test]
    fn an_update_keeps_to_the_limits_of_each_source() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let given = dir.path().canonicalize().expect("just made").join("given");
        std::fs::create_dir_all(given.join(".git")).expect("just made");
        for (path, text) in
            [("a.py", "def f(a):\n    return a + 1\n".repeat(9)), ("b.py", "x = 1\n".to_owned())]
        {
            std::fs::write(given.join(path), text).expect("just made");
        }
        std::fs::write(given.join(".gitignore"), "b.py\n.gitignore\n").expect("just made");
        let name = format!("dir:{}", given.display());
        let walk = WalkOptions { no_ignore: true, ..WalkOptions::default() };
        let folder = dir.path().join("corpus");
        let limits = Limits { item_bytes: 50, archive_depth: 2, ..Limits::default() };
        let options = AddOptions {
            folder: folder.clone(),
            sources: vec![(name.clone(), spec::source(&name, &walk).expect("it is there"))],
            base: BTreeSet::new(),
            exclude: Vec::new(),
            text: true,
            reading: Reading { limits, threads: 1, memory: 1 << 30 },
        };
        add(&options, &Silent).expect("the corpus can be written");
        let occurrences = || crate::info(&folder).expect("it is whole").occurrences;
        assert_eq!(occurrences(), 1);
        let run = |limits| {
            let reading = Reading { limits, threads: 1, memory: 1 << 30 };
            let options = UpdateOptions { folder: folder.clone(), walk: WalkOptions::default(), reading };
            update(&options, &Silent).expect("the corpus can be written");
        };
        run(Limits::default());
        assert_eq!(occurrences(), 1);
        run(Limits { item_bytes: 1000, ..Limits::default() });
        assert_eq!(occurrences(), 2);
        run(Limits::default());
        let entry = Corpus::open(&folder).expect("it is there").manifest().sources[0].clone();
        assert_eq!((entry.max_file, entry.max_depth, entry.no_ignore), (Some(1000), Some(2), true));
        assert_eq!(occurrences(), 2);
    }

    #[test]
    fn what_somebody_gave_is_not_read_again() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join("a.py");
        std::fs::write(&file, "def f(a):\n    return a + 1\n").expect("just made");
        let source = spec::source(file.to_str().expect("a plain name"), &WalkOptions::default());
        let folder = dir.path().join("corpus");
        let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
        let options = AddOptions {
            folder: folder.clone(),
            sources: vec![(format!("{GIVEN}1/a.py"), source.expect("it is there"))],
            base: BTreeSet::new(),
            exclude: Vec::new(),
            text: true,
            reading,
        };
        add(&options, &Silent).expect("the corpus can be written");
        std::fs::remove_file(file).expect("it is ours");
        let options = UpdateOptions { folder: folder.clone(), walk: WalkOptions::default(), reading };
        let outcome = update(&options, &Silent).expect("the corpus can be written");
        assert!(outcome.added.is_empty() && outcome.failed.is_empty());
        assert_eq!(crate::info(&folder).expect("it is whole").occurrences, 1);
    }
}

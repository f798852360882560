//! `corpus update`: every source of a corpus again, as it was added.

use std::collections::BTreeMap;
use std::path::PathBuf;

use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Source, spec};
use familiar_store::{Corpus, SourceEntry, Writer};

use crate::CorpusError;
use crate::add::{self, FillOptions, Marks, Outcome};
use crate::source_reader::Reading;
use familiar_source::Progress;

/// How a corpus is updated.
pub struct UpdateOptions {
    /// The corpus.
    pub folder: PathBuf,
    /// Which files of folders count; where `exclude` is empty, each source leaves out what it left out before.
    pub walk: WalkOptions,
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
    for SourceEntry { source: name, base, without, exclude, .. } in writer.manifest().sources.clone() {
        let given = &options.walk.exclude;
        let exclude = if given.is_empty() { exclude } else { given.clone() };
        if name.starts_with(GIVEN) {
            continue;
        }
        let walk = WalkOptions { exclude: exclude.clone(), ..options.walk.clone() };
        match spec::source(&name, &walk) {
            Ok(source) => sources.push((name.clone(), source)),
            Err(error) => failed.push(error.into()),
        }
        marks.insert(name, Marks { base, without, exclude });
    }
    let given = FillOptions { folder: &options.folder, sources: &sources, marks, reading: options.reading };
    let mut outcome = add::fill(writer, &given, progress)?;
    outcome.failed.splice(0..0, failed);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use familiar_corpus::Limits;

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

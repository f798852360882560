//! The layout of Project CodeNet as a source of code: `data/pNNNNN/LANGUAGE/sNNN.ext`, and `metadata/pNNNNN.csv` that says
//! who sent what in and when.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use familiar_source::{Evidence, Occurrence, time, words};

use crate::content::name_of;
use crate::tree::read_file;
use crate::{Found, Item, Limits, Sink, Source, SourceError};
use familiar_files::bounded::too_large;
use familiar_source::language_called;

/// Most bytes of a line of metadata.
const LINE_BYTES: u64 = 1 << 16;

/// A folder in CodeNet's layout. The project is its name, the path `pNNNNN/LANGUAGE/sNNN.ext`, the author the `user_id`, the
/// time the submission's `date`. The metadata of one problem are held at a time; a problem without any still gives its
/// submissions.
#[derive(Clone, Debug)]
pub struct CodeNet {
    pub root: PathBuf,
}

/// What the metadata say of a submission.
#[derive(Debug, Default)]
struct Submission {
    author: Option<String>,
    date: Option<i64>,
    language: Option<String>,
}

impl Source for CodeNet {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let data = self.root.join("data");
        let problems = folder(&data).map_err(|source| SourceError::Read { path: data, source })?;
        let project = name_of(&self.root);
        for problem in problems {
            if self.problem(&project, &problem, limits, sink).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl CodeNet {
    fn problem(
        &self,
        project: &str,
        problem: &Path,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let name = name_of(problem);
        let table = format!("metadata/{name}.csv");
        let submissions = match metadata(&self.root.join(&table)) {
            Ok(submissions) => submissions,
            Err(error) => {
                sink(Found::Skip { path: table, reason: words::unread(&error) })?;
                HashMap::new()
            }
        };
        for language in listed(problem, &name, sink)? {
            let place = format!("{name}/{}", name_of(&language));
            for file in listed(&language, &place, sink)? {
                let path = format!("{place}/{}", name_of(&file));
                let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let known = stem.and_then(|stem| submissions.get(&stem));
                sink(found(project, path, &file, &name_of(&language), known, limits))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The entries of a folder; a skip if it cannot be read.
fn listed(path: &Path, place: &str, sink: &mut Sink<'_>) -> ControlFlow<(), Vec<PathBuf>> {
    match folder(path) {
        Ok(entries) => ControlFlow::Continue(entries),
        Err(error) => {
            sink(Found::Skip { path: place.to_owned(), reason: words::unread(&error) })?;
            ControlFlow::Continue(Vec::new())
        }
    }
}

fn folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn found(
    project: &str,
    path: String,
    file: &Path,
    folder: &str,
    known: Option<&Submission>,
    limits: &Limits,
) -> Found {
    if file.is_symlink() {
        return Found::Skip { path, reason: "symbolic link, not followed".to_owned() };
    }
    let bytes = match read_file(file, limits) {
        Ok((Some(bytes), _)) => bytes,
        Ok((None, _)) => return Found::Skip { path, reason: too_large(limits.item_bytes) },
        Err(error) => return Found::Skip { path, reason: words::unread(&error) },
    };
    let date = known.and_then(|known| known.date);
    let named = known.and_then(|known| known.language.as_deref());
    let occurrence = Occurrence {
        project: project.to_owned(),
        path,
        first_line: 1,
        author: known.and_then(|known| known.author.clone()),
        first_seen: date,
        last_seen: date,
        evidence: if date.is_some() { Evidence::PostTime } else { Evidence::None },
        ..Occurrence::default()
    };
    let language = named.and_then(language_called).or_else(|| language_called(folder));
    Found::Item(Item::new(bytes, language.into(), occurrence))
}

/// The submissions of a problem by their number.
fn metadata(table: &Path) -> io::Result<HashMap<String, Submission>> {
    let mut reader = BufReader::new(File::open(table)?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        reader.by_ref().take(LINE_BYTES).read_until(b'\n', line)
    };
    next(&mut line)?;
    let header = String::from_utf8_lossy(&line).into_owned();
    let columns: Vec<&str> = header.trim().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name);
    let (id, author, date, language) =
        (column("submission_id"), column("user_id"), column("date"), column("language"));
    let Some(id) = id else { return Err(io::Error::other("there is no column submission_id")) };
    let mut submissions = HashMap::new();
    while next(&mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let fields: Vec<&str> = text.trim().split(',').collect();
        let field =
            |at: Option<usize>| Some((*fields.get(at?)?).to_owned()).filter(|field| !field.is_empty());
        let Some(id) = field(Some(id)) else { continue };
        let date = field(date).and_then(|date| date.parse().ok().or_else(|| time::parse(&date)));
        submissions.insert(id, Submission { author: field(author), date, language: field(language) });
    }
    Ok(submissions)
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::tree::tests::{all, summaries};

    #[test]
    fn submissions_have_their_author_and_date() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path().join("codenet");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("just made");
            std::fs::write(path, text).expect("just made");
        };
        write("data/p00001/C++/s002.cpp", "int x;");
        write("data/p00001/Python/s001.py", "x");
        write("data/p00002/Java/s003.java", "y");
        write(
            "metadata/p00001.csv",
            "submission_id,problem_id,user_id,date,language\ns001,p00001,u9,1500000000,Python\n\
             s002,p00001,u8,2017-07-14T02:40:00,C++\n",
        );
        let found = all(&CodeNet { root }, &Limits::default());
        let summaries = summaries(&found);
        assert_eq!(summaries[..2], ["p00001/C++/s002.cpp=int x;", "p00001/Python/s001.py=x"]);
        assert!(summaries[2].starts_with("metadata/p00002.csv!"), "{summaries:?}");
        assert_eq!(summaries[3], "p00002/Java/s003.java=y");
        for (found, author, language) in
            [(&found[0], Some("u8"), Language::Cpp), (&found[1], Some("u9"), Language::Python)]
        {
            let Found::Item(item) = found else { panic!("an item") };
            assert_eq!((item.occurrence.author.as_deref(), item.language), (author, Some(language).into()));
            assert_eq!(item.occurrence.first_seen, Some(1_500_000_000));
            assert_eq!(item.occurrence.evidence, Evidence::PostTime);
        }
    }

    #[test]
    fn other_layouts_are_an_error() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path().to_owned();
        let error =
            CodeNet { root }.read(&Limits::default(), &mut |_| ControlFlow::Continue(())).expect_err("none");
        assert!(error.to_string().contains("data"));
    }
}

//! Submissions in CodeNet's own layout: one problem after the other, each with its metadata, its texts and its statement.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::code::Code;
use super::entry::{Entries, EntriesError, Entry, RawProblem, RawSubmission, Sink};
use super::spill::{Spilled, SpilledText};
use crate::layout::Layout;
use crate::set::{each_row, problem_of};
use crate::submission::Problem;
use crate::table::text_of;
use familiar_corpus::SourceError;
use familiar_files::named;

/// Most bytes of a statement, and of a sample's input or output.
const TEXT_BYTES: u64 = 16 << 20;

/// Bytes that a problem takes.
const PROBLEM_BYTES: usize = 512;

/// A folder in CodeNet's layout.
pub(super) struct FromLayout {
    layout: Layout,
    texts: Texts,
}

/// Where the texts are.
pub(super) enum Texts {
    /// In the folder `data`.
    Folder,
    /// In one file: the folder was in an archive. `is_whole` says that all of the archive could be read.
    Spilled { spilled: Spilled, is_whole: bool },
}

/// A text in the layout.
struct Text {
    /// The folder in which it lies.
    language: String,
    /// The name of its file.
    name: String,
    code: Code,
}

/// The id of a submission, and the folder in which its text lies.
type Key = (String, String);

impl FromLayout {
    pub(super) fn new(layout: Layout, texts: Texts) -> Self {
        Self { layout, texts }
    }

    /// All problems that the list, the metadata or the data name.
    fn problems(&self, bytes: usize) -> Result<BTreeMap<String, Problem>, EntriesError> {
        let mut problems = BTreeMap::new();
        // All that an import keeps of problems is some 16 batches.
        let most = 16 * bytes / PROBLEM_BYTES;
        let list = self.layout.problem_list();
        if list.exists() {
            each_row(&list, bytes, &mut |_, fields| {
                let mut problem = problem_of(&fields.unwrap_or_default());
                problem.source_id.clone_from(&problem.id);
                if !problem.id.is_empty() && problems.len() <= most {
                    problems.insert(problem.id.clone(), problem);
                }
            })?;
        }
        let root = &self.layout.root;
        let tables = names(&root.join("metadata"))?.into_iter().filter_map(|name| {
            name.strip_suffix(".csv")
                .filter(|name| *name != "problem_list" && *name != "users")
                .map(str::to_owned)
        });
        let with_texts = match &self.texts {
            Texts::Folder => names(&root.join("data"))?,
            Texts::Spilled { spilled, .. } => spilled.problems().cloned().collect(),
        };
        for id in tables.chain(with_texts) {
            problems.entry(id.clone()).or_insert_with(|| Problem {
                source_id: id.clone(),
                id,
                ..Problem::default()
            });
        }
        if problems.len() > most { Err(EntriesError::Problems(problems.len())) } else { Ok(problems) }
    }

    fn problem(&self, problem: Problem) -> Entry {
        let text = |path: PathBuf| named::read(&path, TEXT_BYTES).ok();
        let samples = self.layout.samples(&problem.id);
        Entry::Problem(Box::new(RawProblem {
            statement: text(self.layout.description(&problem.id)),
            input: text(samples.join("input.txt")),
            output: text(samples.join("output.txt")),
            problem,
        }))
    }

    /// The submissions of a problem: those of its metadata in their order, then the texts that no row names.
    fn submissions(
        &self,
        problem: &str,
        bytes: usize,
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<()>, EntriesError> {
        let mut texts = self.texts(problem)?;
        let table = self.layout.problem_table(problem);
        let mut named = BTreeSet::new();
        let mut flow = ControlFlow::Continue(());
        if table.exists() {
            each_row(&table, bytes, &mut |number, fields| {
                if flow.is_break() {
                    return;
                }
                let place = format!("metadata/{problem}.csv:{number}");
                let fields = match fields {
                    Ok(fields) => fields,
                    Err(error) => {
                        flow = sink(Entry::Skip { path: place, reason: error.to_string() });
                        return;
                    }
                };
                let row = RawSubmission::of(|name| text_of(&fields, &[name]).unwrap_or_default());
                let text = text_of_row(&texts, &row);
                named.extend(text.map(|(key, _)| key.clone()));
                flow = sink(joined(row, problem, text.map(|(_, text)| text), place));
            })?;
        }
        texts.retain(|key, _| !named.contains(key));
        for ((id, _), Text { language, name, code }) in texts {
            if flow.is_break() {
                break;
            }
            let place = format!("data/{problem}/{language}/{name}");
            // The row that says what is wrong with it may be lost.
            if matches!(self.texts, Texts::Spilled { is_whole: false, .. }) {
                let reason = "no row names it, and the archive could not be read as a whole".to_owned();
                flow = sink(Entry::Skip { path: place, reason });
                continue;
            }
            flow = sink(Entry::Submission(Box::new(RawSubmission {
                place,
                id,
                problem: problem.to_owned(),
                language,
                filename_ext: name.rsplit_once('.').map(|(_, ending)| ending.to_owned()).unwrap_or_default(),
                code,
                ..RawSubmission::default()
            })));
        }
        Ok(flow)
    }

    /// The texts of a problem.
    fn texts(&self, problem: &str) -> Result<BTreeMap<Key, Text>, EntriesError> {
        let mut texts = BTreeMap::new();
        let mut add = |text: Text| {
            let id = text.name.rsplit_once('.').map_or(text.name.as_str(), |(id, _)| id);
            texts.insert((id.to_owned(), text.language.clone()), text);
        };
        match &self.texts {
            Texts::Folder => {
                let folder = self.layout.texts(problem);
                for language in names(&folder)? {
                    let folder = folder.join(&language);
                    for name in names(&folder)? {
                        let code = Code::File(folder.join(&name));
                        add(Text { language: language.clone(), name, code });
                    }
                }
            }
            Texts::Spilled { spilled, .. } => {
                for SpilledText { language, name, code } in spilled.texts(problem)? {
                    add(Text { language, name, code });
                }
            }
        }
        Ok(texts)
    }
}

impl Entries for FromLayout {
    fn read(&mut self, bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError> {
        for (id, problem) in self.problems(bytes)? {
            if sink(self.problem(problem)).is_break() || self.submissions(&id, bytes, sink)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// The text of a row: the one in the folder of its language, or one elsewhere.
fn text_of_row<'t>(texts: &'t BTreeMap<Key, Text>, row: &RawSubmission) -> Option<(&'t Key, &'t Text)> {
    let elsewhere =
        || texts.range((row.id.clone(), String::new())..).next().filter(|((id, _), _)| *id == row.id);
    texts.get_key_value(&(row.id.clone(), row.language.clone())).or_else(elsewhere)
}

/// A row with its text, or why both do not fit.
fn joined(mut row: RawSubmission, problem: &str, text: Option<&Text>, place: String) -> Entry {
    let reason = if !row.problem.is_empty() && row.problem != problem {
        format!("its problem_id is {}", row.problem)
    } else {
        match text {
            None => format!("there is no text of {} in data/{problem}", row.id),
            Some(Text { language, .. }) if !row.language.is_empty() && *language != row.language => {
                format!("its language is {}, but its text lies in data/{problem}/{language}", row.language)
            }
            Some(text) => {
                row.language.clone_from(&text.language);
                problem.clone_into(&mut row.problem);
                row.code = text.code.clone();
                row.place = place;
                return Entry::Submission(Box::new(row));
            }
        }
    };
    Entry::Skip { path: place, reason }
}

/// The names in a folder, sorted; none where there is no folder. Names that are no text, and links, are left out.
fn names(folder: &Path) -> Result<Vec<String>, SourceError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(source) => return Err(SourceError::Read { path: folder.to_owned(), source }),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| SourceError::Read { path: folder.to_owned(), source })?;
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if let (false, Ok(name)) = (is_link, entry.file_name().into_string()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

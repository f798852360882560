//! Submissions in folders or archives whose paths say for which problem they are, and whose.

use std::ops::ControlFlow;
use std::path::Path;

use familiar_corpus::{Found, Limits, Source, SourceError, spec};
use familiar_files::dir::WalkOptions;
use familiar_syntax::detect;
use familiar_syntax::languages::others;

use super::code::Code;
use super::entry::{Entries, EntriesError, Entry, RawSubmission, Sink};
use super::options::{PathPart, PathPattern};
use crate::language_name;
use crate::status::status_called;

/// Files in folders or archives.
pub(super) struct FromPaths {
    source: Box<dyn Source>,
    pattern: Option<PathPattern>,
}

impl FromPaths {
    pub(super) fn open(path: &Path, pattern: Option<PathPattern>) -> Result<Self, EntriesError> {
        let walk = WalkOptions { no_ignore: true, ..WalkOptions::default() };
        let source = spec::source(&path.to_string_lossy(), &walk).map_err(SourceError::from)?;
        Ok(Self { source, pattern })
    }

    /// What a path says; `None` where it says no problem.
    fn submission(&self, path: &str) -> Option<RawSubmission> {
        let folders: Vec<&str> = path.split('/').collect();
        let (file, folders) = folders.split_last()?;
        let parts = match &self.pattern {
            Some(pattern) => pattern.0.clone(),
            None => by_depth(folders),
        };
        let mut submission =
            RawSubmission { place: path.to_owned(), id: path.to_owned(), ..RawSubmission::default() };
        if folders.len() < parts.len() {
            return None;
        }
        for (part, folder) in parts.iter().zip(folders) {
            let field = match part {
                PathPart::Problem => &mut submission.problem,
                PathPart::User => &mut submission.user,
                PathPart::Status => &mut submission.status,
                PathPart::Language => &mut submission.language,
                PathPart::Id => &mut submission.id,
                PathPart::Ignored => continue,
            };
            (*folder).clone_into(field);
        }
        submission.filename_ext =
            file.rsplit_once('.').map(|(_, ending)| ending.to_owned()).unwrap_or_default();
        (!submission.problem.is_empty()).then_some(submission)
    }
}

/// Without a pattern: the problem, the user, and the status where the third folder is one.
fn by_depth(folders: &[&str]) -> Vec<PathPart> {
    let mut parts = vec![PathPart::Problem, PathPart::User];
    parts.truncate(folders.len().max(1));
    if folders.get(2).is_some_and(|folder| status_called(folder).is_some()) {
        parts.push(PathPart::Status);
    }
    parts
}

impl Entries for FromPaths {
    fn read(&mut self, _bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError> {
        let this = &*self;
        this.source.read(&Limits::default(), &mut |found| match found {
            Found::Item(item) => {
                let path = item.occurrence.path;
                let Some(mut submission) = this.submission(&path) else {
                    let reason = "its path names no problem".to_owned();
                    return sink(Entry::Skip { path, reason });
                };
                if submission.language.is_empty() {
                    let by_name = detect::by_name(&path).filter(|&it| others::is_data(it));
                    let language = match by_name.or_else(|| detect::language(&path, &item.bytes)) {
                        Some(language) if !others::is_data(language) => Ok(language),
                        Some(_) => Err("it is data or prose, and no program"),
                        None => Err("its language is not known"),
                    };
                    let language = match language {
                        Ok(language) => language,
                        Err(reason) => return sink(Entry::Skip { path, reason: reason.to_owned() }),
                    };
                    submission.language = language_name::of(language).0;
                }
                submission.code = Code::Bytes(item.bytes);
                sink(Entry::Submission(Box::new(submission)))
            }
            Found::Skip { path, reason } => sink(Entry::Skip { path, reason }),
            _ => ControlFlow::Continue(()),
        })?;
        Ok(())
    }
}

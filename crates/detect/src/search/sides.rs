//! A search of two sides, of which the second is chosen while the first is read.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use familiar_files::Skip;
use familiar_files::input::Input;
use familiar_index::Side;
use familiar_report::CloneReport;
use familiar_source::Progress;
use rayon::ThreadPool;

use super::{Scope, Search};
use crate::ingest::{Ingested, Part, ReadFile};
use crate::memory::Memory;
use crate::reading::Reading;
use crate::{CloneOptions, DetectError};

/// What is looked for, read.
///
/// Its tokens, statements and samples have the shares of `--memory` that its own documents leave. Where the tables of both
/// sides need that room, they leave memory, as in any search.
pub struct QuerySide {
    options: CloneOptions,
    reading: Reading,
    ingested: Ingested,
    documents: usize,
}

/// What a query is compared with.
pub struct Against {
    /// The query's documents, as they were read, and after them the others.
    pub input: Input,
    /// What stands for the roots of documents: trees, and then projects, which lie nowhere.
    pub roots: Vec<PathBuf>,
    pub trees: usize,
    /// Files that are left out already.
    pub skips: Vec<Skip>,
    /// Whether pairs are to be told from idioms.
    pub idioms: bool,
}

impl QuerySide {
    /// Reads the documents that are looked for, on the threads of the current pool. Each that counts is shown to `seen` with its
    /// functions and statements, by any of the threads, so that whoever chooses the other side need not parse it anew. Soon after
    /// `seen` breaks, the reading ends; what was read until then is no side to compare. Fails where the options do not go together,
    /// and where a temporary file cannot be written.
    pub fn read(
        options: CloneOptions,
        input: &Input,
        seen: &(dyn Fn(&ReadFile<'_>) -> ControlFlow<()> + Sync),
        progress: &dyn Progress,
    ) -> Result<Self, DetectError> {
        options.check()?;
        let reading = Reading::new(&options);
        let memory = Memory::new(options.memory, &input.documents);
        let mut ingested = Ingested::new(&reading, memory);
        let all = Part { input, first: 0, seen: Some(seen) };
        ingested.read(all, |_| Side::Query, &reading, memory, progress)?;
        Ok(Self { options, reading, ingested, documents: input.documents.len() })
    }

    /// Finds the clones of the query in the other side, on the threads of `pool`, and gives the documents of both back. Fails where
    /// they need more than `--memory`, and where a temporary file cannot be written.
    pub fn compare(
        self,
        against: Against,
        pool: &Arc<ThreadPool>,
        progress: &dyn Progress,
    ) -> Result<(CloneReport, Arc<Input>), DetectError> {
        let Self { options, reading, mut ingested, documents } = self;
        let Against { input, roots, trees, skips, idioms } = against;
        debug_assert!(documents <= input.documents.len(), "the query's documents are the first");
        let memory = Memory::new(options.memory, &input.documents);
        let scope = Scope { roots, trees, skips, idioms, counts_query: true, ..Scope::default() };
        pool.install(|| {
            let rest = Part { input: &input, first: documents, seen: None };
            ingested.read(rest, |_| Side::Against, &reading, memory, progress)?;
            let (options, input) = (&options, Arc::new(input));
            let search = Search {
                options,
                scope: Scope::default(),
                input: input.clone(),
                ingested,
                reading,
                memory,
                whole: None,
            };
            Ok((search.within(scope).report(None, progress, pool.clone())?, input))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use familiar_files::dir::{self, WalkOptions};
    use familiar_source::{FragmentKind, Silent, line_starts};

    use super::*;

    const CODE: &str = "function total(prices) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n";

    fn input(folders: &[&std::path::Path]) -> Input {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
        Input::of_files(dir::walk(&folders, &WalkOptions::default()).expect("they are there").documents)
    }

    #[test]
    fn whoever_looks_on_sees_each_file_that_counts_with_its_functions_and_those_are_compared() {
        let (mine, theirs) = (tempfile::tempdir().expect("room"), tempfile::tempdir().expect("room"));
        let write = |folder: &std::path::Path, name| std::fs::write(folder.join(name), CODE).expect("room");
        write(mine.path(), "mine.js");
        std::fs::create_dir(mine.path().join("dist")).expect("room");
        write(mine.path(), "dist/made.js");
        write(theirs.path(), "theirs.js");
        // Statements are not asked for.
        let options = CloneOptions {
            paths: vec![mine.path().to_owned()],
            granularity: vec![FragmentKind::File],
            types: vec![1, 2],
            min_tokens: Some(10),
            ..CloneOptions::default()
        };
        let all = input(&[mine.path(), theirs.path()]);
        let seen = Mutex::new(Vec::new());
        let look = |file: &ReadFile<'_>| {
            let functions = file.parsed.fragments.iter().filter(|f| f.kind == FragmentKind::Function).count();
            let statements = line_starts(file.parsed.tokens).len();
            seen.lock().expect("no panic").push((file.number, functions, statements));
            ControlFlow::Continue(())
        };
        let query =
            QuerySide::read(options.clone(), &input(&[mine.path()]), &look, &Silent).expect("it is read");
        assert_eq!(*seen.lock().expect("no panic"), [(1, 1, 5)], "of what is built nothing is seen");
        assert_eq!(query.ingested.collection.line_starts.total(), 0, "nobody asked for them");
        let stop = |_: &ReadFile<'_>| ControlFlow::Break(());
        let stopped = QuerySide::read(options, &input(&[mine.path()]), &stop, &Silent);
        assert!(stopped.is_ok(), "whoever stopped it knows why");

        let roots = vec![mine.path().to_owned(), theirs.path().to_owned()];
        let against = Against { input: all, roots, trees: 2, skips: Vec::new(), idioms: false };
        let pool = crate::pool(1).expect("a thread");
        let (report, input) = query.compare(against, &pool, &Silent).expect("it is compared");
        assert_eq!(input.documents.len(), 3);
        let paths: Vec<&str> = report.fragments.iter().map(|fragment| &*fragment.path).collect();
        assert_eq!(paths, ["mine.js", "theirs.js"]);
    }
}

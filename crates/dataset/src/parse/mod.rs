//! From replies to candidates: what in a reply is an implementation of the seed?
//!
//! Nothing of a reply is run here. What cannot be taken is kept with its cause.
//!
//! # Files
//!
//! `clean` takes away what terminals and editors add, `segments` finds the code of a reply between its words, with `headings` in texts without
//! fences, `check` asks the grammar, `split` tells implementations that stand in one block apart, and `join` puts helpers and imports of other
//! blocks to those who need them, by `pieces`, `declarations` and `naming`. `read` does all of it with one reply.

mod check;
mod clean;
mod declarations;
mod headings;
mod join;
mod naming;
mod pieces;
mod read;
mod segments;
mod split;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use crate::candidate::{Candidate, Cause, Dropped};
use crate::error::DatasetError;
use crate::lines::{self, Writer};
use crate::pool;
use crate::project::{Project, file};
use crate::reply::Reply;
use crate::seed::Seed;
pub(crate) use check::reads;
pub(crate) use read::{Asked, Reader};

/// Bytes of replies that are read together.
const BATCH: usize = 8 << 20;

/// What came of the replies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ParseResult {
    pub replies: u64,
    /// How many implementations the prompts asked for.
    pub expected: u64,
    pub candidates: u64,
    /// What was not taken, by cause.
    pub dropped: BTreeMap<Cause, u64>,
}

/// The candidates of one reply to a question about `seed`, and what of it was not taken. One of both is not empty.
pub fn one(reply: &Reply, seed: &Seed) -> (Vec<Candidate>, Vec<Dropped>) {
    Reader::new(crate::settings::Parse::default().max_bytes).read(reply, Some(&Asked::of(seed)))
}

/// Finds the candidates in all replies. 0 threads stand for one for each processor core.
pub fn run(project: &Project, threads: usize) -> Result<ParseResult, DatasetError> {
    let _lock = project.lock()?;
    pool(threads)?.install(|| Work::begin(project)?.run())
}

struct Work<'p> {
    project: &'p Project,
    seeds: BTreeMap<String, Asked>,
    candidates: Writer,
    dropped: Writer,
    /// The names that are taken.
    names: BTreeSet<String>,
    result: ParseResult,
}

impl<'p> Work<'p> {
    fn begin(project: &'p Project) -> Result<Self, DatasetError> {
        let seeds: Vec<Seed> = lines::all(&project.path(file::SEEDS), "seeds")?;
        if seeds.is_empty() {
            return Err(DatasetError::Missing { what: "seeds", step: "seeds" });
        }
        Ok(Self {
            project,
            seeds: seeds.par_iter().map(|seed| (seed.seed_id.clone(), Asked::of(seed))).collect(),
            candidates: Writer::create(&project.path(file::CANDIDATES))?,
            dropped: Writer::create(&project.path(file::DROPPED))?,
            names: BTreeSet::new(),
            result: ParseResult::default(),
        })
    }

    fn run(mut self) -> Result<ParseResult, DatasetError> {
        for (name, step) in [(file::GENERATED, "generate"), (file::IMPORTED, "import")] {
            self.file(&self.project.path(name), step)?;
        }
        if self.result.replies == 0 {
            return Err(DatasetError::Missing {
                what: "replies",
                step: "generate` or `familiar benchmark import",
            });
        }
        self.candidates.finish()?;
        self.dropped.finish()?;
        Ok(self.result)
    }

    fn file(&mut self, path: &Path, step: &'static str) -> Result<(), DatasetError> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        lines::read(path, step, &mut |reply: Reply| {
            bytes += reply.reply.len();
            batch.push(reply);
            if bytes >= BATCH {
                bytes = 0;
                self.batch(&std::mem::take(&mut batch))?;
            }
            Ok(())
        })?;
        self.batch(&batch)
    }

    fn batch(&mut self, replies: &[Reply]) -> Result<(), DatasetError> {
        let (seeds, settings) = (&self.seeds, &self.project.settings.parse);
        let expected = |reply: &Reply| {
            let prompt = self.project.prompt(&reply.prompt);
            prompt.map_or(1, |prompt| prompt.expected(reply.targets.len().max(1)) as u64)
        };
        self.result.replies += replies.len() as u64;
        self.result.expected += replies.iter().map(expected).sum::<u64>();
        let all: Vec<(Vec<Candidate>, Vec<Dropped>)> = replies
            .par_iter()
            .map_init(
                || Reader::new(settings.max_bytes),
                |reader, reply| reader.read(reply, seeds.get(&reply.seed_id)),
            )
            .collect();
        for (mut candidates, dropped) in all {
            for candidate in &mut candidates {
                candidate.id = unique(&mut self.names, std::mem::take(&mut candidate.id));
            }
            self.result.candidates += candidates.len() as u64;
            candidates.iter().try_for_each(|row| self.candidates.row(row))?;
            for row in &dropped {
                *self.result.dropped.entry(row.cause).or_default() += 1;
                self.dropped.row(row)?;
            }
        }
        Ok(())
    }
}

/// A name that no other implementation has: names of seeds and of prompts may have dots themselves, which join them.
fn unique(names: &mut BTreeSet<String>, name: String) -> String {
    let free = (2..).map(|number: u64| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(free).find(|it| !names.contains(it)).unwrap_or(name);
    names.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_implementations_have_one_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let seed = |seed_id: &str| {
            let seed = Seed::of_code("python", "def f(x):\n    return x\n");
            Seed { seed_id: seed_id.to_owned(), ..seed }
        };
        lines::write(&project.path(file::SEEDS), [&seed("a"), &seed("a.b")]).expect("it is written");
        let reply = |seed_id: &str, prompt: &str| Reply {
            seed_id: seed_id.into(),
            prompt: prompt.into(),
            reply: "def g(x):\n    return x + 0\n".into(),
            is_code: true,
            targets: vec!["python".into()],
            ..Reply::default()
        };
        let replies = [reply("a", "b.c"), reply("a.b", "c")];
        lines::write(&project.path(file::IMPORTED), &replies).expect("it is written");
        run(&project, 1).expect("they are read");
        let all: Vec<Candidate> = lines::all(&project.path(file::CANDIDATES), "parse").expect("rows");
        let names: Vec<&str> = all.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(names, ["a.b.c.0.0", "a.b.c.0.0-2"]);
    }
}

//! Both sides of a pair, ready to run on rows of values.

use crate::cover;
use crate::matching::Match;
use crate::options::Options;
use crate::prepare::{CLASS, Prepared, prepared};
use crate::report::{Cause, Pair, Side};
use crate::rows::call;
use crate::run::{Broken, Run, run};
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::{Call, Sandbox, SandboxError};
use std::collections::BTreeSet;

/// Both sides, ready to run.
pub(crate) struct Stage<'p> {
    pub(crate) sandbox: &'p Sandbox,
    pub(crate) options: &'p Options,
    pub(crate) pair: &'p Pair,
    pub(crate) found: Match,
    pub(crate) sides: [Prepared; 2],
    /// How many places of each side are marked.
    pub(crate) marks: [Option<u32>; 2],
    /// The types that inputs have, one for each slot: the likeliest choice first.
    pub(crate) kinds: Vec<Vec<Type>>,
    /// How many thousandths of a second a call may take.
    pub(crate) patience: u32,
}

/// What both sides did on some rows.
pub(crate) struct Both {
    pub(crate) rows: Vec<Vec<Value>>,
    pub(crate) calls: [Vec<Call>; 2],
    pub(crate) runs: [Run; 2],
}

impl Both {
    /// Adds what both sides did on other rows.
    pub(crate) fn add(&mut self, more: Self) {
        let Self { rows, calls, runs } = more;
        self.rows.extend(rows);
        for (side, (calls, run)) in calls.into_iter().zip(runs).enumerate() {
            self.calls[side].extend(calls);
            self.runs[side].seen.extend(run.seen);
            // Each of both parts is covered in a run of its own: the larger one is what is known for sure.
            let known = self.runs[side].covered;
            self.runs[side].covered = match (known, run.covered) {
                (Some(one), Some(other)) if other.ran > one.ran => Some(other),
                (one, other) => one.or(other),
            };
        }
    }

    /// Leaves out some rows.
    pub(crate) fn leave_out(&mut self, places: &BTreeSet<usize>) {
        fn rest<T>(all: &mut Vec<T>, places: &BTreeSet<usize>) {
            let mut place = 0..;
            all.retain(|_| place.next().is_some_and(|place| !places.contains(&place)));
        }
        rest(&mut self.rows, places);
        for (calls, run) in self.calls.iter_mut().zip(&mut self.runs) {
            rest(calls, places);
            rest(&mut run.seen, places);
        }
    }
}

impl<'p> Stage<'p> {
    /// The sides with marks where their language has them.
    pub(crate) fn new(sandbox: &'p Sandbox, options: &'p Options, pair: &'p Pair, found: Match) -> Self {
        let mut marks = [None, None];
        let sides = [(0, &pair.first), (1, &pair.second)].map(|(place, side)| {
            let marked = cover::marked(&side.code, side.language);
            marks[place] = marked.as_ref().map(|(_, count)| *count);
            let code = marked.map_or_else(|| side.code.clone(), |(code, _)| code);
            prepared(&code, side.language, &found.functions[place], CLASS)
        });
        let (kinds, patience) = (Vec::new(), options.patience);
        Self { sandbox, options, pair, found, sides, marks, kinds, patience }
    }

    /// The text of a side.
    pub(crate) fn side(&self, side: usize) -> &'p Side {
        if side == 0 { &self.pair.first } else { &self.pair.second }
    }

    /// The calls of a side for some rows; nothing where its language cannot write a value.
    pub(crate) fn calls(&self, side: usize, rows: &[Vec<Value>]) -> Vec<Option<Call>> {
        let language = self.side(side).language;
        rows.iter().map(|row| call(&self.found, side, language, &self.sides[side].function, row)).collect()
    }

    /// Runs one side. Where the marks do not compile, it runs without them.
    fn run_side(&mut self, side: usize, calls: &[Call]) -> Result<Result<Run, Broken>, SandboxError> {
        let first = run(self.sandbox, &self.sides[side], calls, self.patience, true)?;
        if first.is_ok() || self.marks[side].is_none() {
            return Ok(first);
        }
        self.marks[side] = None;
        let own = self.side(side);
        self.sides[side] = prepared(&own.code, own.language, &self.found.functions[side], CLASS);
        let run = run(self.sandbox, &self.sides[side], calls, self.patience, true)?;
        Ok(run.map(|run| Run { covered: None, ..run }))
    }

    /// Runs both sides on the rows that both can be given.
    pub(crate) fn both(
        &mut self,
        rows: Vec<Vec<Value>>,
    ) -> Result<Result<Both, (usize, Broken)>, SandboxError> {
        let written = [self.calls(0, &rows), self.calls(1, &rows)];
        let [first, second] = written;
        let (mut kept, mut one, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for ((row, first), second) in rows.into_iter().zip(first).zip(second) {
            if let (Some(first), Some(second)) = (first, second) {
                kept.push(row);
                one.push(first);
                other.push(second);
            }
        }
        if kept.is_empty() {
            let types = "no value can be written in both languages".to_owned();
            return Ok(Err((0, (Cause::UnknownType, types))));
        }
        let left = match self.run_side(0, &one)? {
            Ok(run) => run,
            Err(broken) => return Ok(Err((0, broken))),
        };
        let right = match self.run_side(1, &other)? {
            Ok(run) => run,
            Err(broken) => return Ok(Err((1, broken))),
        };
        Ok(Ok(Both { rows: kept, calls: [one, other], runs: [left, right] }))
    }
}

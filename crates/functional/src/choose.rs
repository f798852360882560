//! The inputs of a pair: which types they have, and what they are.

use crate::guess::is_said;
use crate::inputs::{Literals, Maker};
use crate::matching::choices;
use crate::prepare::{FILE_NAMES, asks_for_files};
use crate::run::run;
use crate::sample;
use crate::stage::{Both, Stage};
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::Chance;
use familiar_sandbox::{Call, SandboxError};
use familiar_source::Language;

/// So many choices of types are tried for parameters that say none.
const CHOICES: usize = 30;

impl Stage<'_> {
    /// The inputs. Where types have to be guessed, the choices that one side takes best are used.
    pub(crate) fn rows(&mut self) -> Vec<Vec<Value>> {
        let sides = [&self.pair.first, &self.pair.second];
        let mut literals = Literals::default();
        for side in sides {
            let (integers, texts) = sample::literals(&side.code, side.language);
            literals.integers.extend(integers);
            literals.texts.extend(texts);
            if side.language == Language::Python && asks_for_files(&side.code) {
                literals.texts.extend(FILE_NAMES.map(str::to_owned));
            }
        }
        let mut maker = Maker { literals: &literals, chance: Chance::new(self.options.seed), edge: None };
        let slots = self.found.slots.len();
        if slots == 0 {
            return vec![Vec::new()];
        }
        let most = self.options.inputs;
        let mut rows: Vec<Vec<Value>> = Vec::new();
        let add = |rows: &mut Vec<Vec<Value>>, row: Vec<Value>| {
            if rows.len() < most && row.len() == slots && !rows.contains(&row) {
                rows.push(row);
            }
        };
        for row in sample::calls(&self.pair.samples, &self.found.functions[0].name, self.pair.first.language)
        {
            add(&mut rows, row);
        }
        let samples = rows.clone();
        for _ in 0..most {
            if let Some(sample) = maker.chance.one(&samples).filter(|_| rows.len() * 2 < most) {
                let row = sample.iter().map(|value| maker.changed(value)).collect();
                add(&mut rows, row);
            }
        }
        let kinds = self.taken(&mut maker);
        for round in 0..most * 3 {
            // The likeliest choice gets the most rows.
            let choice = if round % 3 == 2 { round / 3 % kinds.len().max(1) } else { 0 };
            let Some(kinds) = kinds.get(choice) else { break };
            let row = match maker.chance.one(&rows).filter(|_| round % 5 == 4) {
                Some(row) => row.iter().map(|value| maker.changed(value)).collect(),
                None => maker.row(kinds, round),
            };
            add(&mut rows, row);
        }
        self.kinds = kinds;
        rows
    }

    /// Where few inputs end normally, changes of those are tried, too.
    pub(crate) fn widen(&mut self, both: &mut Both) -> Result<(), SandboxError> {
        let normal = |place: &usize| both.runs.iter().all(|run| run.seen[*place].normal().is_some());
        let good: Vec<usize> = (0..both.rows.len()).filter(normal).collect();
        if good.is_empty() || good.len() * 2 >= self.options.inputs || self.found.slots.is_empty() {
            return Ok(());
        }
        let literals = Literals::default();
        let mut maker = Maker { literals: &literals, chance: Chance::new(self.options.seed ^ 1), edge: None };
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for _ in 0..self.options.inputs {
            let Some(place) = maker.chance.one(&good).copied() else { break };
            let row: Vec<Value> = both.rows[place].iter().map(|value| maker.changed(value)).collect();
            if !rows.contains(&row) && !both.rows.contains(&row) {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        if let Ok(more) = self.both(rows)? {
            both.add(more);
        }
        Ok(())
    }

    /// The choices of types with which both sides end normally, the best first. All of them where nothing has to be tried. Where no
    /// type is taken, objects that take any use stand in, first for parameters that are used as objects, and then for all.
    fn taken(&self, maker: &mut Maker<'_>) -> Vec<Vec<Type>> {
        let all = choices(&self.found.slots, CHOICES);
        if all.len() < 2 {
            return all;
        }
        let Some(taken) = self.tried(&all, maker) else { return all };
        if !taken.is_empty() {
            return taken;
        }
        let mut mocked = choices(&mocked(&self.found.slots), CHOICES);
        mocked.push(vec![Type::Mock; self.found.slots.len()]);
        let taken = self.tried(&mocked, maker).unwrap_or_default();
        if taken.is_empty() { mocked.into_iter().take(1).collect() } else { taken }
    }

    /// The best three of some choices, of those with which both sides end normally at all. None where a side cannot be run.
    fn tried(&self, all: &[Vec<Type>], maker: &mut Maker<'_>) -> Option<Vec<Vec<Type>>> {
        const TRIES: usize = 3;
        let rows: Vec<Vec<Value>> = all
            .iter()
            .flat_map(|kinds| (0..TRIES).map(|round| maker.row(kinds, round)).collect::<Vec<_>>())
            .collect();
        let mut ends = vec![0_usize; all.len()];
        let mut normal = vec![true; rows.len()];
        for side in [0, 1] {
            let calls = self.calls(side, &rows);
            let held: Vec<(usize, Call)> =
                calls.into_iter().enumerate().filter_map(|(place, call)| Some((place, call?))).collect();
            let only: Vec<Call> = held.iter().map(|(_, call)| call.clone()).collect();
            let patience = self.options.patience.min(200);
            let Ok(Ok(run)) = run(self.sandbox, &self.sides[side], &only, patience, false) else {
                return None;
            };
            let mut here = vec![false; rows.len()];
            for ((place, _), seen) in held.iter().zip(&run.seen) {
                here[*place] = seen.normal().is_some();
            }
            for (place, ends) in here.into_iter().enumerate() {
                normal[place] &= ends;
            }
        }
        for (place, normal) in normal.into_iter().enumerate() {
            ends[place / TRIES] += usize::from(normal);
        }
        // What seldom ends normally where something else does more often is not what the function takes, such as an empty list for a text.
        let most = ends.iter().copied().max().unwrap_or(0);
        let mut order: Vec<usize> =
            (0..all.len()).filter(|place| ends[*place] > 0 && ends[*place] * 2 > most).collect();
        order.sort_by_key(|place| std::cmp::Reverse(ends[*place]));
        // Whoever calls a parameter a text means no list, although a list may do.
        let is_named = |place: &usize| {
            let mut kinds = all[*place].iter().zip(&self.found.named);
            kinds.all(|(kind, named)| named.as_ref().is_none_or(|named| is_said(kind, named)))
        };
        if order.iter().any(|place| ends[*place] == most && is_named(place)) {
            order.retain(is_named);
        }
        order.truncate(3);
        Some(order.into_iter().map(|place| all[place].clone()).collect())
    }
}

/// The types of parameters, with objects that take any use for those that are used as objects.
fn mocked(slots: &[Vec<Type>]) -> Vec<Vec<Type>> {
    let one = |kinds: &Vec<Type>| match kinds.first() {
        Some(Type::Object(_) | Type::Record(_)) | None => vec![Type::Mock],
        Some(_) => kinds.clone(),
    };
    slots.iter().map(one).collect()
}

//! All judgements, and what follows from them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use familiar_source::time::parse;

use crate::dealing::{Dealt, deal};
use crate::judgement::Judgement;
use crate::rules::Rules;
use crate::state::{Round, Seen, State};

/// All judgements of some pairs.
#[derive(Clone, Debug)]
pub struct Ledger {
    rules: Rules,
    ids: Vec<String>,
    by_id: HashMap<String, usize>,
    dealt: Vec<Dealt>,
    /// The pairs in the order of judging.
    order: Vec<usize>,
    /// The newest judgement of each judge, by pair.
    said: Vec<Vec<Judgement>>,
    standing: Vec<(State, Round, Vec<String>)>,
    /// The pairs that each judge has judged, the newest last.
    history: BTreeMap<String, Vec<usize>>,
    /// When each judge spoke of a pair last: also when that took a judgement back.
    newest: HashMap<(usize, String), String>,
    /// Seconds of all judgements by judge, those that were taken back included.
    seconds: BTreeMap<String, f64>,
    /// How many pairs wait for each judge now.
    waiting: BTreeMap<String, u64>,
    /// Rows on pairs that are not there.
    strangers: u64,
}

/// A pair that a judge is to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The index of the pair.
    pub pair: usize,
    pub round: Round,
    /// Whether the judge must not see what others say.
    pub blind: bool,
}

/// Why a judgement cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no pair {0}; reload the page")]
    NoPair(String),
    #[error("pair {pair} is not for {judge}; reload the page")]
    NotYours { pair: String, judge: String },
    #[error("{0} has judged nothing that can be taken back")]
    Nothing(String),
    #[error("{0:?} is no label; benchmark.toml has the labels")]
    Label(String),
}

/// Longest time that counts for one pair: who looks longer is away.
const LONGEST: f64 = 900.0;

impl Ledger {
    pub fn new(ids: Vec<String>, rules: Rules) -> Self {
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let dealt = deal(&names, &rules);
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_unstable_by_key(|&at| dealt[at].order);
        let mut ledger = Self {
            by_id: ids.iter().enumerate().map(|(at, id)| (id.clone(), at)).collect(),
            said: vec![Vec::new(); ids.len()],
            standing: Vec::new(),
            history: BTreeMap::new(),
            newest: HashMap::new(),
            seconds: BTreeMap::new(),
            waiting: BTreeMap::new(),
            strangers: 0,
            rules,
            ids,
            dealt,
            order,
        };
        ledger.standing = (0..ledger.ids.len()).map(|at| ledger.seen(at).state()).collect();
        for at in 0..ledger.ids.len() {
            for judge in ledger.asked(at) {
                *ledger.waiting.entry(judge).or_default() += 1;
            }
        }
        ledger
    }

    /// Takes a row of the log. A row on a pair that is not there is counted, and changes nothing. Of what a judge says of a pair, the newest
    /// counts, whatever the order of the rows; of two rows of one time the later one.
    pub fn take(&mut self, row: Judgement) {
        let Some(&at) = self.by_id.get(&row.pair_id) else {
            self.strangers += 1;
            return;
        };
        if row.seconds.is_finite() {
            *self.seconds.entry(row.judge.clone()).or_default() += row.seconds.clamp(0.0, LONGEST);
        }
        let key = (at, row.judge.clone());
        if self.newest.get(&key).is_some_and(|newest| parse(&row.at) < parse(newest)) {
            return;
        }
        self.newest.insert(key, row.at.clone());
        let history = self.history.entry(row.judge.clone()).or_default();
        history.retain(|&pair| pair != at);
        let said = &mut self.said[at];
        let place = said.iter().position(|it| it.judge == row.judge);
        if row.verdict.is_some() {
            history.push(at);
        }
        match (row.verdict.is_some(), place) {
            (true, Some(place)) => said[place] = row,
            (true, None) => said.push(row),
            (false, Some(place)) => drop(said.remove(place)),
            (false, None) => {}
        }
        for judge in self.asked(at) {
            if let Some(count) = self.waiting.get_mut(&judge) {
                *count -= 1;
            }
        }
        self.standing[at] = self.seen(at).state();
        for judge in self.asked(at) {
            *self.waiting.entry(judge).or_default() += 1;
        }
    }

    /// Counts a row on a pair that is not there, or that had other codes when it was judged.
    pub fn count_stranger(&mut self) {
        self.strangers += 1;
    }

    /// The time that a new row gets: `now`, or that of the last row of this judge on this pair where the clock was set back since.
    pub fn time_of_next<'t>(&'t self, judge: &str, pair: &str, now: &'t str) -> &'t str {
        let newest = self.index(pair).and_then(|at| self.newest.get(&(at, judge.to_owned())));
        newest.filter(|newest| parse(now) < parse(newest)).map_or(now, String::as_str)
    }

    /// The judges for whom a pair waits.
    fn asked(&self, at: usize) -> BTreeSet<String> {
        let seats = &self.standing[at].2;
        seats
            .iter()
            .flat_map(|seat| [Some(seat), self.rules.stand_ins.get(seat)])
            .flatten()
            .cloned()
            .collect()
    }

    /// Says whether a judge may judge a pair now, and how: because it waits for the judge, or because the judge has judged it before.
    pub fn may(&self, judge: &str, row: &Judgement) -> Result<Work, Refusal> {
        let Some(&pair) = self.by_id.get(&row.pair_id) else {
            return Err(Refusal::NoPair(row.pair_id.clone()));
        };
        if let Some(label) = row.label.as_ref().filter(|label| !self.rules.labels.contains(label)) {
            return Err(Refusal::Label(label.clone()));
        }
        let (_, round, _) = &self.standing[pair];
        let again = self.said[pair].iter().any(|it| it.judge == judge);
        if again || self.waits_for(pair, judge) {
            return Ok(Work { pair, round: *round, blind: self.is_blind(pair, *round) });
        }
        Err(Refusal::NotYours { pair: row.pair_id.clone(), judge: judge.to_owned() })
    }

    /// The next pair of a judge that is none of `skipped`: first those of the own section, then those that another group could not
    /// decide, then those of the panel.
    pub fn next(&self, judge: &str, skipped: &[String]) -> Option<Work> {
        let mine = self.order.iter().copied().filter(|&pair| self.waits_for(pair, judge));
        let open = mine.filter(|&pair| !skipped.contains(&self.ids[pair]));
        let (mut best, mut best_round) = (None, Round::Panel);
        for pair in open {
            let round = self.standing[pair].1;
            if best.is_none() || round < best_round {
                (best, best_round) = (Some(pair), round);
            }
            if round == Round::First {
                break;
            }
        }
        best.map(|pair| Work { pair, round: best_round, blind: self.is_blind(pair, best_round) })
    }

    /// The pair whose judgement a judge takes back next.
    pub fn last(&self, judge: &str) -> Result<usize, Refusal> {
        let last = self.history.get(judge).and_then(|pairs| pairs.last());
        last.copied().ok_or_else(|| Refusal::Nothing(judge.to_owned()))
    }

    /// How many pairs a judge has judged, and how many wait for this judge now.
    pub fn progress(&self, judge: &str) -> (u64, u64) {
        let judged = self.history.get(judge).map_or(0, Vec::len) as u64;
        (judged, self.waiting.get(judge).copied().unwrap_or(0))
    }

    fn waits_for(&self, pair: usize, judge: &str) -> bool {
        self.standing[pair].2.iter().any(|seat| self.rules.holds(seat, judge))
    }

    /// Says whether judges do not see what was said: it is hidden in a second round, and in the first one where two people judge by themselves.
    pub fn is_blind(&self, pair: usize, round: Round) -> bool {
        match round {
            Round::First => self.dealt[pair].blind,
            Round::Second => true,
            Round::Panel => false,
        }
    }

    pub fn state(&self, pair: usize) -> State {
        self.standing[pair].0
    }

    /// The round in which the pair was decided, or in which it is.
    pub fn round(&self, pair: usize) -> Round {
        self.standing[pair].1
    }

    /// The newest judgement of each judge of a pair.
    pub fn said(&self, pair: usize) -> &[Judgement] {
        &self.said[pair]
    }

    /// What the members of the first group say of a pair, in the order of the group.
    pub fn first_round(&self, pair: usize) -> Vec<&Judgement> {
        let seen = self.seen(pair);
        let seats = seen.seats(Round::First);
        let of = |seat: &String| self.said[pair].iter().position(|it| self.rules.holds(seat, &it.judge));
        seats.iter().filter_map(of).map(|at| &self.said[pair][at]).collect()
    }

    /// The group that judges a pair first, by its index.
    pub fn group(&self, pair: usize) -> usize {
        self.seen(pair).group()
    }

    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    pub fn index(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Seconds that each judge spent, at most a quarter of an hour for one judgement.
    pub fn seconds(&self) -> &BTreeMap<String, f64> {
        &self.seconds
    }

    /// Rows on pairs that are not there any more, or whose codes are others now.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    fn seen(&self, at: usize) -> Seen<'_> {
        Seen { rules: &self.rules, dealt: &self.dealt[at], said: &self.said[at] }
    }
}

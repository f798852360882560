//! What is known of one pair.

use serde::{Deserialize, Serialize};

use familiar_source::time::parse;

use crate::dealing::Dealt;
use crate::judgement::{Judgement, Verdict};
use crate::rules::Rules;

/// Where a pair stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// A member of the first group has not judged it yet.
    #[default]
    Open,
    /// All members of a group, or the panel, say that it is true.
    True,
    False,
    /// One member says true and another one says false. The pair is excluded.
    Conflict,
    /// The first group could not decide. A second group has it.
    Redealt,
    /// It waits for the panel.
    ForPanel,
    /// The panel could not decide, either, or there is none.
    Undecided,
}

/// Which time a pair is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Round {
    First,
    Second,
    Panel,
}

impl State {
    pub const ALL: [Self; 7] =
        [Self::Open, Self::True, Self::False, Self::Conflict, Self::Redealt, Self::ForPanel, Self::Undecided];

    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::True => "true",
            Self::False => "false",
            Self::Conflict => "conflict",
            Self::Redealt => "redealt",
            Self::ForPanel => "for-panel",
            Self::Undecided => "undecided",
        }
    }
}

/// A pair with what its judges say of it: the newest judgement of each, in the order of their first ones.
pub(crate) struct Seen<'s> {
    pub(crate) rules: &'s Rules,
    pub(crate) dealt: &'s Dealt,
    pub(crate) said: &'s [Judgement],
}

/// What the members of a round say together.
enum Together {
    /// These have not judged yet.
    Waits(Vec<String>),
    Said(Verdict),
    Conflict,
}

impl Seen<'_> {
    /// The state, with the members of the current round who have not judged.
    pub(crate) fn state(&self) -> (State, Round, Vec<String>) {
        let first = self.seats(Round::First);
        match self.together(&first) {
            Together::Waits(members) => return (State::Open, Round::First, members),
            Together::Conflict => return (State::Conflict, Round::First, Vec::new()),
            Together::Said(Verdict::True) => return (State::True, Round::First, Vec::new()),
            Together::Said(Verdict::False) => return (State::False, Round::First, Vec::new()),
            Together::Said(Verdict::Undecided) => {}
        }
        let second = self.seats(Round::Second);
        if !second.is_empty() {
            match self.together(&second) {
                Together::Waits(members) => return (State::Redealt, Round::Second, members),
                Together::Conflict => return (State::Conflict, Round::Second, Vec::new()),
                Together::Said(Verdict::True) => return (State::True, Round::Second, Vec::new()),
                Together::Said(Verdict::False) => return (State::False, Round::Second, Vec::new()),
                Together::Said(Verdict::Undecided) => {}
            }
        }
        // The panel decides by discussion: what its members wrote down last is what it says.
        let panel = &self.rules.panel;
        let newest = self.said.iter().filter(|it| panel.contains(&it.judge)).max_by_key(|it| parse(&it.at));
        match newest.and_then(|it| it.verdict) {
            // Nobody is left who could decide.
            None if panel.is_empty() => {
                let last = if second.is_empty() { Round::First } else { Round::Second };
                (State::Undecided, last, Vec::new())
            }
            None => (State::ForPanel, Round::Panel, panel.clone()),
            Some(Verdict::True) => (State::True, Round::Panel, Vec::new()),
            Some(Verdict::False) => (State::False, Round::Panel, Vec::new()),
            Some(Verdict::Undecided) => (State::Undecided, Round::Panel, Vec::new()),
        }
    }

    /// The group that judges first. A pair that somebody has judged stays with that group, even if pairs were added since.
    pub(crate) fn group(&self) -> usize {
        let dealt = self.dealt.group;
        let Some(group) = self.rules.groups.get(dealt) else { return dealt };
        let borrowed = self.borrowed(dealt);
        let is_of = |it: &Judgement| {
            borrowed == Some(&it.judge) || group.iter().any(|seat| self.rules.holds(seat, &it.judge))
        };
        if self.said.iter().any(is_of) {
            return dealt;
        }
        self.said.iter().find_map(|it| self.rules.group_of(&it.judge)).unwrap_or(dealt)
    }

    /// The members that judge in a round.
    pub(crate) fn seats(&self, round: Round) -> Vec<String> {
        let groups = &self.rules.groups;
        let Some(first) = groups.get(self.group()) else { return Vec::new() };
        let borrowed = self.borrowed(self.group());
        match round {
            Round::Panel => self.rules.panel.clone(),
            Round::First => first.iter().chain(borrowed).cloned().collect(),
            Round::Second => {
                let others = (1..groups.len()).map(|step| (self.group() + step) % groups.len());
                let mut free = others.filter(|&at| borrowed.is_none_or(|name| !groups[at].contains(name)));
                // Different pairs of one section go to different groups.
                let count = free.clone().count().max(1);
                free.nth(self.dealt.order as usize / groups.len() % count)
                    .map(|at| groups[at].clone())
                    .unwrap_or_default()
            }
        }
    }

    /// Where a group has one member only, somebody of the next group judges the pairs that two people judge.
    fn borrowed(&self, first: usize) -> Option<&String> {
        let groups = &self.rules.groups;
        if !self.dealt.blind || groups[first].len() > 1 || groups.len() < 2 {
            return None;
        }
        let next = &groups[(first + 1) % groups.len()];
        next.get(self.dealt.order as usize / groups.len() % next.len())
    }

    /// What a member says, or who judges in its place.
    pub(crate) fn of_seat(&self, seat: &str) -> Option<&Judgement> {
        let own = self.said.iter().find(|it| it.judge == seat);
        own.or_else(|| self.said.iter().find(|it| self.rules.holds(seat, &it.judge)))
    }

    fn together(&self, seats: &[String]) -> Together {
        let verdict = |seat: &String| self.of_seat(seat).and_then(|it| it.verdict);
        let waiting: Vec<String> = seats.iter().filter(|seat| verdict(seat).is_none()).cloned().collect();
        if !waiting.is_empty() || seats.is_empty() {
            return Together::Waits(waiting);
        }
        let says = |wanted: Verdict| seats.iter().any(|seat| verdict(seat) == Some(wanted));
        match (says(Verdict::True), says(Verdict::False), says(Verdict::Undecided)) {
            (true, true, _) => Together::Conflict,
            (_, _, true) => Together::Said(Verdict::Undecided),
            (true, ..) => Together::Said(Verdict::True),
            _ => Together::Said(Verdict::False),
        }
    }
}

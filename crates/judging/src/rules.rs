//! Who judges with whom.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Names of judges that are models begin with this.
pub const MODEL: &str = "model:";

/// Who judges with whom: the table `[judge]` of `benchmark.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Each group judges a section of the pairs, and each member judges each pair of the section.
    pub groups: Vec<Vec<String>>,
    /// Those who decide by discussion what two groups could not decide.
    pub panel: Vec<String>,
    /// Who judges in the place of a member that is away.
    pub stand_ins: BTreeMap<String, String>,
    /// The share of the pairs that two people judge without seeing what the other one says.
    pub share_twice: f64,
    /// Whether judges see what the tests say only after they have judged.
    pub hide_tests: bool,
    /// Whether a model may be a judge.
    pub models: bool,
    /// What a judge may call a pair, beside the verdict.
    pub labels: Vec<String>,
    /// Decides which pairs a group gets, and in which order.
    pub seed: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            panel: Vec::new(),
            stand_ins: BTreeMap::new(),
            share_twice: 0.1,
            hide_tests: true,
            models: false,
            labels: Vec::new(),
            seed: 0,
        }
    }
}

/// What is wrong with rules, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RulesError {
    #[error("share_twice {0}: give a number from 0 to 1")]
    Share(f64),
    #[error("judge {0} stands in two places; name each judge once")]
    Twice(String),
    #[error("a group has no member; name its judges, or leave it out")]
    EmptyGroup,
    #[error("stand_ins: {0} is in no group; name a member of a group")]
    NoMember(String),
    #[error("stand_ins: {other} is in the group of {away}; name somebody else")]
    SameGroup { away: String, other: String },
    #[error("stand_ins: {0} judges in another place, too; name somebody who has none, and each once")]
    StandsTwice(String),
    #[error("judge {0:?}: a name has at most 64 letters, digits, and . - _ : @")]
    Name(String),
    #[error("judge {0} is a model; set models = true, or leave it out")]
    Model(String),
}

impl Rules {
    /// Checks whether people can judge by the rules.
    pub fn check(&self) -> Result<(), RulesError> {
        if !(0.0..=1.0).contains(&self.share_twice) {
            return Err(RulesError::Share(self.share_twice));
        }
        let mut seen = BTreeSet::new();
        for name in self.groups.iter().flatten().chain(&self.panel) {
            self.check_name(name)?;
            if !seen.insert(name) {
                return Err(RulesError::Twice(name.clone()));
            }
        }
        if self.groups.iter().any(Vec::is_empty) {
            return Err(RulesError::EmptyGroup);
        }
        for (away, other) in &self.stand_ins {
            self.check_name(other)?;
            let group = self.groups.iter().find(|group| group.contains(away));
            let Some(group) = group else {
                return Err(RulesError::NoMember(away.clone()));
            };
            if group.contains(other) {
                return Err(RulesError::SameGroup { away: away.clone(), other: other.clone() });
            }
            // Who has two places would decide twice, and agree with nobody else.
            if !seen.insert(other) {
                return Err(RulesError::StandsTwice(other.clone()));
            }
        }
        Ok(())
    }

    fn check_name(&self, name: &str) -> Result<(), RulesError> {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '@');
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(RulesError::Name(name.to_owned()));
        }
        if name.starts_with(MODEL) && !self.models {
            return Err(RulesError::Model(name.to_owned()));
        }
        Ok(())
    }

    /// All who may judge, in the order of their names.
    pub fn judges(&self) -> BTreeSet<&str> {
        let all = self.groups.iter().flatten().chain(&self.panel).chain(self.stand_ins.values());
        all.map(String::as_str).collect()
    }

    /// The place of a judge: the group, by its index.
    pub fn group_of(&self, judge: &str) -> Option<usize> {
        let stands_for = |seat: &String| self.holds(seat, judge);
        self.groups.iter().position(|group| group.iter().any(stands_for))
    }

    /// Whether a judge may speak for a member of a group: as the member, or in its place.
    pub fn holds(&self, seat: &str, judge: &str) -> bool {
        seat == judge || self.stand_ins.get(seat).is_some_and(|other| other == judge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(groups: &[&[&str]]) -> Rules {
        let names = |group: &&[&str]| group.iter().map(|&name| name.to_owned()).collect();
        Rules { groups: groups.iter().map(names).collect(), ..Rules::default() }
    }

    #[test]
    fn wrong_rules_say_what_is_wrong() {
        let of = |rules: Rules| rules.check().expect_err("they are wrong").to_string();
        assert_eq!(rules(&[&["ada", "bob"], &["carl"]]).check(), Ok(()));
        assert!(of(rules(&[&["ada"], &["ada"]])).contains("two places"));
        assert!(of(rules(&[&[]])).contains("no member"));
        assert!(of(rules(&[&["a b"]])).contains("letters"));
        assert!(of(rules(&[&["model:m"]])).contains("models = true"));
        assert!(of(Rules { share_twice: 2.0, ..Rules::default() }).contains("0 to 1"));
        let mut away = rules(&[&["ada", "bob"]]);
        away.stand_ins = [("ada".to_owned(), "bob".to_owned())].into();
        assert!(of(away.clone()).contains("somebody else"));
        away.stand_ins = [("zoe".to_owned(), "bob".to_owned())].into();
        assert!(of(away).contains("in no group"));
        let stands = |pairs: [(&str, &str); 2]| Rules {
            stand_ins: pairs.map(|(away, other)| (away.to_owned(), other.to_owned())).into(),
            panel: vec!["pia".to_owned()],
            ..rules(&[&["ada", "bob"], &["carl"]])
        };
        assert_eq!(stands([("ada", "eve"), ("carl", "fay")]).check(), Ok(()));
        for twice in [[("ada", "eve"), ("bob", "eve")], [("ada", "eve"), ("carl", "eve")]] {
            assert!(of(stands(twice)).contains("eve judges in another place"));
        }
        for elsewhere in ["pia", "carl"] {
            assert!(of(stands([("ada", elsewhere), ("bob", "eve")])).contains("in another place"));
        }
    }
}

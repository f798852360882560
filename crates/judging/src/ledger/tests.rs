//! What judges say in which order, and what follows.

use proptest::prelude::*;

use super::*;
use crate::judgement::Verdict::{self, False, True, Undecided};

fn ledger(share_twice: f64) -> Ledger {
    let group = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let rules = Rules {
        groups: vec![group(["ada", "bob"]), group(["carl", "dora"])],
        panel: vec!["pia".to_owned()],
        share_twice,
        ..Rules::default()
    };
    Ledger::new((0..20).map(|at| format!("p{at}")).collect(), rules)
}

fn row(pair: &str, judge: &str, verdict: Option<Verdict>) -> Judgement {
    Judgement {
        pair_id: pair.to_owned(),
        judge: judge.to_owned(),
        verdict,
        comment: String::new(),
        label: None,
        seconds: 2.0,
        at: "2026-11-26T04:00:00Z".to_owned(),
        blind: false,
        codes: None,
    }
}

fn say(ledger: &mut Ledger, judge: &str, verdict: Verdict) -> usize {
    let work = ledger.next(judge, &[]).expect("there is a pair");
    let id = ledger.ids()[work.pair].clone();
    ledger.take(row(&id, judge, Some(verdict)));
    work.pair
}

#[test]
fn both_members_have_to_say_true() {
    let mut ledger = ledger(0.0);
    for (one, other, state) in [
        (True, True, State::True),
        (True, False, State::Conflict),
        (False, False, State::False),
        (True, Undecided, State::Redealt),
    ] {
        let pair = say(&mut ledger, "ada", one);
        assert_eq!(ledger.state(pair), State::Open);
        assert_eq!(say(&mut ledger, "bob", other), pair);
        assert_eq!(ledger.state(pair), state);
    }
}

#[test]
fn undecided_pairs_go_to_another_group_and_then_to_the_panel() {
    let mut ledger = ledger(0.0);
    let pair = say(&mut ledger, "ada", Undecided);
    say(&mut ledger, "bob", True);
    assert_eq!(ledger.next("pia", &[]), None);
    for _ in 0..10 {
        say(&mut ledger, "carl", True);
        say(&mut ledger, "dora", True);
    }
    assert_eq!(say(&mut ledger, "carl", Undecided), pair, "the own section comes first");
    say(&mut ledger, "dora", Undecided);
    assert_eq!(ledger.state(pair), State::ForPanel);
    let work = ledger.next("pia", &[]).expect("the panel has it");
    assert_eq!((work.pair, work.round, work.blind), (pair, Round::Panel, false));
    say(&mut ledger, "pia", False);
    assert_eq!((ledger.state(pair), ledger.round(pair)), (State::False, Round::Panel));
}

#[test]
fn where_there_is_no_panel_an_undecided_pair_stays_undecided() {
    let rules = Rules { groups: vec![vec!["ada".to_owned()]], ..Rules::default() };
    let mut ledger = Ledger::new(vec!["p0".to_owned()], rules);
    say(&mut ledger, "ada", Undecided);
    assert_eq!((ledger.state(0), ledger.round(0)), (State::Undecided, Round::First));
}

#[test]
fn what_was_said_can_be_taken_back() {
    let mut ledger = ledger(0.0);
    let first = say(&mut ledger, "ada", True);
    let second = say(&mut ledger, "ada", True);
    for pair in [second, first] {
        assert_eq!(ledger.last("ada"), Ok(pair));
        let id = ledger.ids()[pair].clone();
        ledger.take(row(&id, "ada", None));
        assert_eq!(ledger.next("ada", &[]).map(|it| it.pair), Some(pair));
    }
    assert_eq!(ledger.last("ada"), Err(Refusal::Nothing("ada".to_owned())));
}

#[test]
fn the_newest_judgement_counts_in_whatever_order_it_comes() {
    let mut ledger = ledger(0.0);
    let at = |verdict, time: &str| Judgement { at: time.to_owned(), ..row("p0", "ada", verdict) };
    let verdict = |ledger: &Ledger| ledger.said(0).first().and_then(|it| it.verdict);
    ledger.take(at(Some(True), "2026-11-26T04:00:00Z"));
    ledger.take(at(Some(False), "2026-11-25"));
    assert_eq!(verdict(&ledger), Some(True));
    ledger.take(at(Some(False), "2026-11-26T04:00:00Z"));
    assert_eq!(verdict(&ledger), Some(False), "of one time the later row");
    ledger.take(at(None, "2026-11-27T04:00:00Z"));
    ledger.take(at(Some(True), "2026-11-26T05:00:00Z"));
    assert_eq!(verdict(&ledger), None, "it was taken back since");
    let next = ledger.time_of_next("ada", "p0", "2026-11-26T05:00:00Z");
    assert_eq!(next, "2026-11-27T04:00:00Z", "the clock was set back");
}

#[test]
fn somebody_judges_in_the_place_of_a_member_who_is_away() {
    let mut rules = ledger(0.0).rules().clone();
    rules.stand_ins = [("ada".to_owned(), "eve".to_owned())].into();
    let mut ledger = Ledger::new((0..20).map(|at| format!("p{at}")).collect(), rules);
    let first = say(&mut ledger, "ada", True);
    let second = say(&mut ledger, "eve", True);
    assert_ne!(first, second, "what ada judged is done");
    say(&mut ledger, "bob", True);
    say(&mut ledger, "bob", True);
    assert_eq!((ledger.state(first), ledger.state(second)), (State::True, State::True));
}

#[test]
fn a_judge_gets_no_pair_of_others() {
    let ledger = ledger(1.0);
    let pair = ledger.next("ada", &[]).expect("there is one").pair;
    let row = row(&ledger.ids()[pair], "carl", Some(True));
    assert!(matches!(ledger.may("carl", &row), Err(Refusal::NotYours { .. })));
    assert!(ledger.may("ada", &row).is_ok_and(|work| work.blind));
    assert_eq!(ledger.next("nobody", &[]), None);
}

#[test]
fn the_panel_says_what_it_wrote_down_last() {
    let mut rules = ledger(0.0).rules().clone();
    rules.groups.truncate(1);
    rules.panel = vec!["pia".to_owned(), "quin".to_owned()];
    let mut ledger = Ledger::new(vec!["p0".to_owned()], rules);
    say(&mut ledger, "ada", Undecided);
    say(&mut ledger, "bob", Undecided);
    let at =
        |judge, verdict, time: &str| Judgement { at: time.to_owned(), ..row("p0", judge, Some(verdict)) };
    // As texts, the letter T stands behind a space.
    ledger.take(at("pia", True, "2026-11-27T04:00:00Z"));
    ledger.take(at("quin", False, "2026-11-27 05:00:00"));
    assert_eq!(ledger.state(0), State::False);
}

proptest! {
    /// Whatever judges say in whatever order, the work ends, and no pair is open then.
    #[test]
    fn judging_ends(seed: u64, says in prop::collection::vec(0usize..3, 40..200)) {
        let mut ledger = ledger(0.5);
        let judges = ["ada", "bob", "carl", "dora", "pia"];
        let mut turn = seed as usize;
        let mut steps = 0;
        while let Some(judge) = (0..5).map(|at| judges[(turn + at) % 5]).find(|it| ledger.next(it, &[]).is_some()) {
            say(&mut ledger, judge, Verdict::ALL[says[steps % says.len()]]);
            turn = turn.wrapping_mul(7).wrapping_add(1);
            steps += 1;
            let recount = (0..20).filter(|&pair| ledger.waits_for(pair, judge)).count() as u64;
            prop_assert_eq!(ledger.progress(judge).1, recount);
            prop_assert!(steps <= 20 * 5);
        }
        let open = [State::Open, State::Redealt, State::ForPanel];
        prop_assert!((0..20).all(|pair| !open.contains(&ledger.state(pair))));
        prop_assert!(judges.iter().all(|judge| ledger.progress(judge).1 == 0), "nothing waits");
    }
}

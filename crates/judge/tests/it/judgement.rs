//! Judgements against `judgement.tsv`, written by hand from the licenses' texts and public statements, and properties of all.

use familiar_judge::{self as judge, DutyKind, Status, Verdict};
use familiar_license::Expression;
use proptest::prelude::*;

fn expression(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn judged(outbound: &str, inbound: &str) -> Verdict {
    judge::judge(&expression(outbound), &expression(inbound))
}

#[test]
fn pairs_are_judged_as_the_table_says() {
    let rows = include_str!("judgement.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        let columns: Vec<_> = row.split('\t').collect();
        let [outbound, inbound, status, source, why] = columns[..] else { panic!("five columns: {row}") };
        assert!(!source.is_empty() && !why.is_empty(), "{row}");
        let verdict = judged(outbound, inbound);
        if verdict.status.name() != status {
            wrong.push(format!("{outbound} <- {inbound}: {status} ({why}), got {verdict:#?}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 200, "{count} pairs");
}

#[test]
fn a_verdict_cites_all_that_it_rests_on() {
    let sources = |outbound: &str, inbound: &str| {
        judged(outbound, inbound).rules.iter().map(|rule| rule.source.clone()).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(sources("GPL-3.0-only", "PSF-2.0"), "supplement | OSADL matrix 2024-11-04 | FSF license list");
    assert_eq!(
        sources("GPL-3.0-only", "AGPL-3.0-only"),
        "GPL-3.0 section 13, AGPL-3.0 section 13 | OSADL matrix 2024-11-04"
    );
    assert_eq!(
        sources("GPL-2.0-or-later", "Apache-2.0"),
        "OSADL matrix 2024-11-04 | FSF license list | GPL-2.0-or-later | OSADL matrix 2024-11-04"
    );
    assert_eq!(sources("MIT", "MIT"), "MIT");
    assert_eq!(sources("MIT", "MIT OR GPL-2.0-only"), "MIT | choice of the code's license");
}

#[test]
fn duties_name_what_is_left_of_the_work() {
    let duties = |outbound: &str, inbound: &str| {
        let verdict = judged(outbound, inbound);
        let duties = verdict.duties.iter().map(|duty| format!("{}:{}", duty.kind.name(), duty.license));
        duties.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(duties("Apache-2.0", "MIT"), "keep-notice:MIT include-license:MIT");
    assert!(duties("GPL-2.0-or-later", "Apache-2.0").ends_with("choose-license:GPL-3.0-or-later"));
    assert!(duties("GPL-3.0-or-later", "CC-BY-SA-4.0").ends_with("choose-license:GPL-3.0-only"));
    assert!(duties("MIT OR GPL-2.0-only", "GPL-2.0-only").ends_with("choose-license:GPL-2.0-only"));
    assert!(duties("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only").contains("drop-exception:"));
    assert!(duties("GPL-3.0-only", "AGPL-3.0-only").contains("keep-apart:"));
    // Whichever side has it, what its section 13 asks for is said once.
    for (outbound, inbound) in [("AGPL-3.0-only", "GPL-3.0-only"), ("GPL-3.0-only", "AGPL-3.0-only")] {
        let duties = duties(outbound, inbound);
        assert_eq!(duties.matches("network-source:AGPL-3.0-only").count(), 1, "{duties}");
    }
    assert_eq!(duties("MIT", "GPL-2.0-only"), "");
}

#[test]
fn code_that_passes_to_another_license_need_not_keep_its_own() {
    for (outbound, inbound) in [
        ("GPL-3.0-only", "CC-BY-SA-4.0"),
        ("GPL-3.0-only", "GPL-2.0-or-later"),
        ("GPL-2.0-only", "EUPL-1.2"),
        ("GPL-2.0-only", "MPL-2.0"),
        ("EPL-2.0", "EPL-1.0"),
        ("CC-BY-SA-4.0", "CC-BY-SA-3.0"),
    ] {
        let verdict = judged(outbound, inbound);
        let of_kind = |kind: DutyKind| verdict.duties.iter().filter(move |duty| duty.kind == kind);
        assert_eq!(of_kind(DutyKind::ShareAlike).count(), 0, "{outbound} <- {inbound}");
        let passes_to: Vec<_> = of_kind(DutyKind::PassOn).map(|duty| duty.license.as_str()).collect();
        assert_eq!(passes_to, [outbound], "{outbound} <- {inbound}");
    }
    let duties = judged("GPL-3.0-only", "CC-BY-SA-4.0").duties;
    let text: Vec<_> = duties.iter().map(ToString::to_string).filter(|text| text.contains("made")).collect();
    assert_eq!(
        text,
        ["distribute what is made with the code under this license, as the code's own license allows \
          (GPL-3.0-only; for CC-BY-SA-4.0, section 3(b))"]
    );
    // Where each part keeps its license, and where it stays the same, so does the duty.
    for (outbound, inbound) in [("GPL-3.0-only", "AGPL-3.0-only"), ("GPL-2.0-or-later", "GPL-2.0-only")] {
        let duties = judged(outbound, inbound).duties;
        assert!(duties.iter().any(|duty| duty.kind == DutyKind::ShareAlike), "{outbound} <- {inbound}");
    }
}

#[test]
fn every_license_of_spdx_is_judged_against_itself_and_others() {
    let nothing = |name: &str| matches!(name, Expression::NONE | Expression::NOASSERTION);
    for license in spdx::identifiers::LICENSES.iter().filter(|license| !nothing(license.name)) {
        // Any license that the Open Source Initiative approved is not one license.
        let expected = if license.name.starts_with("any-OSI") { Status::Unknown } else { Status::Same };
        let license = expression(license.name);
        assert_eq!(judge::judge(&license, &license).status, expected, "{license}");
        for other in ["MIT", "GPL-3.0-or-later", "LicenseRef-x", "NONE"] {
            let other = expression(other);
            assert!(!judge::judge(&license, &other).rules.is_empty(), "{license} <- {other}");
            assert!(!judge::judge(&other, &license).rules.is_empty(), "{other} <- {license}");
        }
    }
}

#[test]
fn endless_lists_are_not_judged() {
    let list = |from: usize| {
        (from..from + 100).map(|number| format!("LicenseRef-{number}")).collect::<Vec<_>>().join(" AND ")
    };
    let verdict = judged(&list(0), &list(1000));
    assert_eq!(verdict.status, Status::Unknown);
    assert_eq!(verdict.rules[0].source, "expression");
    assert_eq!(judged(&list(0), &list(0)).status, Status::Unknown);
    assert_eq!(judged("MIT", &spread(&["MIT OR GPL-2.0-only"; 20])).status, Status::Compatible);
}

/// Parts that look alike are one part.
fn spread(parts: &[&str]) -> String {
    parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" AND ")
}

#[test]
fn only_share_alike_goes_with_posts_by_the_apprentices_rule() {
    let apprentice =
        |outbound: &str, inbound: &str| judge::apprentice(&expression(outbound), &expression(inbound));
    assert_eq!(apprentice("CC-BY-SA-3.0", "CC-BY-SA-4.0"), Some(Status::Compatible));
    assert_eq!(apprentice("MIT", "CC-BY-SA-4.0"), Some(Status::Conflict));
    assert_eq!(apprentice("MIT", "GPL-3.0-only"), None);
    assert_eq!(apprentice("NONE", "CC-BY-SA-4.0"), Some(Status::Conflict));
}

/// Worse is greater; the same license is as good as a compatible one.
fn badness(verdict: &Verdict) -> Status {
    if verdict.status == Status::Same { Status::Compatible } else { verdict.status }
}

fn is_too_long(verdict: &Verdict) -> bool {
    verdict.rules.iter().any(|rule| rule.text.contains("too many licenses and choices"))
}

fn expressions() -> impl Strategy<Value = Expression> {
    let licenses = prop::sample::select(vec![
        "MIT",
        "Apache-2.0",
        "Apache-2.0+",
        "BSD-4-Clause",
        "GPL-2.0-only",
        "GPL-2.0-or-later",
        "GPL-3.0-only",
        "AGPL-3.0-or-later",
        "LGPL-2.1-or-later",
        "MPL-2.0",
        "PSF-2.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "GPL-2.0-only WITH Classpath-exception-2.0",
        "LicenseRef-x",
        "LicenseRef-scancode-proprietary-license",
        "NONE",
        "NOASSERTION",
    ]);
    licenses.prop_map(expression).prop_recursive(3, 12, 3, |part| {
        let parts = prop::collection::vec(part, 2..4);
        prop_oneof![parts.clone().prop_map(Expression::And), parts.prop_map(Expression::Or)]
    })
}

proptest! {
    #[test]
    fn another_choice_is_never_worse(work in expressions(), code in expressions(), other in expressions()) {
        let verdict = judge::judge(&work, &code);
        let more = Expression::Or(vec![code.clone(), other.clone()]);
        let for_code = judge::judge(&work, &more);
        let more = Expression::Or(vec![work.clone(), other]);
        let for_work = judge::judge(&more, &code);
        // Of what is too long to be judged, nothing is known.
        prop_assume!(!is_too_long(&for_code) && !is_too_long(&for_work));
        prop_assert!(badness(&for_code) <= badness(&verdict));
        prop_assert!(badness(&for_work) <= badness(&verdict));
    }

    #[test]
    fn another_license_that_holds_too_is_never_better(work in expressions(), code in expressions(), other in expressions()) {
        let verdict = judge::judge(&work, &code);
        let more = Expression::And(vec![code, other]);
        let with_more = judge::judge(&work, &more);
        // Of what is too long to be judged, nothing is known.
        prop_assume!(!is_too_long(&with_more));
        prop_assert!(badness(&with_more) >= badness(&verdict), "{work} <- {more}");
    }

    #[test]
    fn a_conflict_obliges_to_nothing_and_everything_has_a_rule(work in expressions(), code in expressions()) {
        let verdict = judge::judge(&work, &code);
        prop_assert!(!verdict.rules.is_empty());
        prop_assert!(verdict.status != Status::Conflict || verdict.duties.is_empty());
        let left = verdict.duties.iter().filter(|duty| duty.kind == DutyKind::ChooseLicense).count();
        prop_assert!(left <= 8);
    }
}

//! Decisions, policies and results are read or refused, whatever they hold; what is read comes back as it went.

#![no_main]

use familiar_review::{Decisions, Import};
use libfuzzer_sys::fuzz_target;

const IMPORT: Import<'_> = Import { author: "ada", decided: "2026-01-31T12:00:00Z" };

fuzz_target!(|bytes: &[u8]| {
    let read = [
        Decisions::parse(bytes).ok(),
        Decisions::of_result(bytes, IMPORT).ok(),
        std::str::from_utf8(bytes).ok().and_then(|text| Some(Decisions::of_policy(text, IMPORT).ok()?.0)),
    ];
    for decisions in read.into_iter().flatten() {
        let mut written = Vec::new();
        decisions.write(&mut written).expect("memory takes it");
        assert_eq!(Decisions::parse(&written).expect("it was written so"), decisions);
        let settled = decisions.standing().filter(|decision| decision.decision.settles()).count();
        let policy = decisions.to_policy();
        let (again, left_out) = Decisions::of_policy(&policy, IMPORT).expect("it was written so");
        assert_eq!((again.all().count(), left_out), (settled, 0));
    }
});

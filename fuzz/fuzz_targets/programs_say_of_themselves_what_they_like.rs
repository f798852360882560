//! Whatever a program says of its own end, it counts only where the kernel saw an end of that kind.

#![no_main]

use familiar_sandbox::{End, outcome_of};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: (u16, &[u8])| {
    let (status, said) = (i32::from(given.0), given.1);
    let (signal, code) = (status & 0x7f, status >> 8);
    let outcome = outcome_of(said, status);
    match &outcome.end {
        End::Finished => assert!(signal == 0 && code == 0),
        End::Raised(_) => assert!(signal == 0 && code == 1),
        End::Exited(seen) => assert!(*seen == code),
        End::Killed(seen) => assert!(*seen == signal),
        End::TimedOut => assert!(signal == 24),
        other => panic!("nobody has seen {other:?}"),
    }
    let text = serde_json::to_vec(&outcome).expect("it can be written");
    let again: familiar_sandbox::Outcome = serde_json::from_slice(&text).expect("it was written so");
    assert_eq!(again, outcome);
});

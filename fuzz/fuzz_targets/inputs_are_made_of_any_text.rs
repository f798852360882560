//! Inputs and mutants are made of any text: each input is different, and each mutant differs from the program.

#![no_main]

use familiar_sandbox::{LANGUAGES, Program, calls, mutants, standard_inputs};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let language = LANGUAGES[usize::from(*first) % LANGUAGES.len()];
    let text = String::from_utf8_lossy(rest).into_owned();
    let program = Program { language, text: text.clone() };
    let rows = calls(&program, "f", &text, u64::from(*first), 10);
    assert!(rows.len() <= 10);
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
    let inputs = standard_inputs(&program, &[rest.to_vec()], u64::from(*first), 10);
    assert_eq!(inputs.iter().collect::<BTreeSet<_>>().len(), inputs.len());
    for mutant in mutants(&program, 20) {
        assert_ne!(mutant.text, text);
    }
});

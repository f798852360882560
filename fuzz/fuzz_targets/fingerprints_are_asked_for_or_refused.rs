//! Rows of fingerprints are asked for or refused, whatever they hold.
#![no_main]

mod common;

use common::corpus::{Change, change, world};
use familiar_library::CodeQuery;
use familiar_report::find::FingerprintRow;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|changes: Vec<Change>| {
    let world = world();
    let mut row = serde_json::to_vec(&world.query.fingerprint()).expect("plain data");
    changes.iter().for_each(|(_, at, with)| change(&mut row, *at, with));
    let Ok(row) = serde_json::from_slice::<FingerprintRow>(&row) else { return };
    if let Ok(query) = CodeQuery::of_fingerprint(&row) {
        world.find(&query);
    }
});

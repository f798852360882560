//! A list of sources gives names that stand for themselves, each once, or says what is wrong with it.
#![no_main]

use familiar_corpus::spec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let file = folder.path().join("list");
    std::fs::write(&file, bytes).expect("just made");
    match spec::names(&format!("list:{}", file.display())) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(names) => {
            for name in &names.names {
                assert_eq!(&spec::canonical(name).expect("a source"), name);
            }
            let once: std::collections::BTreeSet<&String> = names.names.iter().collect();
            assert_eq!(once.len(), names.names.len());
        }
    }
});

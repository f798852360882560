//! A dump of posts gives blocks with code in them, with and without revisions; broken ones give what can be read.
#![no_main]

mod common;

use common::items;
use familiar_corpus::stackexchange::StackExchange;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = |path: std::path::PathBuf| {
        // The same bytes are the revisions too.
        std::fs::copy(&path, path.with_file_name("PostHistory.xml")).expect("just made");
        Box::new(StackExchange { path }) as Box<dyn familiar_corpus::Source>
    };
    items("Posts.xml", bytes, source, |item| {
        assert!(item.occurrence.path.contains('#'));
        assert!(!item.bytes.trim_ascii().is_empty());
    });
});

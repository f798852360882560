//! The regions of a page or notebook lie in order, cover what they should, and keep the file's lines.
#![no_main]

use familiar_source::{Language, LineIndex};
use familiar_syntax::regions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    for language in [Language::Html, Language::Vue, Language::Svelte, Language::Notebook] {
        let regions = regions::split(language, source).expect("these languages have regions");
        assert_eq!(regions.code.len(), source.len());
        let mut end = 0;
        for (_, span) in &regions.list {
            assert!(end <= span.start && span.end as usize <= source.len());
            end = span.end;
        }
        if language != Language::Notebook {
            let covered: usize = regions.list.iter().map(|(_, span)| span.len() as usize).sum();
            assert_eq!(covered, source.len());
            let lines = LineIndex::new(source).count(source.len());
            assert_eq!(lines, LineIndex::new(&regions.code).count(source.len()));
        }
    }
});

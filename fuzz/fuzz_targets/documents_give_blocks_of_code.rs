//! The blocks of a document, of a kind that the first byte chooses, have code in them and stand on lines that it has.
#![no_main]

mod common;

use common::items;
use familiar_corpus::docs::Docs;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, text)) = bytes.split_first() else { return };
    let name = ["a.md", "a.rst", "a.html"][usize::from(*kind) % 3];
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let source = |root| Box::new(Docs { root, walk: Default::default() }) as Box<dyn familiar_corpus::Source>;
    items(name, text, source, |item| {
        assert!(!item.bytes.trim_ascii().is_empty());
        assert!((1..=lines as u32).contains(&item.occurrence.first_line), "{}", item.occurrence.first_line);
    });
});

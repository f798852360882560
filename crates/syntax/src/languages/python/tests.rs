//! When the front end is sure of what it found.

use familiar_source::LineIndex;

use super::Python;
use crate::{Confidence, FrontEnd, Output, Want};

const FIXTURES: [&[u8]; 4] = [
    include_bytes!("../../../fixtures/python/suites.py"),
    include_bytes!("../../../fixtures/python/strings.py"),
    include_bytes!("../../../fixtures/python/python2.py"),
    include_bytes!("../../../fixtures/python/broken.py"),
];

fn parse(source: &[u8]) -> (Output, Confidence) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    let confidence = Python.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    (out, confidence)
}

#[test]
fn real_code_is_sure_and_broken_code_is_not() {
    assert_eq!(
        FIXTURES.map(|source| parse(source).1)[1..],
        [Confidence::Sure, Confidence::Sure, Confidence::Unsure]
    );
}

//! When the front end is sure of what it found.

use familiar_source::LineIndex;

use super::Go;
use crate::{Confidence, FrontEnd, Output, Want};

const FIXTURES: [&[u8]; 4] = [
    include_bytes!("../../../fixtures/go/bodies.go"),
    include_bytes!("../../../fixtures/go/numbers.go"),
    include_bytes!("../../../fixtures/go/ends.go"),
    include_bytes!("../../../fixtures/go/broken.go"),
];

fn parse(source: &[u8]) -> (Output, Confidence) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    let confidence = Go.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    (out, confidence)
}

#[test]
fn real_code_is_sure_and_broken_code_is_not() {
    assert_eq!(
        FIXTURES.map(|source| parse(source).1),
        [Confidence::Sure, Confidence::Sure, Confidence::Sure, Confidence::Unsure]
    );
}

//! What a segment holds comes back; whatever its sections hold, reading fails at most with an error.

use proptest::prelude::*;

use super::*;

fn built(path: &Path) {
    let mut builder = SegmentBuilder::default();
    for blob in 0..4u32 {
        let symbols: Box<[u32]> = (0..90).map(|at| (((at * at + blob * 7) % 23) << 3) | 2).collect();
        let details = Details {
            lines: (0..90).map(|at| (at / 7 + 1, at / 7 + 1 + at % 7 / 6)).collect(),
            statements: (0..90).step_by(5).collect(),
            fragments: (0..5)
                .map(|n| SegmentFragment { kind: 2, first: n * 9, tokens: 40, lines: (n, n + 6) })
                .collect(),
        };
        let keys =
            (0..40).map(|n: u32| (Key::ALL[n as usize % 4], n.wrapping_mul(0x9e37_79b1), u64::from(n % 5)));
        let (keys, bags) = (keys.collect(), vec![0, 2, 4]);
        let licenses = vec![blob as u8; blob as usize];
        builder.push(&BlobParts {
            id: [blob as u8; 20],
            label: "python",
            symbols,
            details,
            keys,
            bags,
            licenses,
        });
    }
    builder.write(path, 1, |_| true).expect("the temporary folder can be written");
}

/// Asks a segment everything.
fn read_all(segment: &Segment) -> Result<(), SegmentError> {
    let mut symbols = Vec::new();
    for number in 0..segment.blobs().min(64) {
        let blob = segment.blob(number)?;
        // Each may be damaged by itself.
        let _ = segment.label(&blob);
        let _ = segment.details(&blob);
        let _ = segment.fragments_of(&blob);
        let _ = segment.statements_of(&blob, &(0..u32::MAX), &mut Vec::new());
        let _ = segment.find_blob(&blob.id);
        let _ = segment.licenses(number);
        let _ = segment.symbols(blob.first_token..blob.first_token.saturating_add(blob.tokens), &mut symbols);
    }
    let _ = segment.blob_of_token(100);
    let _ = segment.blob_of_fragment(3);
    for key in Key::ALL {
        for n in 0..50u32 {
            segment.find(key, n.wrapping_mul(0x9e37_79b1))?.iter().take(10).for_each(drop);
        }
    }
    segment.find_overlapping(&[2, 10, 18, 18], Fraction::new(0.8), |_| {})
}

#[test]
fn blobs_come_back_as_they_were_pushed() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let path = dir.path().join("segment");
    built(&path);
    let segment = Segment::open(&path, 1).expect("whole");
    assert_eq!((segment.blobs(), segment.tokens(), segment.fragments()), (4, 360, 20));
    let number = segment.find_blob(&[2; 20]).expect("whole").expect("pushed");
    let blob = segment.blob(number).expect("whole");
    let mut symbols = Vec::new();
    segment.symbols(blob.first_token..blob.first_token + 90, &mut symbols).expect("whole");
    let pushed: Vec<u32> = (0..90).map(|at| (((at * at + 14) % 23) << 3) | 2).collect();
    assert_eq!(symbols, pushed);
    let details = segment.details(&blob).expect("whole");
    assert_eq!(details.fragments[3], SegmentFragment { kind: 2, first: 27, tokens: 40, lines: (3, 9) });
    let mut statements = Vec::new();
    segment.statements_of(&blob, &(0..blob.tokens), &mut statements).expect("whole");
    assert_eq!(statements, details.statements);
    assert_eq!(segment.blob_of_token(blob.first_token + 89).expect("whole"), number);
    assert_eq!(segment.blob_of_fragment(blob.first_fragment).expect("whole"), number);
    let other = Segment::open(&path, 2).expect_err("fingerprints of another version");
    assert!(matches!(other, SegmentError::Fingerprints { found: 1, expected: 2, .. }), "{other}");
    assert!(other.to_string().ends_with(
        "has fingerprints of version 1, and this version of Familiar looks up version 2; `familiar corpus rebuild` writes it again"
    ));
    let licenses = |number: u32| segment.licenses(number).expect("whole").to_vec();
    assert_eq!((0..4).map(licenses).collect::<Vec<_>>(), [vec![], vec![1], vec![2; 2], vec![3; 3]]);
    segment.verify().expect("whole");
}

#[test]
fn a_segment_that_is_older_than_licenses_is_read() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let (path, older) = (dir.path().join("segment"), dir.path().join("older"));
    built(&path);
    let blocks = Blocks::open(&path, &LAYOUT).expect("whole");
    let sections: Vec<Vec<u8>> =
        (0..section::COUNT - 1).map(|section| blocks.all(section).expect("whole").to_vec()).collect();
    crate::blocks::write(&older, &LAYOUT, &sections).expect("just made");
    let older = Segment::open(&older, 1).expect("whole");
    assert_eq!((older.blobs(), older.licenses(3).expect("whole")), (4, &[][..]));
    older.verify().expect("whole");
}

proptest! {
    #[test]
    fn no_content_makes_a_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let (path, other) = (dir.path().join("a"), dir.path().join("b"));
        built(&path);
        let blocks = Blocks::open(&path, &LAYOUT).expect("whole");
        let mut sections: Vec<Vec<u8>> =
            (0..section::COUNT).map(|section| blocks.all(section).expect("whole").to_vec()).collect();
        for (section, at, value) in changes {
            let section = section.index(sections.len());
            if !sections[section].is_empty() {
                let at = at.index(sections[section].len());
                sections[section][at] = value;
            }
        }
        if let Some(cut) = cut {
            let section = cut.index(sections.len());
            let len = cut.index(sections[section].len() + 1);
            sections[section].truncate(len);
        }
        // Checksums that are right say nothing of who wrote the file.
        crate::blocks::write(&other, &LAYOUT, &sections).expect("just made");
        if let Ok(segment) = Segment::open(&other, 1) {
            let _ = read_all(&segment);
        }
    }
}

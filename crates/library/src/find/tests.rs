//! What an open library holds on to, and which pieces count first.

use familiar_store::Writer;
use familiar_store::tables::OccurrenceRow;

use super::*;

#[test]
fn files_stay_while_a_library_is_open() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let mut writer = Writer::open(dir.path(), true).expect("an empty folder");
    let mut part = writer.part("dir:/a").expect("it can be written");
    let row = OccurrenceRow { blob: BlobId([1; 20]), occurrence: Occurrence::default() };
    part.occurrence(&row).expect("it can be written");
    writer.add(part.finish().expect("it can be written"), 1);
    writer.commit().expect("it can be written");
    drop(writer);
    let library = Library::open(dir.path()).expect("just made");
    let files = || std::fs::read_dir(dir.path().join("tables")).expect("a folder").count();
    crate::remove(dir.path(), "dir:/a").expect("it is there");
    assert_eq!(files(), 1);
    drop(library);
    drop(Writer::open(dir.path(), true).expect("it is there"));
    assert_eq!(files(), 0);
}

#[test]
fn larger_pieces_count_before_smaller_ones() {
    let piece = |start, end, blob, clone_type, extent| Piece {
        query: Span::new(start, end),
        blob: Span::new(blob, blob + (end - start)),
        clone_type,
        similarity: 1.0,
        extent,
    };
    let large = piece(10, 100, 10, 1, 90);
    let (inside, over) = (piece(20, 60, 500, 2, 40), piece(90, 140, 700, 2, 50));
    let again = piece(10, 100, 900, 1, 90);
    let mut pieces = vec![inside, over, large, again];
    let stretches = stretches(&mut pieces);
    assert_eq!(pieces, [large, again, over], "what lies inside says nothing; what is as large does");
    let spans: Vec<_> = stretches.iter().map(|s| (s.tokens.start, s.tokens.end, s.clone_type)).collect();
    assert_eq!(spans, [(10, 100, 1), (100, 140, 2)]);
}

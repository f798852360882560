//! Bytes as a file, read by a source within small limits.
#![allow(dead_code, reason = "each target uses a part")]

pub mod container;
pub mod corpus;

use std::ops::ControlFlow;
use std::path::PathBuf;

use familiar_corpus::{Found, Item, Limits, Source};

pub const LIMITS: Limits = Limits {
    item_bytes: 1 << 16,
    archive_bytes: 1 << 20,
    archive_entries: 1000,
    archive_depth: 3,
    download_bytes: 0,
};

/// Calls `each` with every item that a source finds in a file called `name` with these bytes. A source that cannot be read is
/// an answer too.
pub fn items(
    name: &str,
    bytes: &[u8],
    source: impl Fn(PathBuf) -> Box<dyn Source>,
    mut each: impl FnMut(Item),
) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let file = folder.path().join(name);
    std::fs::write(&file, bytes).expect("just made");
    let _ = source(file).read(&LIMITS, &mut |found| {
        if let Found::Item(item) = found {
            assert!(item.bytes.len() as u64 <= LIMITS.item_bytes);
            each(item);
        }
        ControlFlow::Continue(())
    });
}

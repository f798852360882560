//! What is read piece by piece takes memory for a piece. A test of its own, for it counts what its whole process holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use familiar_corpus::stackexchange::StackExchange;
use familiar_corpus::{Found, Limits, Source};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller's contract is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is that of the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ROWS: usize = 6_000;

/// Rows of 5 kB each, compressed: 30 MB.
fn write_dump(folder: &std::path::Path, name: &str, attributes: &str, text: &str) {
    let file = std::fs::File::create(folder.join(name)).expect("the temporary folder can be written");
    let mut out = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    out.write_all(b"<rows>\n").expect("the temporary folder can be written");
    for id in 1..=ROWS {
        writeln!(out, "<row Id=\"{id}\" PostId=\"{id}\" {attributes}=\"{text}\" />")
            .expect("the temporary folder can be written");
    }
    out.write_all(b"</rows>")
        .and_then(|()| out.finish().map(drop))
        .expect("the temporary folder can be written");
}

#[test]
fn a_huge_dump_of_posts_is_read_row_by_row() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let line = "total = total + prices[number] * 12&#xA;";
    let code = line.repeat(125);
    let body = format!("&lt;pre&gt;&lt;code&gt;{code}&lt;/code&gt;&lt;/pre&gt;");
    write_dump(folder.path(), "Posts.xml.gz", "PostTypeId=\"1\" Body", &body);
    let revision = format!("```&#xA;{code}&#xA;```&#xA;");
    let time = "CreationDate=\"2015-01-28T00:00:00.000\"";
    write_dump(
        folder.path(),
        "PostHistory.xml.gz",
        &format!("PostHistoryTypeId=\"2\" {time} Text"),
        &revision,
    );
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let (mut items, mut bytes) = (0, 0);
    let dump = StackExchange { path: folder.path().to_owned() };
    dump.read(&Limits::default(), &mut |found| {
        if let Found::Item(item) = found {
            items += 1;
            bytes += item.bytes.len();
            assert!(item.occurrence.first_seen.is_some());
        }
        ControlFlow::Continue(())
    })
    .expect("sound files");
    assert!(items == ROWS && bytes > 20 << 20, "{items} items, {bytes} bytes");
    let most = MOST.load(Ordering::Relaxed) - before;
    assert!(most < 4 << 20, "{most} bytes");
}

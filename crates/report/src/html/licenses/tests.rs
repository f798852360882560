//! Chunks of licenses as a reader of the pages would take them.

use serde_json::Value;

use super::*;
use crate::license::{CopyrightRow, LayerRow};

fn file(path: &str, holder: &str) -> LicensedFile {
    let layer = |layer, expression: &str, disagrees| LayerRow {
        layer,
        expression: Some(expression.to_owned()),
        evidence: "</script><script>alert(1)</script>".to_owned(),
        path: Some(path.to_owned()),
        start_line: Some(2),
        end_line: Some(4),
        disagrees,
        ..LayerRow::default()
    };
    LicensedFile {
        path: path.to_owned(),
        path_bytes: None,
        expression: Some("GPL-2.0-only WITH Classpath-exception-2.0".to_owned()),
        by: "file-tag",
        ids: Vec::new(),
        layers: vec![
            layer("file-tag", "GPL-2.0-only WITH Classpath-exception-2.0", false),
            layer("package-metadata", "MIT OR Apache-2.0", true),
        ],
        copyrights: vec![CopyrightRow {
            statement: format!("(c) {holder}"),
            holder: Some(holder.to_owned()),
            start_line: 1,
            end_line: 1,
        }],
        page_text: Some(PageText::of("a\nb\n", 1)),
    }
}

fn block(page: &str, name: &str) -> Value {
    let start = format!("id=\"data-{name}\">");
    let from = page.find(&start).unwrap_or_else(|| panic!("no {name}")) + start.len();
    let json = &page[from..from + page[from..].find("</script>").expect("an end")];
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn a_page_holds_every_file_and_nothing_ends_its_data() {
    let mut out = Vec::new();
    let mut pages = LicensePages::as_page("<b>", 1 << 24, &mut out);
    for path in ["a.c", "b.c"] {
        pages.file(&file(path, "A & B")).expect("memory");
    }
    pages.end(&[], &[]).expect("memory");
    let page = String::from_utf8(out).expect("text");
    assert!(!page.contains("alert(1)</script>"));
    let head = block(&page, "head");
    assert_eq!((&head["result"], &head["counts"]["files"]), (&"licenses".into(), &2.into()));
    let files = block(&page, "files-0");
    assert_eq!(files["paths"], serde_json::json!(["a.c", "b.c"]));
    assert_eq!(files["holders"], serde_json::json!(["A & B"]));
    assert_eq!(
        files["expressions"],
        serde_json::json!([
            [
                "GPL-2.0-only WITH Classpath-exception-2.0",
                "strong-copyleft",
                [["GPL-2.0-only", "strong-copyleft"], ["Classpath-exception-2.0", "exception"]]
            ],
            ["MIT OR Apache-2.0", "permissive", [["MIT", "permissive"], ["Apache-2.0", "permissive"]]]
        ])
    );
    assert_eq!(block(&page, "details-0")[1]["copyrights"][0][1], "A & B");
    assert_eq!(block(&page, "text-0"), serde_json::json!(["a\nb\n", "a\nb\n"]));
}

#[test]
fn chunks_are_closed_as_files_come() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pages = LicensePages::in_folder(".", folder.path()).expect("a folder");
    let many = (1 << 14) + 1;
    for number in 0..many {
        pages.file(&file(&format!("{number:06}.c"), "A")).expect("written");
    }
    let names = |start: &str| {
        let all = std::fs::read_dir(folder.path().join("data")).expect("a folder");
        all.filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(start))
        })
        .count()
    };
    assert_eq!(names("files-"), 1);
    let before = (names("details-"), names("text-"));
    assert!(before.0 > 10, "{before:?}");
    pages.end(&[], &[]).expect("written");
    assert_eq!((names("files-"), names("details-"), names("text-")), (2, before.0 + 1, before.1 + 1));
    assert!(folder.path().join("index.html").is_file());
}

//! The HTML report of one small result with names and code that no one would want.
//!
//! The snapshot is the data of the report as a browser gets it.

use std::io;

use familiar_report::html;
use familiar_report::{
    ClassRow, CloneReport, FragmentRow, NoText, PairRow, PairSource, Root, Settings, Skipped, SourceText,
    Sources, Summary,
};
use familiar_source::{Token, TokenClass};

struct Pairs(Vec<PairRow>);

impl PairSource for Pairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(visit)
    }
}

/// A file with code that would end a script, bytes that are no UTF-8 and characters of two units; and one that is gone.
struct Files;

const HOSTILE: &[u8] = b"if a: # </script><script>alert(1)</script>\n  b = '<!--\xff\xf0\x9d\x84\x9e'\n";

impl Sources for Files {
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, NoText> {
        if &*fragment.path == "gone.py" {
            return Err(io::Error::other("no such file").into());
        }
        let token = |class, start, end| Token::new(class, 0, start, end);
        let tokens = vec![
            token(TokenClass::Keyword, 0, 2),
            token(TokenClass::Identifier, 3, 4),
            token(TokenClass::Operator, 4, 5),
            token(TokenClass::Identifier, 45, 46),
            token(TokenClass::Operator, 47, 48),
            token(TokenClass::String, 49, HOSTILE.len() - 1),
        ];
        Ok(SourceText { text: HOSTILE.to_vec(), shift: 0, tokens })
    }
}

fn fragment(id: u32, path: &str, name: &str, lines: [u32; 2], bytes: [u32; 2]) -> FragmentRow {
    FragmentRow {
        id,
        path: path.into(),
        path_bytes: None,
        blob: None,
        root: 0,
        language: "python",
        kind: "function",
        name: name.to_owned(),
        start_line: lines[0],
        end_line: lines[1],
        start_byte: bytes[0],
        end_byte: bytes[1],
        tokens: 60,
        form: 0,
        document: 0,
    }
}

fn pair(left: u32, right: u32, clone_type: u8, similarity: f64) -> PairRow {
    let fingerprint = format!("{:032x}", left * 16 + right);
    let (measure, vector_similarity, idiom, alignment) = ("aligned", None, false, Vec::new());
    let explanation = None;
    PairRow {
        left,
        right,
        clone_type,
        similarity,
        measure,
        fingerprint,
        vector_similarity,
        idiom,
        alignment,
        explanation,
    }
}

pub(super) fn report() -> CloneReport {
    let pairs = vec![pair(0, 1, 3, 0.756_789), pair(0, 2, 1, 1.0)];
    CloneReport {
        settings: Settings {
            granularity: vec!["function", "run"],
            types: vec![1, 2, 3],
            measure: "aligned",
            similarity: 0.7,
            renaming: "blind",
            min_tokens: 50,
            min_bits: None,
            min_lines: 5,
            max_gap_tokens: 10,
            changed_since: None,
            encoder: None,
            confidence: None,
            test_callbacks: None,
            validate: None,
            roots: vec!["</script>".to_owned()],
        },
        roots: vec![Root::default()],
        summary: Summary {
            files: 3,
            lines: 40,
            duplicated_lines: 8,
            duplication: 0.2,
            skipped: vec![Skipped {
                root: 0,
                path: "<b>&\u{2028}".to_owned(),
                path_bytes: None,
                reason: "binary".to_owned(),
            }],
            ..Summary::default()
        },
        fragments: vec![
            fragment(0, "</script><img src=x onerror=alert(1)>.py", "<svg/onload=f()>", [1, 2], [0, 50]),
            fragment(1, "</script><img src=x onerror=alert(1)>.py", "g", [2, 2], [45, 50]),
            fragment(2, "gone.py", "g", [1, 5], [0, 90]),
        ],
        pairs: Box::new(Pairs(pairs.clone())),
        classes: vec![ClassRow {
            representative: 0,
            members: vec![0, 1, 2],
            clone_type: 3,
            lines: 2,
            similarity: (0.756_789, 1.0),
            rank: 1,
            score: 1.0,
            relevance: 1.0,
            fingerprint: format!("{:032x}", 7),
            nested: Vec::new(),
            excerpt: None,
            other: None,
            explanation: None,
        }],
        all_pairs: Box::new(Pairs(pairs)),
        sources: Box::new(Files),
        decisions: familiar_review::Decisions::default(),
    }
}

pub(super) fn page(report: &CloneReport) -> String {
    let mut page = Vec::new();
    html::write_page(&report.into(), html::MOST_IN_ONE_FILE, &mut page).expect("small enough");
    String::from_utf8(page).expect("UTF-8")
}

/// The blocks of data of a page.
pub(super) fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| line.starts_with("<script type=\"application/json\""))
}

#[test]
fn the_data_are_as_documented() {
    insta::assert_snapshot!(blocks(&page(&report())).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_folder_holds_the_same_data_as_scripts() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    html::write_folder(&(&report()).into(), folder.path()).expect("an empty folder");
    for name in ["index.html", "assets/report.js", "assets/report.css"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let page = page(&report());
    for block in blocks(&page) {
        let (name, json) =
            block.split_once("id=\"data-").and_then(|(_, rest)| rest.split_once("\">")).expect("a block");
        let json = json.strip_suffix("</script>").expect("closed");
        let script = std::fs::read_to_string(folder.path().join(format!("data/{name}.js"))).expect("written");
        assert_eq!(script, format!("familiar(\"{name}\",{json});\n"));
    }
}

#[test]
fn nothing_from_a_result_is_markup() {
    let page = page(&report());
    for block in blocks(&page) {
        let inside = block
            .split_once('>')
            .and_then(|(_, rest)| rest.strip_suffix("</script>"))
            .expect("one block a line");
        assert!(!inside.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{inside}");
    }
    assert_eq!(page.matches("<script").count(), blocks(&page).count() + 1, "the data and the front end");
}

#[test]
fn a_page_that_would_be_too_large_says_what_to_do() {
    let error = html::write_page(&(&report()).into(), 100, &mut Vec::new()).expect_err("too large");
    assert!(error.to_string().contains("give a folder"), "{error}");
}

#[test]
fn code_that_moved_since_is_not_shown() {
    let mut report = report();
    report.fragments[1].start_line = 1;
    let page = page(&report);
    let files = blocks(&page).find(|block| block.contains("data-files")).expect("always there");
    assert!(files.contains(r#""0":"it has changed since it was searched""#), "{files}");
    assert!(!page.contains("data-source-0"));
}

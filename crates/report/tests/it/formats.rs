//! Every format on one small result with names that no one would want.
//!
//! The names hold line ends, commas, quotes, pipes, backticks, braces, escape sequences and bytes that are not UTF-8; the
//! snapshots show what becomes of them. `INSTA_UPDATE=always` accepts a change.

use std::io;
use std::path::PathBuf;

use familiar_report::{
    ClassRow, CloneReport, Excerpt, Format, FragmentRow, NoText, PairRow, PairSource, Root, Settings,
    Skipped, SourceText, Sources, Style, Summary, Unanswered, write,
};

struct NoSources;

impl Sources for NoSources {
    fn source(&self, _: &FragmentRow) -> Result<SourceText, NoText> {
        Err(NoText::NotLookedUp)
    }
}

pub(super) struct Pairs(pub(super) Vec<PairRow>);

impl PairSource for Pairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(visit)
    }
}

fn fragment(id: u32, root: u32, path: &[u8], name: &str, start_line: u32) -> FragmentRow {
    let text = std::str::from_utf8(path).ok().map(str::to_owned);
    let path_bytes = text.is_none().then(|| path.to_vec());
    FragmentRow {
        id,
        path: text.as_deref().unwrap_or("d/%FF{x}[1].py").into(),
        path_bytes,
        blob: None,
        root,
        language: if path.ends_with(b".c") { "c" } else { "python" },
        kind: "function",
        name: name.to_owned(),
        start_line,
        end_line: start_line + 2,
        start_byte: 0,
        end_byte: 40,
        tokens: 60,
        form: 0,
        document: 0,
    }
}

pub(super) fn pair(left: u32, right: u32, clone_type: u8, similarity: f64) -> PairRow {
    let alignment = if clone_type == 3 { vec![[1, 2, 40, 41]] } else { Vec::new() };
    let fingerprint = format!("{:032x}", left * 16 + right);
    let vector_similarity = (clone_type == 3).then_some(0.8125);
    let (measure, idiom) = ("aligned", false);
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

fn excerpt(fragment: u32, first_line: u32, lines: &[&str]) -> Excerpt {
    let lines = lines.iter().map(|&line| line.to_owned()).collect();
    Excerpt { fragment, first_line, lines, omitted: 4 }
}

fn class(rank: u32, members: &[u32], clone_type: u8, excerpts: [Option<Excerpt>; 2]) -> ClassRow {
    let [excerpt, other] = excerpts;
    ClassRow {
        representative: members[0],
        members: members.to_vec(),
        clone_type,
        lines: 3,
        similarity: (0.756_789, 1.0),
        rank,
        score: 100.0 / f64::from(rank),
        relevance: 1.0,
        // Two classes of different kinds may share a fingerprint.
        fingerprint: format!("{:032x}", 7),
        nested: Vec::new(),
        excerpt,
        other,
        explanation: None,
    }
}

pub(super) fn report() -> CloneReport {
    let fragments = vec![
        fragment(0, 0, b"a,\"b\"\n\x1b[31m.py", "f|`g`", 1),
        fragment(1, 0, b"a,\"b\"\n\x1b[31m.py", "\u{202e}evil", 9),
        fragment(2, 0, b"d/\xff{x}[1].py", "", 40),
        fragment(3, 1, b"x.c", "operator==", 1),
        fragment(4, 2, "\u{fc} b/c#d.c".as_bytes(), "operator==", 1),
    ];
    let pairs = vec![pair(0, 1, 2, 1.0), pair(0, 2, 3, 0.756_789), pair(3, 4, 1, 1.0)];
    let left = excerpt(0, 1, &["  def f(a):", "      return a", "  \u{1b}]0;x\u{7}"]);
    let right = excerpt(2, 40, &["def f(a):", "\treturn b", "\u{1b}]0;x\u{7}"]);
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
            roots: vec![".".to_owned(), "one/x.c".to_owned(), "/else where/".to_owned()],
        },
        roots: vec![
            Root { is_file: false, folder: PathBuf::from("/home/ada/proj"), here: Some(PathBuf::new()) },
            Root {
                is_file: true,
                folder: PathBuf::from("/home/ada/proj/one"),
                here: Some(PathBuf::from("one")),
            },
            Root { is_file: false, folder: PathBuf::from("/else where"), here: None },
        ],
        summary: Summary {
            files: 4,
            bytes: 812,
            lines: 60,
            fragments: 5,
            tokens: 300,
            pairs: 3,
            classes: 2,
            nested: 0,
            duplicated_lines: 15,
            duplication: 0.25,
            ignored_lines: 7,
            generated: 1,
            not_code: 2,
            kept_alike: 0,
            accepted: 1,
            gone: None,
            skipped: vec![
                Skipped {
                    root: 0,
                    path: "g.py".to_owned(),
                    path_bytes: None,
                    reason: "generated".to_owned(),
                },
                Skipped {
                    root: 2,
                    path: "%FF".to_owned(),
                    path_bytes: Some(vec![255]),
                    reason: "binary".to_owned(),
                },
            ],
            unsettled: None,
            unanswered: vec![Unanswered {
                peer: "lab".to_owned(),
                reason: "it takes `too` long\u{1b}".to_owned(),
            }],
        },
        classes: vec![
            class(1, &[0, 1, 2], 3, [Some(left), Some(right)]),
            class(2, &[3, 4], 1, [Some(excerpt(3, 1, &["int f() {", "}"])), None]),
        ],
        all_pairs: Box::new(Pairs(pairs.clone())),
        sources: Box::new(NoSources),
        decisions: familiar_review::Decisions::default(),
        fragments,
        pairs: Box::new(Pairs(pairs)),
    }
}

pub(super) fn rendered(report: &CloneReport, format: Format, style: Style) -> String {
    let mut out = Vec::new();
    write(report, format, style, &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("results are UTF-8")
}

#[test]
fn every_format_survives_hostile_names() {
    let style = Style { color: false, width: 60, show: Some(20) };
    for format in Format::ALL {
        insta::assert_snapshot!(format.name(), rendered(&report(), format, style));
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let style = Style { color: true, width: 60, show: Some(1) };
    let colored = rendered(&report(), Format::Text, style);
    insta::assert_snapshot!("text-colored", colored.replace('\u{1b}', "ESC"));
}

#[test]
fn an_empty_result_is_a_result_in_every_format() {
    let mut empty = report();
    empty.summary = Summary::default();
    empty.fragments.clear();
    empty.pairs = Box::new(Pairs(Vec::new()));
    empty.classes.clear();
    empty.all_pairs = Box::new(Pairs(Vec::new()));
    let all: Vec<String> = Format::ALL
        .into_iter()
        .filter(|format| !matches!(format, Format::Json | Format::Sarif))
        .map(|format| format!("--- {}\n{}", format.name(), rendered(&empty, format, Style::default())))
        .collect();
    insta::assert_snapshot!("empty", all.concat());
}

#[test]
fn every_entry_for_gitlab_has_a_fingerprint_of_its_own() {
    let text = rendered(&report(), Format::Gitlab, Style::default());
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a JSON array");
    let mut prints: Vec<&str> = entries.iter().filter_map(|entry| entry["fingerprint"].as_str()).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), 5);
}

pub(super) fn schema(name: &str) -> serde_json::Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats").join(name);
    let text = std::fs::read_to_string(&path).expect("the schema is part of the repository");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// Closes every object of a schema, so that a key it does not describe is an error.
pub(super) fn closed(schema: &mut serde_json::Value) {
    use serde_json::Value;
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(closed);
            if map.get("type") == Some(&Value::from("object")) && map.contains_key("properties") {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(closed),
        _ => {}
    }
}

pub(super) fn assert_valid(schema: &serde_json::Value, text: &str) {
    let document = serde_json::from_str(text).expect("the format is JSON");
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn json_ndjson_and_sarif_are_valid_for_their_schemas() {
    let mut clones = schema("clones-1.schema.json");
    closed(&mut clones);
    assert_valid(&clones, &rendered(&report(), Format::Json, Style::default()));
    let sarif = schema("sarif-2.1.0-subset.schema.json");
    assert_valid(&sarif, &rendered(&report(), Format::Sarif, Style::default()));
    for key in ["properties", "required", "type", "additionalProperties"] {
        clones.as_object_mut().expect("a schema is an object").remove(key);
    }
    clones["$ref"] = "#/$defs/line".into();
    for line in rendered(&report(), Format::Ndjson, Style::default()).lines() {
        assert_valid(&clones, line);
    }
}

/// A copied file has a class for each of its functions: a reader sees three, and what else is there.
#[test]
fn what_stands_in_the_same_files_is_folded() {
    let pieces = 0..12u32;
    let mut report = report();
    report.fragments = pieces
        .clone()
        .flat_map(|at| {
            [fragment(2 * at, 0, b"a.py", "f", 9 * at + 1), fragment(2 * at + 1, 0, b"b.py", "f", 9 * at + 1)]
        })
        .collect();
    report.fragments.extend([fragment(24, 0, b"a.py", "g", 200), fragment(25, 0, b"c.py", "g", 200)]);
    report.classes = pieces.map(|at| class(at + 1, &[2 * at, 2 * at + 1], 1, [None, None])).collect();
    report.classes[6].clone_type = 3;
    report.classes.push(class(13, &[24, 25], 1, [None, None]));
    let shown = |show| {
        let mut out = Vec::new();
        write(&report, Format::Text, Style { show, ..Style::default() }, &mut out)
            .expect("memory is written");
        let text = String::from_utf8(out).expect("text is UTF-8");
        let notes = text.lines().filter(|line| line.starts_with('#') || line.contains("more"));
        notes.map(|line| line.split(" of 3 lines").next().unwrap_or(line).to_owned()).collect::<Vec<_>>()
    };
    // What stands in other files takes the place that is saved.
    let folded = "9 more classes in the same files: --show all shows them";
    let first = ["#1 2 functions", "#2 2 functions", "#3 2 functions", folded];
    assert_eq!(shown(Some(4)), [&first[..], &["#13 2 functions"]].concat());
    let hidden = "1 more class: --show all shows them, --format json has everything";
    assert_eq!(shown(Some(3)), [&first[..], &[hidden]].concat());
    // Where there is room for all, all are shown.
    assert_eq!(shown(Some(13)).len(), 13);
    assert_eq!(shown(None).len(), 13);

    let mut table = Vec::new();
    let style = Style { show: Some(4), ..Style::default() };
    write(&report, Format::Markdown, style, &mut table).expect("memory is written");
    let table = String::from_utf8(table).expect("markdown is UTF-8");
    assert!(table.contains(&format!("| | | | | {folded} |")), "{table}");
    assert_eq!(table.lines().filter(|line| line.starts_with("| ")).count(), 1 + 4 + 1, "{table}");
}

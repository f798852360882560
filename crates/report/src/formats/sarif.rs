//! SARIF 2.1.0 (OASIS): one result for each class, its other places as related locations.
//!
//! Files below the current folder are named from there, relative to `%SRCROOT%`, which is where code scanning services
//! look; files of trees elsewhere from their tree, whose absolute URI stands in `originalUriBaseIds`.

use std::io;

use familiar_source::words::counted;
use serde_json::{Map, Value, json};

use crate::plain::printable;
use crate::{ClassRow, CloneReport, FragmentRow, Tool, location};

pub(crate) const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
pub(crate) const HELP: &str = "https://github.com/familiar-code/familiar#readme";
pub(crate) const HERE: &str = "%SRCROOT%";
/// Most places that a message links to; all of them stand in `relatedLocations`.
const LINKS: usize = 10;

/// Number, name, what it is, what to do about it.
const RULES: [(u8, &str, &str, &str); 4] = [
    (
        1,
        "Type1Clone",
        "Code that is equal except for white space, layout and comments",
        "Keep one of the copies and call it from the other places.",
    ),
    (
        2,
        "Type2Clone",
        "Code that is equal except for names, literals and types",
        "Turn the copies into one piece of code, with the differences as parameters.",
    ),
    (
        3,
        "Type3Clone",
        "Code that is an edited copy",
        "Check whether the edits are intended: one of the copies may lack a fix. Share the common part.",
    ),
    (
        4,
        "Type4Clone",
        "Code with the same behavior as other code",
        "Read both. If they do the same, keep the better one and call it from the other places.",
    ),
];

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let tool = Tool::default();
    let rules: Vec<Value> =
        RULES.iter().map(|&(number, name, text, help)| rule(number, name, text, help)).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": tool.name, "version": tool.version, "informationUri": HELP, "rules": rules,
            }},
            "originalUriBaseIds": bases(report),
            "newlineSequences": ["\r\n", "\n", "\r"],
            "results": report.classes.iter().map(|class| result(report, class)).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn rule(number: u8, name: &str, text: &str, help: &str) -> Value {
    json!({
        "id": format!("familiar/type-{number}"),
        "name": name,
        "shortDescription": { "text": text },
        "fullDescription": { "text": format!("{text} (a Type-{number} clone).") },
        "help": { "text": help },
        "helpUri": HELP,
        "defaultConfiguration": { "level": "warning" },
    })
}

/// What the relative URIs are relative to. Where the current folder lies is left open: it is not the same everywhere.
fn bases(report: &CloneReport) -> Map<String, Value> {
    let mut bases = Map::new();
    for (number, root) in (0u32..).zip(&report.roots) {
        if root.here.is_some() {
            bases.insert(
                HERE.to_owned(),
                json!({ "description": { "text": "The folder that familiar ran in." } }),
            );
        } else {
            bases.insert(base_id(number), json!({ "uri": location::folder_uri(&root.folder) }));
        }
    }
    // Projects of corpora lie nowhere.
    for (number, project) in (0u32..).zip(&report.settings.roots).skip(report.roots.len()) {
        let text = format!("The project {} in a corpus.", printable(project));
        bases.insert(base_id(number), json!({ "description": { "text": doubled(&text) } }));
    }
    bases
}

fn result(report: &CloneReport, class: &ClassRow) -> Value {
    let fragment = |id: u32| &report.fragments[id as usize];
    let representative = fragment(class.representative);
    let others = || (1u32..).zip(class.members[1..].iter().map(|&id| fragment(id)));
    let related: Vec<Value> = others().map(|(number, other)| related(report, number, other)).collect();
    let mut links: Vec<String> =
        others().take(LINKS).map(|(number, other)| link(report, number, other)).collect();
    if related.len() > LINKS {
        links.push(format!("and {}", counted((related.len() - LINKS) as u64, "more place")));
    }
    let lines = counted(u64::from(class.lines), "line");
    let text = format!("{lines} ({}) also at {}.", representative.kind, links.join(", "));
    json!({
        "ruleId": format!("familiar/type-{}", class.clone_type),
        "ruleIndex": class.clone_type - 1,
        "level": "warning",
        "message": { "text": doubled(&text) },
        "locations": [location(report, representative)],
        "relatedLocations": related,
        "partialFingerprints": { "familiarClass/v1": class.fingerprint },
        "rank": 100.0 / f64::from(class.rank),
    })
}

/// A link to a related location, its text escaped as §3.11.6 asks for.
fn link(report: &CloneReport, number: u32, fragment: &FragmentRow) -> String {
    let path = location::as_given(report, fragment);
    let text = format!("{}:{}", printable(&path), fragment.start_line);
    let escaped = text.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]");
    format!("[{escaped}]({number})")
}

/// A message's text: §3.11.5 keeps single braces for placeholders.
pub(crate) fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn location(report: &CloneReport, fragment: &FragmentRow) -> Value {
    let (uri, base) = match location::from_here(report, fragment) {
        Some(path) => (location::relative_uri(&path), HERE.to_owned()),
        None => (location::uri_below_root(fragment), base_id(fragment.root)),
    };
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri, "uriBaseId": base },
            "region": { "startLine": fragment.start_line, "endLine": fragment.end_line },
        },
    })
}

fn related(report: &CloneReport, number: u32, fragment: &FragmentRow) -> Value {
    let mut value = location(report, fragment);
    value["id"] = json!(number);
    let name = if fragment.name.is_empty() { fragment.kind } else { &fragment.name };
    value["message"] = json!({ "text": doubled(&printable(name)) });
    value
}

fn base_id(root: u32) -> String {
    format!("ROOT{root}")
}

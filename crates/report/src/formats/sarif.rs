//! SARIF 2.1.0 (OASIS): one result for each class, its other places as related locations.

use std::io;

use serde_json::{Value, json};

use crate::{ClassRow, CloneReport, FragmentRow, Tool};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const HELP: &str = "https://github.com/familiar-code/familiar#readme";

const RULES: [(u8, &str, &str); 3] = [
    (1, "Type1Clone", "Code that is equal up to white space, layout and comments"),
    (2, "Type2Clone", "Code that is equal up to identifiers, literals and types"),
    (3, "Type3Clone", "Code that is a copy with edits"),
];

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let tool = Tool::default();
    let rules: Vec<Value> = RULES.iter().map(|&(number, name, text)| rule(number, name, text)).collect();
    let roots = report.settings.roots.iter().enumerate();
    let bases: serde_json::Map<String, Value> = roots
        .map(|(at, root)| {
            (base_id(at as u32), json!({ "description": { "text": format!("the tree {root}") } }))
        })
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": tool.name, "version": tool.version, "informationUri": HELP, "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": bases,
            "results": report.classes.iter().map(|class| result(report, class)).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn rule(number: u8, name: &str, text: &str) -> Value {
    json!({
        "id": format!("familiar/type-{number}"),
        "name": name,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn result(report: &CloneReport, class: &ClassRow) -> Value {
    let fragment = |id: u32| &report.fragments[id as usize];
    let representative = fragment(class.representative);
    let others = &class.members[1..];
    let links: Vec<String> = (1..=others.len()).map(|at| format!("[copy {at}]({at})")).collect();
    let text = format!("{} lines ({}) also stand at {}", class.lines, representative.kind, links.join(", "));
    let related: Vec<Value> = (1u32..).zip(others).map(|(at, &id)| related(at, fragment(id))).collect();
    json!({
        "ruleId": format!("familiar/type-{}", class.clone_type),
        "ruleIndex": class.clone_type - 1,
        "level": "warning",
        "message": { "text": text },
        "locations": [location(representative)],
        "relatedLocations": related,
        "partialFingerprints": { "familiarClass/v1": class.fingerprint },
        "rank": 100.0 / f64::from(class.rank),
    })
}

fn location(fragment: &FragmentRow) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(fragment), "uriBaseId": base_id(fragment.root) },
            "region": { "startLine": fragment.start_line, "endLine": fragment.end_line },
        },
    })
}

fn related(id: u32, fragment: &FragmentRow) -> Value {
    let mut value = location(fragment);
    value["id"] = json!(id);
    value["message"] =
        json!({ "text": if fragment.name.is_empty() { fragment.kind } else { &fragment.name } });
    value
}

fn base_id(root: u32) -> String {
    if root == 0 { "SRCROOT".to_owned() } else { format!("SRCROOT{root}") }
}

/// The path as a relative URI (RFC 3986).
fn uri(fragment: &FragmentRow) -> String {
    let bytes = fragment.path_bytes.as_deref().unwrap_or(fragment.path.as_bytes());
    let mut uri = String::new();
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            uri.push(byte as char);
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

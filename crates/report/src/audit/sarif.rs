//! SARIF 2.1.0 (OASIS): one result for each finding that is not simply allowed; what policy accepts is suppressed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::{Map, Value, json};

use super::{AuditFragment, AuditReport, Decision, Finding, Status};
use crate::formats::sarif::{HELP, HERE, SCHEMA, doubled};
use crate::plain::printable;
use crate::{FragmentRow, Tool, location};

/// Id, name, level, what it is, what to do about it.
const RULES: [(&str, &str, &str, &str, &str); 7] = [
    (
        "license-conflict",
        "LicenseConflict",
        "error",
        "The license of code from elsewhere conflicts with the license of this code",
        "Remove or rewrite the code, ask its author for another license, or accept the finding in familiar.toml with a reason.",
    ),
    (
        "license-denied",
        "LicenseDenied",
        "error",
        "The policy does not allow the license of code from elsewhere",
        "Replace the code, or change the policy in familiar.toml.",
    ),
    (
        "license-contested",
        "LicenseContested",
        "warning",
        "It is not settled whether the license of code from elsewhere allows its use here",
        "Ask somebody who can decide.",
    ),
    (
        "license-unknown",
        "LicenseUnknown",
        "warning",
        "No source says whether the license of code from elsewhere allows its use here",
        "Find out which license the code has.",
    ),
    (
        "attribution-missing",
        "AttributionMissing",
        "warning",
        "Code from elsewhere does not say where it is from, as its license requires",
        "Add the notice that the message names: copyright, license and source.",
    ),
    (
        "copied-from-here",
        "CopiedFromHere",
        "note",
        "Others seem to have copied this code",
        "Check whether they follow your license.",
    ),
    (
        "notices-dropped",
        "NoticesDropped",
        "warning",
        "Code from elsewhere lacks the license or copyright notices of its original",
        "Restore the notices of the original.",
    ),
];

/// The rule that a finding is reported under; none for what may be there.
fn rule(report: &AuditReport, finding: &Finding) -> Option<usize> {
    let pair = report.pair_of(finding);
    Some(match (finding.decision, finding.status) {
        (Decision::Own | Decision::Allowed, _) => return None,
        _ if pair.direction.older == "left" => 5,
        (_, Status::Conflict) => 0,
        (Decision::Denied, _) => match finding.failed {
            Some("contested") => 2,
            Some("unknown") => 3,
            Some("attribution") => 4,
            Some("laundering") => 6,
            _ => 1,
        },
        (_, Status::Contested) => 2,
        (_, Status::Unknown) => 3,
        (_, Status::Same | Status::Compatible) if pair.laundering => 6,
        (_, Status::Same | Status::Compatible) => 4,
    })
}

pub(super) fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    let tool = Tool::default();
    let rules: Vec<Value> = RULES.iter().map(|rule| self::rule_value(report, rule)).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .filter_map(|finding| Some(result(report, finding, rule(report, finding)?)))
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": tool.name, "version": tool.version, "informationUri": HELP, "rules": rules,
            }},
            "originalUriBaseIds": bases(report),
            "newlineSequences": ["\r\n", "\n", "\r"],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn rule_value(
    report: &AuditReport,
    &(id, name, level, text, help): &(&str, &str, &str, &str, &str),
) -> Value {
    json!({
        "id": format!("familiar/{id}"),
        "name": name,
        "shortDescription": { "text": text },
        "fullDescription": { "text": format!("{text}. {}", doubled(report.disclaimer)) },
        "help": { "text": help },
        "helpUri": HELP,
        "defaultConfiguration": { "level": level },
    })
}

fn result(report: &AuditReport, finding: &Finding, rule: usize) -> Value {
    let (left, right) = report.fragments_of(finding);
    let (id, _, level, ..) = RULES[rule];
    // What the policy denies is an error, whatever the rule says of it elsewhere.
    let level = if finding.decision == Decision::Denied { "error" } else { level };
    let pair = report.pair_of(finding);
    let license = |fragment: &AuditFragment| fragment.license_in_words();
    let mut text = format!(
        "{} lines match [{}](1). License of your file: {}; of the other file: {}. {} Verdict: {} ({}). Attribution: {}.",
        left.fragment.lines(),
        escaped(&report.named(&right.fragment)),
        license(left),
        license(right),
        pair.direction.evidence.first().map_or("", String::as_str),
        finding.status.name(),
        finding.reason,
        pair.attribution.grade,
    );
    text.extend(finding.advice.iter().map(|advice| format!(" To do: {advice}.")));
    let mut related = vec![related(report, 1, finding.origin)];
    for (number, &other) in (2u32..).zip(&finding.others) {
        related.push(self::related(report, number, report.pairs[other as usize].pair.right));
    }
    let mut value = json!({
        "ruleId": format!("familiar/{id}"),
        "ruleIndex": rule,
        "level": level,
        "message": { "text": doubled(&printable(&text)) },
        "locations": [location(report, left)],
        "relatedLocations": related,
        "partialFingerprints": { "familiarPair/v1": finding.fingerprint },
        "rank": 100.0 / f64::from(finding.rank),
    });
    if finding.decision == Decision::Accepted {
        value["suppressions"] = json!([{ "kind": "external", "justification": finding.reason }]);
    }
    value
}

/// Text of a link, as §3.11.6 asks for.
fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]")
}

/// What the relative URIs are relative to. Where the current folder and the projects of corpora lie is left open.
fn bases(report: &AuditReport) -> Map<String, Value> {
    let named: BTreeSet<u32> = report.fragments.iter().map(|fragment| fragment.fragment.root).collect();
    let mut bases = BTreeMap::new();
    for number in named {
        let name = report.settings.roots.get(number as usize).map_or("", String::as_str);
        let base = match report.roots.get(number as usize) {
            Some(root) if root.here.is_some() => {
                (HERE.to_owned(), json!({ "description": { "text": "The folder that familiar ran in." } }))
            }
            Some(root) => (base_id(number), json!({ "uri": location::folder_uri(&root.folder) })),
            None => (base_id(number), json!({ "description": { "text": doubled(&printable(name)) } })),
        };
        bases.insert(base.0, base.1);
    }
    bases.into_iter().collect()
}

fn location(report: &AuditReport, fragment: &AuditFragment) -> Value {
    let row = &fragment.fragment;
    let (uri, base) = match report.path_here(row) {
        Some(path) => (location::relative_uri(&path), HERE.to_owned()),
        None => (below_root(report, row), base_id(row.root)),
    };
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri, "uriBaseId": base },
            "region": { "startLine": row.start_line, "endLine": row.end_line },
        },
    })
}

/// The URI of a file below its root; of a block in a document, the document's.
fn below_root(report: &AuditReport, row: &FragmentRow) -> String {
    if row.root < report.audited {
        return location::uri_below_root(row);
    }
    let (path, line) = row.path.rsplit_once(':').unwrap_or((&row.path, ""));
    let is_block = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    location::relative_uri(if is_block { path } else { &row.path }.as_bytes())
}

fn related(report: &AuditReport, number: u32, fragment: u32) -> Value {
    let fragment = report.fragment(fragment);
    let mut value = location(report, fragment);
    value["id"] = json!(number);
    let link = report.place(fragment).and_then(|place| place.link.clone());
    let text = format!("{}: {}", fragment.name(), link.unwrap_or_else(|| report.named(&fragment.fragment)));
    value["message"] = json!({ "text": doubled(&printable(&text)) });
    value
}

fn base_id(root: u32) -> String {
    format!("ROOT{root}")
}

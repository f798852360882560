//! CycloneDX 1.6 as JSON: a component for each package or project that code is from, with where the code stands as evidence.

use std::collections::BTreeSet;
use std::io;

use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use super::package::{self, Package};
use super::{AuditFragment, AuditReport, Finding, Stamp};
use crate::Tool;

const MAIN: &str = "audited";

pub(super) fn write(report: &AuditReport, stamp: Stamp, out: &mut dyn io::Write) -> io::Result<()> {
    let packages = package::packages(report, |_| true);
    let refs: Vec<String> = (1..=packages.len()).map(|number| format!("component-{number}")).collect();
    let components: Vec<Value> = packages
        .iter()
        .zip(&refs)
        .map(|((package, findings), id)| component(report, package, findings, id))
        .collect();
    let tool = Tool::default();
    let named: Vec<&str> =
        report.settings.roots.iter().take(report.audited as usize).map(String::as_str).collect();
    let mut metadata = json!({
        "tools": { "components": [{ "type": "application", "name": tool.name, "version": tool.version }] },
        "component": { "type": "application", "bom-ref": MAIN, "name": named.join(", ") },
        "properties": [property("familiar:disclaimer", report.disclaimer)],
    });
    // The name of the document follows from its content; the time does not belong to that.
    let serial = serial(&json!([components, metadata]));
    metadata["timestamp"] = json!(stamp.utc());
    let mut dependencies = vec![json!({ "ref": MAIN, "dependsOn": refs })];
    dependencies.extend(refs.iter().map(|id| json!({ "ref": id })));
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": serial,
        "version": 1,
        "metadata": metadata,
        "components": components,
        "dependencies": dependencies,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn component(report: &AuditReport, package: &Package, findings: &[&Finding], id: &str) -> Value {
    let name =
        package.project.rsplit('/').next().filter(|_| package.purl.is_some()).unwrap_or(&package.project);
    let mut value = json!({
        "type": "library",
        "bom-ref": id,
        "name": name,
        "evidence": evidence(report, package, findings),
        "properties": properties(report, findings),
    });
    if let Some(version) = package.version() {
        value["version"] = json!(version);
    }
    if let Some(purl) = &package.purl {
        value["purl"] = json!(purl);
    }
    if let Some(license) = license(package.license.as_deref()) {
        value["licenses"] = license;
    }
    let origins: Vec<&AuditFragment> =
        findings.iter().map(|finding| report.fragment(finding.origin)).collect();
    let blobs: BTreeSet<&String> =
        origins.iter().filter_map(|origin| origin.fragment.blob.as_ref()).collect();
    if !blobs.is_empty() {
        value["swhid"] = json!(blobs);
    }
    let places = || origins.iter().filter_map(|origin| report.place(origin));
    let links: BTreeSet<&String> = places().filter_map(|place| place.link.as_ref()).collect();
    if !links.is_empty() {
        let link = |url: &&String| json!({ "type": "evidence", "url": url });
        value["externalReferences"] = json!(links.iter().map(link).collect::<Vec<_>>());
    }
    let commits: BTreeSet<&String> = places()
        .filter(|place| place.purl.is_none() && place.evidence == "commit-time")
        .filter_map(|place| place.revision.as_ref())
        .collect();
    if !commits.is_empty() {
        let commits: Vec<Value> = commits.into_iter().map(|uid| json!({ "uid": uid })).collect();
        value["pedigree"] = json!({ "commits": commits, "notes": "commits that added the code" });
    }
    value
}

/// An expression as CycloneDX holds one; nothing where no license is known.
fn license(expression: Option<&str>) -> Option<Value> {
    let expression = expression.filter(|expression| !matches!(*expression, "NONE" | "NOASSERTION"))?;
    Some(json!([{ "expression": expression, "acknowledgement": "concluded" }]))
}

fn evidence(report: &AuditReport, package: &Package, findings: &[&Finding]) -> Value {
    let mut value = Map::new();
    let best = findings.iter().map(|finding| report.pair_of(finding).pair.similarity).fold(0.0, f64::max);
    let (field, concluded) = match &package.purl {
        Some(purl) => ("purl", purl),
        None => ("name", &package.project),
    };
    let method = json!({ "technique": "source-code-analysis", "confidence": best });
    value.insert(
        "identity".to_owned(),
        json!([{ "field": field, "confidence": best, "concludedValue": concluded, "methods": [method] }]),
    );
    value.insert(
        "occurrences".to_owned(),
        findings.iter().map(|finding| occurrence(report, finding)).collect(),
    );
    if let Some(license) = license(package.license.as_deref()) {
        value.insert("licenses".to_owned(), license);
    }
    let statements: BTreeSet<&String> =
        findings.iter().flat_map(|finding| &report.fragment(finding.origin).copyrights).collect();
    if !statements.is_empty() {
        value.insert("copyright".to_owned(), statements.iter().map(|text| json!({ "text": text })).collect());
    }
    Value::Object(value)
}

fn occurrence(report: &AuditReport, finding: &Finding) -> Value {
    let (left, right) = report.fragments_of(finding);
    let (row, origin) = (&left.fragment, &right.fragment);
    let pair = report.pair_of(finding);
    let context = format!(
        "lines {}-{} match lines {}-{} of {} (Type-{}); {}: {}; fingerprint {}",
        row.start_line,
        row.end_line,
        origin.start_line,
        origin.end_line,
        report.named(origin),
        pair.pair.clone_type,
        finding.status.name(),
        finding.reason,
        finding.fingerprint
    );
    let mut value = json!({
        "location": report.named(row),
        "line": row.start_line,
        "offset": row.start_byte,
        "additionalContext": context,
    });
    if !row.name.is_empty() {
        value["symbol"] = json!(row.name);
    }
    value
}

fn properties(report: &AuditReport, findings: &[&Finding]) -> Vec<Value> {
    let worst = findings.iter().min_by_key(|finding| finding.rank);
    let mut all = Vec::new();
    if let Some(finding) = worst {
        all.push(property("familiar:verdict", finding.status.name()));
        all.push(property("familiar:decision", finding.decision.name()));
        all.push(property("familiar:attribution", report.pair_of(finding).attribution.grade));
    }
    all
}

fn property(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value })
}

/// A name for the document that its content gives, as a UUID of version 8 (RFC 9562).
fn serial(content: &Value) -> String {
    let hash = xxh3_128(content.to_string().as_bytes());
    let uuid = hash & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let digits = format!("{uuid:032x}");
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("urn:uuid:{}", parts.join("-"))
}

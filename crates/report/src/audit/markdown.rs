//! A table of the findings and what to do about each, for a merge request's comment or a page.

use std::io;

use super::text::{Style, alike, counted, decisions, headline, ignored, in_words, statuses};
use super::{AuditReport, Decision, Finding};
use crate::formats::markdown::code;
use crate::plain::printable;

pub(super) fn write(report: &AuditReport, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let is_shown = |finding: &&Finding| match finding.decision {
        Decision::Own => false,
        Decision::Accepted => style.accepted,
        Decision::Denied | Decision::Open | Decision::Allowed => true,
    };
    let findings: Vec<&Finding> = report.findings.iter().filter(is_shown).collect();
    writeln!(out, "## Audit\n")?;
    writeln!(
        out,
        "{} of code audited against {}: {}.",
        counted(report.summary.files, "file", "files"),
        report.against.iter().map(|name| code(name)).collect::<Vec<_>>().join(", "),
        counted(report.audit.findings, "finding", "findings")
    )?;
    let statuses = statuses(report);
    let decisions = decisions(report, "accepted (`--show-accepted` lists them)");
    for counts in [statuses, decisions] {
        if !counts.is_empty() {
            writeln!(out, "\n{}.", counts.join(", "))?;
        }
    }
    let shown = style.show.unwrap_or(usize::MAX);
    if !findings.is_empty() {
        writeln!(
            out,
            "\n| # | result | your code | matches | licenses | attribution |\n|--:|---|---|---|---|---|"
        )?;
    }
    for finding in findings.iter().take(shown) {
        row(report, finding, out)?;
    }
    let hidden = findings.len().saturating_sub(shown);
    if hidden > 0 {
        writeln!(out, "\n{hidden} more; `--show all` lists them.")?;
    }
    let is_to_do = |finding: &&&Finding| matches!(finding.decision, Decision::Denied | Decision::Open);
    for finding in findings.iter().take(shown).filter(is_to_do) {
        details(report, finding, out)?;
    }
    if let Some(ignored) = ignored(report) {
        writeln!(out, "\n{ignored}.")?;
    }
    for unanswered in &report.summary.unanswered {
        writeln!(out, "\nPartial: {}", code(&unanswered.words()))?;
    }
    writeln!(out, "\n{}", report.disclaimer)
}

fn row(report: &AuditReport, finding: &Finding, out: &mut dyn io::Write) -> io::Result<()> {
    let (left, right) = report.fragments_of(finding);
    let pair = report.pair_of(finding);
    let place = |row: &crate::FragmentRow| {
        code(&format!("{}:{}-{}", report.named(row), row.start_line, row.end_line))
    };
    let license = |license: &Option<String>| license.as_deref().map_or_else(|| "none known".to_owned(), code);
    writeln!(
        out,
        "| {} | {} | {} | {} ({}) | yours: {}<br>the other: {} | {} |",
        finding.rank,
        headline(finding),
        place(&left.fragment),
        place(&right.fragment),
        alike(pair),
        license(&left.license),
        license(&right.license),
        pair.attribution.grade
    )
}

/// Why, and what to do.
fn details(report: &AuditReport, finding: &Finding, out: &mut dyn io::Write) -> io::Result<()> {
    let (left, right) = report.fragments_of(finding);
    let pair = report.pair_of(finding);
    writeln!(
        out,
        "\n### #{} {}: {}\n",
        finding.rank,
        headline(finding),
        code(&report.named(&left.fragment))
    )?;
    let from = report.place(right).map(in_words).filter(|words| !words.is_empty());
    let lines = from
        .map(|from| ("From", from))
        .into_iter()
        .chain(pair.direction.evidence.first().map(|sentence| ("Direction", sentence.clone())))
        .chain([("Verdict", format!("{}: {}", finding.status.name(), finding.reason))])
        .chain(pair.attribution.evidence.iter().map(|words| ("Attribution", words.clone())))
        .chain(pair.laundering_reasons.iter().map(|reason| ("Notices", reason.clone())))
        .chain(finding.advice.iter().map(|advice| ("To do", advice.clone())));
    for (what, words) in lines {
        writeln!(out, "- {what}: {}", escaped(&words))?;
    }
    writeln!(out, "- Fingerprint: {}", code(&finding.fingerprint))
}

/// Text whose characters mean nothing to Markdown; plain addresses stay links.
fn escaped(text: &str) -> String {
    let word = |word: &str| {
        let is_address = ["http://", "https://"].iter().any(|scheme| word.starts_with(scheme))
            && !word.contains(['|', '<', '>', '`', '[', ']', '(', ')', '!', '\\', '*']);
        let mut escaped = String::with_capacity(word.len());
        for c in word.chars() {
            if !is_address && matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '!') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    };
    printable(text).split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_stay_as_they_are() {
        assert_eq!(escaped("https://example.org/a_b c_d"), "https://example.org/a_b c\\_d");
        assert_eq!(escaped("![x](https://evil.example/p.png)"), "\\!\\[x\\](https://evil.example/p.png)");
        assert_eq!(escaped("https://a/![x](https://b/p.png)"), "https://a/\\!\\[x\\](https://b/p.png)");
        assert_eq!(escaped("*x://y*"), "\\*x://y\\*");
    }
}

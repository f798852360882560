//! What people read: the findings that matter most, each with both sides, the verdict and what to do, and a summary.
//!
//! Pieces of one file that come from one file are shown as one where everything said of them is the same.

use std::collections::BTreeMap;
use std::io;

use anstyle::{AnsiColor, Style as Ansi};

use super::{AuditPair, AuditReport, Decision, Finding, Status};
use crate::find::OccurrenceRow;
use crate::plain::printable;
use crate::share::percent;

/// How the text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use color.
    pub color: bool,
    /// How many findings to show; all where `None`.
    pub show: Option<usize>,
    /// Whether to show what policy accepts.
    pub accepted: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, show: Some(20), accepted: false }
    }
}

/// Most stretches of lines and rules that are named of one finding.
const STRETCHES: usize = 4;
const RULES: usize = 2;
/// Most words of attribution that are shown of one finding.
const EVIDENCE: usize = 4;

/// How the advice begins that holds the notice.
const ADD_NOTICE: &str = "add this notice above the code";

const TITLE: Ansi = Ansi::new().bold();
const DIM: Ansi = Ansi::new().dimmed();
const BAD: Ansi = AnsiColor::Red.on_default().bold();
const OPEN: Ansi = AnsiColor::Yellow.on_default().bold();
const GOOD: Ansi = AnsiColor::Green.on_default();

pub(super) fn write(report: &AuditReport, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page { report, style, out };
    let blocks = blocks(report, style);
    let shown = style.show.unwrap_or(usize::MAX);
    for block in blocks.iter().take(shown) {
        page.block(block)?;
    }
    page.summary(blocks.len().saturating_sub(shown))
}

/// Findings that are shown together.
fn blocks(report: &AuditReport, style: Style) -> Vec<Vec<&Finding>> {
    let is_shown = |finding: &&Finding| match finding.decision {
        Decision::Own => false,
        Decision::Accepted => style.accepted,
        Decision::Denied | Decision::Open | Decision::Allowed => true,
    };
    let key = |finding: &Finding| {
        let (left, right) = report.fragments_of(finding);
        let pair = report.pair_of(finding);
        let files = (
            left.fragment.root,
            left.fragment.path.clone(),
            right.fragment.root,
            right.fragment.path.clone(),
        );
        let said = (left.license.clone(), right.license.clone(), pair.attribution.grade, pair.laundering);
        (files, said, finding.decision, finding.status, finding.reason.clone())
    };
    let mut numbers = BTreeMap::new();
    let mut blocks: Vec<Vec<&Finding>> = Vec::new();
    for finding in report.findings.iter().filter(is_shown) {
        let number = *numbers.entry(key(finding)).or_insert(blocks.len());
        if number == blocks.len() {
            blocks.push(Vec::new());
        }
        blocks[number].push(finding);
    }
    for block in &mut blocks {
        block.sort_by_key(|finding| report.fragment(finding.fragment).fragment.start_line);
    }
    blocks
}

struct Page<'r> {
    report: &'r AuditReport,
    style: Style,
    out: &'r mut dyn io::Write,
}

impl Page<'_> {
    fn paint(&self, style: Ansi, text: &str) -> String {
        if self.style.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn line(&mut self, what: &str, text: &str) -> io::Result<()> {
        let what = self.paint(DIM, &format!("{what:>12}"));
        writeln!(self.out, "{what}  {}", printable(text))
    }

    fn block(&mut self, block: &[&Finding]) -> io::Result<()> {
        let finding = block[0];
        self.title(block)?;
        self.places(finding)?;
        self.licenses(finding)?;
        self.direction(finding)?;
        self.verdict(finding)?;
        self.attribution(self.report.pair_of(finding))?;
        self.advice(finding)?;
        if matches!(finding.decision, Decision::Denied | Decision::Open) {
            self.line("fingerprint", &finding.fingerprint)?;
        }
        writeln!(self.out)
    }

    /// What the findings of a block come to, and where they stand in the audited code.
    fn title(&mut self, block: &[&Finding]) -> io::Result<()> {
        let finding = block[0];
        let style = match finding.decision {
            Decision::Denied => BAD,
            Decision::Open => OPEN,
            _ => GOOD,
        };
        let title = self.paint(style, &title(finding));
        let stretches: Vec<String> =
            block.iter().take(STRETCHES).map(|finding| self.stretch(finding)).collect();
        let rest = block.len().saturating_sub(STRETCHES);
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let (left, _) = self.report.fragments_of(finding);
        let path = self.paint(TITLE, &printable(&self.report.named(&left.fragment)));
        writeln!(self.out, "{title}  {path} {}{rest}", printable(&stretches.join(", ")))
    }

    /// Where else the code stands.
    fn places(&mut self, finding: &Finding) -> io::Result<()> {
        let (_, right) = self.report.fragments_of(finding);
        let (start, end) = (right.fragment.start_line, right.fragment.end_line);
        let alike = alike(self.report.pair_of(finding));
        let path = self.report.named(&right.fragment);
        self.line("matches", &format!("lines {start}-{end} of {path} ({alike})"))?;
        let place = self.report.place(right).map_or_else(String::new, in_words);
        if !place.is_empty() {
            self.line("from", &place)?;
        }
        if finding.places > 1 {
            let more = counted(finding.places - 1, "more place", "more places");
            let projects = if finding.projects > 1 {
                format!(", {} projects in all", finding.projects)
            } else {
                String::new()
            };
            self.line("also in", &format!("{more}{projects}"))?;
        }
        Ok(())
    }

    /// The licenses of both files, and what speaks against them.
    fn licenses(&mut self, finding: &Finding) -> io::Result<()> {
        let (left, right) = self.report.fragments_of(finding);
        self.line("licenses", &format!("your file: {}", left.license_in_words()))?;
        self.line("", &format!("the other file: {}", right.license_in_words()))?;
        for (side, disagreements) in
            [("your file", &left.disagreements), ("the other file", &right.disagreements)]
        {
            if !disagreements.is_empty() {
                self.line("but", &format!("{side}: {}", disagreements.join("; ")))?;
            }
        }
        Ok(())
    }

    /// Whether the code may be here, and the rules that say so.
    fn verdict(&mut self, finding: &Finding) -> io::Result<()> {
        self.line("verdict", &format!("{}: {}", finding.status.name(), finding.reason))?;
        for rule in finding.rules.iter().take(RULES) {
            self.line("", &format!("{} [{}]", rule.text, rule.source))?;
        }
        Ok(())
    }

    /// Whether the copy names its origin, and what was dropped from it.
    fn attribution(&mut self, pair: &AuditPair) -> io::Result<()> {
        self.line("attribution", pair.attribution.grade)?;
        for words in pair.attribution.evidence.iter().take(EVIDENCE) {
            self.line("", words)?;
        }
        for reason in &pair.laundering_reasons {
            self.line("notices", reason)?;
        }
        Ok(())
    }

    /// What to do; the notice to add, line by line.
    fn advice(&mut self, finding: &Finding) -> io::Result<()> {
        let is_plain = |advice: &&String| finding.notice.is_empty() || !advice.starts_with(ADD_NOTICE);
        for (at, advice) in finding.advice.iter().filter(is_plain).enumerate() {
            self.line(if at == 0 { "to do" } else { "" }, advice)?;
        }
        if !finding.notice.is_empty() {
            self.line("", &format!("{ADD_NOTICE}:"))?;
        }
        for line in &finding.notice {
            self.line("", &format!("    {line}"))?;
        }
        Ok(())
    }

    /// The lines of a finding, and what stands there.
    fn stretch(&self, finding: &Finding) -> String {
        let left = self.report.fragment(finding.fragment);
        let row = &left.fragment;
        let name = if row.name.is_empty() { String::new() } else { format!(" ({})", row.name) };
        format!("{}-{}{name}", row.start_line, row.end_line)
    }

    /// Who copied from whom, in one sentence, and what the times rest on.
    fn direction(&mut self, finding: &Finding) -> io::Result<()> {
        let direction = &self.report.pair_of(finding).direction;
        let Some((sentence, rest)) = direction.evidence.split_first() else { return Ok(()) };
        let is_undated = direction.older == "unknown" && direction.left_since.is_none();
        let first =
            if finding.origin_known && is_undated { " No earlier place of the code is known." } else { "" };
        self.line("direction", &format!("{sentence}{first}"))?;
        if direction.older == "unknown" { Ok(()) } else { self.line("", &rest.join("; ")) }
    }

    fn summary(&mut self, hidden: usize) -> io::Result<()> {
        let report = self.report;
        let (summary, audit) = (&report.summary, &report.audit);
        if hidden > 0 {
            writeln!(self.out, "and {hidden} more (--show all)")?;
        }
        writeln!(
            self.out,
            "{} of code audited against {}: {}",
            counted(summary.files, "file", "files"),
            printable(&report.against.join(", ")),
            counted(audit.findings, "finding", "findings")
        )?;
        let statuses = statuses(report);
        if !statuses.is_empty() {
            writeln!(self.out, "{}", statuses.join(", "))?;
        }
        let counts = decisions(report, "accepted (--show-accepted)");
        if !counts.is_empty() {
            writeln!(self.out, "{}", counts.join(", "))?;
        }
        self.left_out()?;
        for line in reused(report) {
            writeln!(self.out, "{}", printable(&line))?;
        }
        for fingerprint in &audit.unused_acceptances {
            writeln!(self.out, "accepted, but no longer found: {}", printable(fingerprint))?;
        }
        writeln!(self.out, "{}", report.disclaimer)
    }

    /// What the audit did not report, ask or read.
    fn left_out(&mut self) -> io::Result<()> {
        let (summary, audit) = (&self.report.summary, &self.report.audit);
        if !audit.left_out.is_empty() {
            let left_out: Vec<String> =
                audit.left_out.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            writeln!(
                self.out,
                "left out because trivial (--include-trivial shows them): {}",
                left_out.join(", ")
            )?;
        }
        if audit.left_out_pairs > 0 {
            writeln!(
                self.out,
                "{} left out, of code that has very many",
                counted(audit.left_out_pairs, "further pair is", "further pairs are")
            )?;
        }
        if let Some(ignored) = ignored(self.report) {
            writeln!(self.out, "{ignored}")?;
        }
        for unanswered in &summary.unanswered {
            writeln!(self.out, "partial: {}", printable(&unanswered.words()))?;
        }
        if !summary.skipped.is_empty() {
            writeln!(
                self.out,
                "{} not read (--format json says why)",
                counted(summary.skipped.len() as u64, "file was", "files were")
            )?;
        }
        Ok(())
    }
}

/// How many findings have each verdict, the worst first.
pub(super) fn statuses(report: &AuditReport) -> Vec<String> {
    let by_status = &report.audit.by_status;
    let counted = |status: &Status| Some(format!("{} {}", by_status.get(status.name())?, status.name()));
    Status::ALL.iter().rev().filter_map(counted).collect()
}

/// How many findings there are of what was decided, and of what else is told of all of them.
pub(super) fn decisions(report: &AuditReport, accepted: &str) -> Vec<String> {
    let audit = &report.audit;
    let counts = [
        (audit.denied, "denied"),
        (audit.laundering, "without the original's notices"),
        (audit.own, "in the project's own code"),
        (audit.accepted, accepted),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("{count} {what}")).collect()
}

/// The acceptances that hold for several findings, with the licenses of these.
fn reused(report: &AuditReport) -> Vec<String> {
    let mut uses: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.decision == Decision::Accepted) {
        let license = report.fragment(finding.origin).license.as_deref();
        uses.entry(&finding.fingerprint).or_default().push(license.unwrap_or("no known license"));
    }
    uses.retain(|_, licenses| licenses.len() > 1);
    let line = |(fingerprint, mut licenses): (&str, Vec<&str>)| {
        let count = licenses.len();
        licenses.sort_unstable();
        licenses.dedup();
        let licenses = licenses.join(" and ");
        format!("one acceptance holds for {count} findings, of code under {licenses}: {fingerprint}")
    };
    uses.into_iter().map(line).collect()
}

/// How many lines of the audited code count for nothing, because comments say so.
pub(super) fn ignored(report: &AuditReport) -> Option<String> {
    let lines = report.summary.ignored_lines;
    (lines > 0).then(|| {
        format!("{} left out because of familiar:ignore comments", counted(lines, "line is", "lines are"))
    })
}

fn title(finding: &Finding) -> String {
    format!("#{} {}", finding.rank, headline(finding))
}

/// What a finding comes to, in one word.
pub(super) fn headline(finding: &Finding) -> &'static str {
    match finding.decision {
        Decision::Denied if finding.status == Status::Conflict => "CONFLICT",
        Decision::Denied => "DENIED",
        Decision::Open => match finding.status {
            Status::Contested => "CONTESTED",
            Status::Unknown => "UNKNOWN",
            _ => "OPEN",
        },
        Decision::Allowed => "ALLOWED",
        Decision::Accepted => "ACCEPTED",
        Decision::Own => "OWN",
    }
}

pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// How alike the two sides of a pair are.
pub(super) fn alike(pair: &AuditPair) -> String {
    match pair.pair.clone_type {
        1 => "equal".to_owned(),
        2 => "equal but for names and values".to_owned(),
        _ => format!("{} % similar", percent(pair.pair.similarity)),
    }
}

/// Whose a place is, since when, and where to look at it.
pub(super) fn in_words(place: &OccurrenceRow) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(place.purl.clone());
    parts.extend(place.author.as_ref().map(|author| format!("by {author}")));
    parts.extend(place.since_in_words());
    parts.extend(
        place.revision.as_ref().filter(|_| place.purl.is_none()).map(|revision| format!("commit {revision}")),
    );
    parts.extend(place.link.clone());
    parts.join(", ")
}

//! What is known of a document, in the words of the protocol: diagnostics, hovers and code actions.

use std::path::Path;

use familiar_source::Lines;
use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, Command, Contents, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, Hover, Location, MarkupContent, MarkupKind, Message, Position, Range, Uri,
};
use serde_json::json;

use crate::decide::REASONS;
use crate::documents::Document;
use crate::elsewhere::{Elsewhere, escaped};
use crate::findings::{Finding, Place};
use crate::text::Encoding;
use crate::{commands, uri};

/// Most other places in the related information of one finding, in a hover, and among the actions.
const RELATED: usize = 10;
const ACTIONS: usize = 5;

/// How a document is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Showing {
    pub(crate) encoding: Encoding,
    pub(crate) severity: crate::settings::Severity,
    /// Whether the editor has a command of its own that asks for a reason.
    pub(crate) asks_reason: bool,
    /// Whether the editor shows documents that the server names.
    pub(crate) shows_documents: bool,
}

/// Whole lines, as far as the text is not known.
pub(crate) fn whole_lines(lines: Lines) -> Range {
    let at = |line: u32| Position { line, character: 0 };
    Range { start: at(lines.start.saturating_sub(1)), end: at(lines.end) }
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

impl Showing {
    fn range(self, document: &Document, finding: &Finding) -> Range {
        let at = |byte| document.text.position(byte, self.encoding);
        Range { start: at(finding.bytes.start), end: at(finding.bytes.end) }
    }

    /// The diagnostics of a file that is not open. They take whole lines, since nobody asked for its text.
    pub(crate) fn of_closed(self, findings: &[Finding]) -> Vec<Diagnostic> {
        findings.iter().map(|finding| self.of_finding(whole_lines(finding.lines), finding)).collect()
    }

    /// All diagnostics of a document.
    pub(crate) fn diagnostics(self, document: &Document) -> Vec<Diagnostic> {
        let of_finding = |finding| self.of_finding(self.range(document, finding), finding);
        let clones = document.findings.iter().map(of_finding);
        clones.chain(document.elsewhere.iter().map(|found| self.of_elsewhere(found))).collect()
    }

    fn diagnostic(self, range: Range, code: String, message: String) -> Diagnostic {
        let severity: DiagnosticSeverity = self.severity.of_protocol();
        Diagnostic {
            range,
            severity: Some(severity),
            code: Some(Code::String(code)),
            code_description: None,
            source: Some("familiar".to_owned()),
            message: Message::String(message),
            tags: None,
            related_information: None,
            data: None,
        }
    }

    fn of_finding(self, range: Range, finding: &Finding) -> Diagnostic {
        let related = finding.places.iter().take(RELATED).map(|place| DiagnosticRelatedInformation {
            location: Location { uri: Uri(uri::of_path(&place.file)), range: whole_lines(place.lines) },
            message: like(place),
        });
        let diagnostic = self.diagnostic(range, finding.code(), finding.message());
        Diagnostic { related_information: Some(related.collect()), ..diagnostic }
    }

    fn of_elsewhere(self, found: &Elsewhere) -> Diagnostic {
        // The line of the function's head alone: what stands below it may be a clone of something else.
        let head = Lines::new(found.lines.start, found.lines.start);
        self.diagnostic(whole_lines(head), found.known.code(), found.known.message())
    }

    /// What is known of the code at a position.
    pub(crate) fn hover(self, document: &Document, position: Position) -> Option<Hover> {
        let here = Range { start: position, end: position };
        let line = position.line + 1;
        let found =
            document.elsewhere.iter().filter(|found| (found.lines.start..=found.lines.end).contains(&line));
        let mut parts: Vec<String> = found.map(|found| found.known.markdown()).collect();
        let clones = document.findings.iter().filter(|finding| touches(self.range(document, finding), here));
        parts.extend(clones.map(markdown));
        if parts.is_empty() {
            return None;
        }
        let value = parts.join("\n\n---\n\n");
        let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    /// What can be done about the findings in a range.
    pub(crate) fn actions(self, file: &Path, document: &Document, range: Range) -> Vec<CodeAction> {
        let findings =
            document.findings.iter().filter(|finding| touches(self.range(document, finding), range));
        findings.flat_map(|finding| self.of_one(file, document, finding)).collect()
    }

    fn of_one(self, file: &Path, document: &Document, finding: &Finding) -> Vec<CodeAction> {
        let diagnostic = self.of_finding(self.range(document, finding), finding);
        let action = |title: String, command: &str, argument: serde_json::Value| CodeAction {
            title: title.clone(),
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![diagnostic.clone()]),
            is_preferred: None,
            disabled: None,
            edit: None,
            command: Some(Command {
                title,
                tooltip: None,
                command: command.to_owned(),
                arguments: Some(vec![argument]),
            }),
            data: None,
            tags: None,
        };
        let mut actions = Vec::new();
        for place in finding.places.iter().take(ACTIONS).filter(|_| self.shows_documents) {
            let lines = (place.lines.start, place.lines.end);
            let other = uri::of_path(&place.file);
            let open = json!({"uri": other, "lines": lines});
            actions.push(action(format!("Open {}", place.words()), commands::OPEN, open));
            let bytes = (finding.bytes.start, finding.bytes.end);
            let pair = json!({"uri": uri::of_path(file), "bytes": bytes, "other": other, "lines": lines});
            actions.push(action(
                format!("Compare with {} in the browser", place.path),
                commands::COMPARE,
                pair,
            ));
        }
        let place = format!("{}, {}", file.display(), crate::findings::lines_in_words(finding.lines));
        let accept = |judgement: &str, reason: &str| json!({"fingerprints": finding.fingerprints, "decision": judgement, "reason": reason, "place": place});
        if self.asks_reason {
            let title = "Accept this clone, with a reason …".to_owned();
            actions.push(action(title, commands::ASK_REASON, accept("accepted", "")));
        }
        for (judgement, reason) in REASONS {
            let argument = accept(judgement.name(), reason);
            actions.push(action(format!("Accept this clone: {reason}"), commands::ACCEPT, argument));
        }
        actions
    }
}

/// How a place is like the stretch, in words.
fn like(place: &Place) -> String {
    let lines = crate::findings::lines_in_words(place.lines);
    match place.clone_type {
        1 => format!("{lines}: the same code"),
        2 => format!("{lines}: the same, except for names and values"),
        _ => format!("{lines}: an edited copy, {} % alike", (place.similarity * 100.0).floor()),
    }
}

/// A finding with its places, in Markdown.
fn markdown(finding: &Finding) -> String {
    let mut rows = vec![format!("**Clone** ({})", finding.code()), String::new()];
    for place in finding.places.iter().take(RELATED) {
        let address = format!("{}#L{}", uri::of_path(&place.file), place.lines.start);
        rows.push(format!("- [{}](<{address}>), {}", escaped(&place.path), like(place)));
    }
    let more = finding.places.len().saturating_sub(RELATED) + finding.more;
    if more > 0 {
        rows.push(format!("- and {}", familiar_source::words::counted(more as u64, "more place")));
    }
    rows.join("\n")
}

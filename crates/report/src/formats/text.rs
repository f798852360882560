//! What people read: the classes that matter most, with an excerpt of each, and a summary.

use std::collections::BTreeMap;
use std::io;

use anstyle::{AnsiColor, Style as Ansi};

use crate::{ClassRow, CloneReport, FragmentRow};

/// How the formats for people look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use colour.
    pub color: bool,
    /// Columns that a line of code may take.
    pub width: usize,
    /// How many classes to show; all where `None`.
    pub show: Option<usize>,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100, show: Some(20) }
    }
}

/// Most places that are listed of one class.
const PLACES: usize = 10;

const TITLE: Ansi = Ansi::new().bold();
const DIM: Ansi = Ansi::new().dimmed();
const PATH: Ansi = AnsiColor::Cyan.on_default();
const NAME: Ansi = AnsiColor::Yellow.on_default();

pub(crate) fn write(report: &CloneReport, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page { report, style, out };
    let shown = style.show.unwrap_or(usize::MAX);
    for class in report.classes.iter().take(shown) {
        page.class(class)?;
    }
    page.summary(report.classes.len().saturating_sub(shown))
}

struct Page<'r> {
    report: &'r CloneReport,
    style: Style,
    out: &'r mut dyn io::Write,
}

impl Page<'_> {
    fn paint(&self, style: Ansi, text: &str) -> String {
        if self.style.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn fragment(&self, id: u32) -> &FragmentRow {
        &self.report.fragments[id as usize]
    }

    fn class(&mut self, class: &ClassRow) -> io::Result<()> {
        let representative = self.fragment(class.representative);
        let likeness = match class.clone_type {
            1 => "equal".to_owned(),
            2 => "equal but for names and values".to_owned(),
            _ => self.similarity(class),
        };
        let title = format!(
            "#{} {} {} of {} lines, {likeness} (Type-{})",
            class.rank,
            class.members.len(),
            plural(representative.kind, class.members.len()),
            class.lines,
            class.clone_type
        );
        let title = self.paint(TITLE, &title);
        writeln!(self.out, "{title}")?;
        for &id in class.members.iter().take(PLACES) {
            let line = self.place(self.fragment(id));
            writeln!(self.out, "  {line}")?;
        }
        let more = class.members.len().saturating_sub(PLACES);
        if more > 0 {
            writeln!(self.out, "  and {more} more")?;
        }
        self.excerpt(class)?;
        writeln!(self.out)
    }

    /// The range of similarities of a Type-3 class's rays.
    fn similarity(&self, class: &ClassRow) -> String {
        let of_pair = |member: u32| {
            let (left, right) = (class.representative.min(member), class.representative.max(member));
            let at = self.report.pairs.binary_search_by_key(&(left, right), |pair| (pair.left, pair.right));
            at.ok().map(|at| self.report.pairs[at].similarity)
        };
        let all: Vec<f64> = class.members[1..].iter().filter_map(|&member| of_pair(member)).collect();
        let (least, most) =
            all.iter().fold((1.0f64, 0.0f64), |(least, most), &value| (least.min(value), most.max(value)));
        let percent = |value: f64| (value * 100.0).floor();
        if percent(least) >= percent(most) {
            format!("{} % similar", percent(least))
        } else {
            format!("{}\u{2013}{} % similar", percent(least), percent(most))
        }
    }

    fn place(&self, fragment: &FragmentRow) -> String {
        let root = self.report.settings.roots.get(fragment.root as usize).map_or("", String::as_str);
        let path = joined(root, &fragment.path);
        let at = format!("{}:{}-{}", printable(&path), fragment.start_line, fragment.end_line);
        let name =
            if fragment.name.is_empty() { String::new() } else { format!("  {}", printable(&fragment.name)) };
        format!("{}{}", self.paint(PATH, &at), self.paint(NAME, &name))
    }

    fn excerpt(&mut self, class: &ClassRow) -> io::Result<()> {
        let Some(excerpt) = &class.excerpt else { return Ok(()) };
        let last = excerpt.first_line + excerpt.lines.len() as u32;
        let gutter = last.to_string().len();
        let indent = common_indent(&excerpt.lines);
        let room = self.style.width.saturating_sub(gutter + 5).max(20);
        for (number, line) in (excerpt.first_line..).zip(&excerpt.lines) {
            let code = printable(line.get(indent.min(line.len())..).unwrap_or(line)).replace('\t', "    ");
            let number = self.paint(DIM, &format!("{number:>gutter$} \u{2502}"));
            writeln!(self.out, "  {number} {}", cut(&code, room))?;
        }
        if excerpt.omitted > 0 {
            let note =
                self.paint(DIM, &format!("{:>gutter$} \u{2502} \u{2026} {} more lines", "", excerpt.omitted));
            writeln!(self.out, "  {note}")?;
        }
        Ok(())
    }

    fn summary(&mut self, hidden: usize) -> io::Result<()> {
        let summary = &self.report.summary;
        if hidden > 0 {
            let note =
                format!("{hidden} more classes: --show all lists them, --format json has everything\n");
            let note = self.paint(DIM, &note);
            writeln!(self.out, "{note}")?;
        }
        let title = if summary.classes == 0 {
            "no clones".to_owned()
        } else {
            format!("{} in {} pairs", counted(summary.classes, "clone class", "clone classes"), summary.pairs)
        };
        let title = self.paint(TITLE, &title);
        writeln!(
            self.out,
            "{title}: {} of {} lines are duplicated ({:.1} %)",
            summary.duplicated_lines,
            summary.lines,
            summary.duplication * 100.0
        )?;
        writeln!(
            self.out,
            "searched {}, {:.1} MB, {} fragments",
            counted(summary.files, "file", "files"),
            summary.bytes as f64 / 1e6,
            summary.fragments
        )?;
        self.left_out()
    }

    /// What took no part, and how to bring it back.
    fn left_out(&mut self) -> io::Result<()> {
        let summary = &self.report.summary;
        let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
        for skip in &summary.skipped {
            *reasons.entry(skip.reason.as_str()).or_default() += 1;
        }
        let mut parts: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        if summary.ignored_lines > 0 {
            parts.push(format!("{} lines by familiar:ignore comments", summary.ignored_lines));
        }
        if summary.not_code > 0 {
            parts.push(format!("{} that are no code", summary.not_code));
        }
        if summary.accepted > 0 {
            parts.push(format!("{} accepted by the baseline", counted(summary.accepted, "class", "classes")));
        }
        if parts.is_empty() {
            return Ok(());
        }
        let hint = if summary.generated > 0 {
            " (--include-generated takes the generated and minified ones)"
        } else {
            ""
        };
        let line = self.paint(DIM, &format!("left out: {}{hint}", printable(&parts.join(", "))));
        writeln!(self.out, "{line}")
    }
}

fn plural(kind: &str, count: usize) -> String {
    match (kind, count) {
        (kind, 1) => kind.to_owned(),
        ("class", _) => "classes".to_owned(),
        (kind, _) => format!("{kind}s"),
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// The path of a file as the user would name it.
pub(crate) fn joined(root: &str, path: &str) -> String {
    let is_file = root == path || root.ends_with(&format!("/{path}"));
    match root {
        "" | "." | "./" => path.to_owned(),
        root if is_file => root.to_owned(),
        root => format!("{}/{path}", root.trim_end_matches('/')),
    }
}

/// Text without control characters, which could move a terminal's cursor.
fn printable(text: &str) -> String {
    let hostile = |c: char| c.is_control() && c != '\t';
    if !text.contains(hostile) {
        return text.to_owned();
    }
    text.chars().map(|c| if hostile(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// Bytes of white space that all lines with text start with.
fn common_indent(lines: &[String]) -> usize {
    let indent = |line: &String| line.len() - line.trim_start_matches([' ', '\t']).len();
    let texts: Vec<&String> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
    let least = texts.iter().map(|line| indent(line)).min().unwrap_or(0);
    let same = texts.iter().all(|line| line[..least] == texts[0][..least]);
    if same { least } else { 0 }
}

/// The first `room` characters.
fn cut(text: &str, room: usize) -> String {
    let text = text.trim_end();
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room - 1).chain(['\u{2026}']).collect()
}

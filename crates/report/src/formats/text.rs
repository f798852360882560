//! What people read: the classes that matter most, with an excerpt of each, and a summary.
//!
//! Of a class whose members are not equal, the representative is set beside the first that differs, as a diff would.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use anstyle::{AnsiColor, Style as Ansi};
use familiar_source::words::{about, counted};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::plain::printable;
use crate::share::percent;
use crate::{ClassRow, CloneReport, FragmentRow, location};

mod diff;
mod explanation;

pub(crate) use explanation::lines as explained_lines;

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

/// From this number of classes on, a text begins with a summary, too.
const LONG: usize = 5;

/// How many classes of the same files are shown: a copied file has one for each of its functions, or between any two edits.
const IN_SAME_FILES: usize = 3;

/// Most places that are listed of one class.
const PLACES: usize = 8;

const TITLE: Ansi = Ansi::new().bold();
const DIM: Ansi = Ansi::new().dimmed();
const PATH: Ansi = AnsiColor::Cyan.on_default();
const NAME: Ansi = AnsiColor::Yellow.on_default();
const REMOVED: Ansi = AnsiColor::Red.on_default();
const ADDED: Ansi = AnsiColor::Green.on_default();

pub(crate) fn write(report: &CloneReport, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let languages: BTreeSet<&str> = report.fragments.iter().map(|fragment| fragment.language).collect();
    let mut page = Page { report, style, out, several_languages: languages.len() > 1 };
    let shown = shown(report, style.show);
    if shown.len() > LONG {
        page.headline()?;
        writeln!(page.out)?;
    }
    for (class, folded) in &shown {
        page.class(class, *folded)?;
    }
    page.summary(hidden(report, &shown))
}

/// How many classes are neither shown nor counted beside those that are.
pub(super) fn hidden(report: &CloneReport, shown: &[(&ClassRow, usize)]) -> usize {
    report.classes.len() - shown.iter().map(|(_, folded)| 1 + folded).sum::<usize>()
}

/// What is said of classes that are left out behind one that is shown.
pub(super) fn folded_note(folded: usize) -> String {
    let more = counted(folded as u64, "more class");
    format!("{more} in the same files: --show all shows them")
}

/// The classes that are shown, at most `most`. The last that is shown of some files has the number of the others there, which are not.
pub(super) fn shown(report: &CloneReport, most: Option<usize>) -> Vec<(&ClassRow, usize)> {
    let Some(most) = most.filter(|&most| most < report.classes.len()) else {
        return report.classes.iter().map(|class| (class, 0)).collect();
    };
    let files = |class: &ClassRow| -> BTreeSet<(u32, &str)> {
        let file = |&id: &u32| (report.fragments[id as usize].root, &*report.fragments[id as usize].path);
        class.members.iter().map(file).collect()
    };
    let mut shown: Vec<(&ClassRow, usize)> = Vec::new();
    let mut in_files: HashMap<BTreeSet<(u32, &str)>, Vec<usize>> = HashMap::new();
    for class in &report.classes {
        let files = files(class);
        if files.len() < 2 {
            if shown.len() < most {
                shown.push((class, 0));
            }
            continue;
        }
        let known = in_files.entry(files).or_default();
        match known.last() {
            Some(&last) if known.len() == IN_SAME_FILES => shown[last].1 += 1,
            _ if shown.len() < most => {
                known.push(shown.len());
                shown.push((class, 0));
            }
            _ => {}
        }
    }
    shown
}

struct Page<'r> {
    report: &'r CloneReport,
    style: Style,
    out: &'r mut dyn io::Write,
    several_languages: bool,
}

impl Page<'_> {
    fn paint(&self, style: Ansi, text: &str) -> String {
        if self.style.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn fragment(&self, id: u32) -> &FragmentRow {
        &self.report.fragments[id as usize]
    }

    /// A class, and how many others are left out that stand in the same files.
    fn class(&mut self, class: &ClassRow, folded: usize) -> io::Result<()> {
        let title = self.title(class);
        let title = self.paint(TITLE, &title);
        writeln!(self.out, "{title}")?;
        self.places(class)?;
        match (&class.excerpt, &class.other) {
            (Some(left), Some(right)) => self.comparison(left, right)?,
            (Some(excerpt), None) => self.excerpt(excerpt)?,
            (None, _) => {}
        }
        self.explanation(class)?;
        self.nested(class)?;
        writeln!(self.out)?;
        if folded > 0 {
            let note = self.paint(DIM, &folded_note(folded));
            writeln!(self.out, "{note}\n")?;
        }
        Ok(())
    }

    /// What makes the two fragments alike that are compared.
    fn explanation(&mut self, class: &ClassRow) -> io::Result<()> {
        for line in class.explanation.iter().flat_map(|it| explained_lines(it)) {
            let line = self.paint(DIM, &cut(&line, self.style.width.saturating_sub(2).max(20)));
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    /// The other places of classes that mostly show the same lines.
    fn nested(&mut self, class: &ClassRow) -> io::Result<()> {
        if class.nested.is_empty() {
            return Ok(());
        }
        let note = counted(class.nested.len() as u64, "smaller class");
        let note = self.paint(DIM, &format!("  {note} in the same lines"));
        writeln!(self.out, "{note}")
    }

    fn title(&self, class: &ClassRow) -> String {
        let representative = self.fragment(class.representative);
        let likeness = match class.clone_type {
            1 => "equal".to_owned(),
            2 => "equal except for names and values".to_owned(),
            3 => format!("{} similar", percents(class.similarity)),
            _ => format!("same behavior in other code, with a probability of {}", percents(class.similarity)),
        };
        let language =
            if self.several_languages { format!(", {}", representative.language) } else { String::new() };
        format!(
            "#{} {} of {}, {likeness} (Type-{}{language})",
            class.rank,
            counted(class.members.len() as u64, representative.kind),
            counted(u64::from(class.lines), "line"),
            class.clone_type
        )
    }

    /// The members, the two that are compared first; the path is left out where it is the one above.
    fn places(&mut self, class: &ClassRow) -> io::Result<()> {
        let other = class.other.as_ref().map(|excerpt| excerpt.fragment);
        let rest = class.members[1..].iter().copied().filter(|&member| Some(member) != other);
        let ordered = std::iter::once(class.representative).chain(other).chain(rest);
        let mut above = String::new();
        for (at, id) in ordered.take(PLACES).enumerate() {
            let fragment = self.fragment(id);
            let path = printable(&location::as_given(self.report, fragment)).into_owned();
            let lines = format!(":{}-{}", fragment.start_line, fragment.end_line);
            let shown = if path == above {
                format!("{:1$}{lines}", "", path.width())
            } else {
                self.paint(PATH, &format!("{path}{lines}"))
            };
            let name = match fragment.name.as_str() {
                "" => String::new(),
                name => format!("  {}", self.paint(NAME, &printable(name))),
            };
            let mark = match (other, at) {
                (Some(_), 0) => self.paint(REMOVED, "-"),
                (Some(_), 1) => self.paint(ADDED, "+"),
                _ => " ".to_owned(),
            };
            writeln!(self.out, "{mark} {shown}{name}")?;
            above = path;
        }
        let more = class.members.len().saturating_sub(PLACES);
        if more > 0 {
            writeln!(self.out, "  and {}", counted(more as u64, "more place"))?;
        }
        Ok(())
    }

    fn excerpt(&mut self, excerpt: &crate::Excerpt) -> io::Result<()> {
        let rows: Vec<diff::Row<'_>> = (excerpt.first_line..)
            .zip(&excerpt.lines)
            .map(|(number, text)| diff::Row { mark: diff::Mark::Same, number: Some(number), text })
            .collect();
        self.rows(&rows, excerpt.omitted)
    }

    fn comparison(&mut self, left: &crate::Excerpt, right: &crate::Excerpt) -> io::Result<()> {
        let (rows, omitted) = diff::rows(left, right);
        self.rows(&rows, omitted)
    }

    fn rows(&mut self, rows: &[diff::Row<'_>], omitted: u32) -> io::Result<()> {
        let gutter = rows.iter().filter_map(|row| row.number).max().unwrap_or(0).to_string().len();
        let indent = common_indent(rows.iter().map(|row| row.text));
        let marks = rows.iter().any(|row| row.mark != diff::Mark::Same);
        let room = self.style.width.saturating_sub(gutter + 7).max(20);
        for row in rows {
            let number = row.number.map_or_else(String::new, |number| number.to_string());
            let bar = if row.mark == diff::Mark::Gap { '\u{22ee}' } else { '\u{2502}' };
            let margin = self.paint(DIM, &format!("{number:>gutter$} {bar}"));
            let code = printable(row.text.get(indent..).unwrap_or("")).replace('\t', "    ");
            let code = cut(&code, room);
            let code = match row.mark {
                diff::Mark::Removed => self.paint(REMOVED, &format!("- {code}")),
                diff::Mark::Added => self.paint(ADDED, &format!("+ {code}")),
                _ if marks => format!("  {code}"),
                _ => code,
            };
            writeln!(self.out, "  {}", format!("{margin} {code}").trim_end())?;
        }
        if omitted > 0 {
            let note =
                format!("{:>gutter$} \u{2502} \u{2026} {}", "", counted(u64::from(omitted), "more line"));
            let note = self.paint(DIM, &note);
            writeln!(self.out, "  {note}")?;
        }
        Ok(())
    }

    /// How much was found.
    fn headline(&mut self) -> io::Result<()> {
        let summary = &self.report.summary;
        let title = if summary.classes == 0 {
            if summary.accepted == 0 { "no clones".to_owned() } else { "no other clones".to_owned() }
        } else {
            format!("{} with {}", counted(summary.classes, "clone class"), counted(summary.pairs, "pair"))
        };
        let title = self.paint(TITLE, &title);
        let quoted = |revision: &str| printable(revision).to_string();
        writeln!(self.out, "{title}{}", duplication(self.report, quoted))
    }

    fn summary(&mut self, hidden: usize) -> io::Result<()> {
        if hidden > 0 {
            let more = counted(hidden as u64, "more class");
            let note = format!("{more}: --show all shows them, --format json has everything");
            let note = self.paint(DIM, &note);
            writeln!(self.out, "{note}\n")?;
        }
        self.headline()?;
        let summary = &self.report.summary;
        writeln!(
            self.out,
            "searched {}, {}, {}",
            counted(summary.files, "file"),
            about(summary.bytes),
            counted(summary.fragments, "fragment")
        )?;
        self.left_out()
    }

    /// What took no part, and how to bring it back.
    fn left_out(&mut self) -> io::Result<()> {
        let summary = &self.report.summary;
        for unanswered in &summary.unanswered {
            writeln!(self.out, "incomplete: {}", printable(&unanswered.words()))?;
        }
        let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
        for skip in &summary.skipped {
            *reasons.entry(skip.reason.as_str()).or_default() += 1;
        }
        let mut parts: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{} ({reason})", counted(*count, "file"))).collect();
        if summary.ignored_lines > 0 {
            parts.push(format!("{} (familiar:ignore comments)", counted(summary.ignored_lines, "line")));
        }
        if summary.not_code > 0 {
            parts.push(format!("{} (not code)", counted(summary.not_code, "file")));
        }
        if summary.accepted > 0 {
            parts.push(format!("{} (accepted by the baseline)", counted(summary.accepted, "class")));
        }
        if !parts.is_empty() {
            let line = self.paint(DIM, &format!("left out: {}", printable(&parts.join(", "))));
            writeln!(self.out, "{line}")?;
        }
        if summary.kept_alike > 0 {
            let files = counted(summary.kept_alike, "file");
            let line = format!(
                "not compared with each other: {files} (versions and pages of documentation, libraries of others); \
                 --include-idioms compares them"
            );
            let line = self.paint(DIM, &line);
            writeln!(self.out, "{line}")?;
        }
        if let Some(gone @ 1..) = summary.gone {
            let gone = counted(gone, "class");
            let line = self.paint(DIM, &format!("{gone} of the baseline cannot be found anymore"));
            writeln!(self.out, "{line}")?;
        }
        if summary.generated > 0 {
            let hint = self.paint(DIM, "--include-generated also searches generated and minified files");
            writeln!(self.out, "{hint}")?;
        }
        Ok(())
    }
}

/// How many lines the classes cover, and what was looked at where that is not everything: then other lines may be duplicated, too.
/// `quoted` writes the name of a revision.
pub(crate) fn duplication(report: &CloneReport, quoted: impl Fn(&str) -> String) -> String {
    let summary = &report.summary;
    let lines = format!("{} of {}", summary.duplicated_lines, counted(summary.lines, "line"));
    let share = format!("({:.1} %)", summary.duplication * 100.0);
    if let Some(revision) = &report.settings.changed_since {
        let touch = if summary.classes == 1 { "touches" } else { "touch" };
        let what = format!(" {touch} the lines that changed since {}", quoted(revision));
        return match summary.classes {
            0 => what,
            1 => format!("{what}: it covers {lines} {share}"),
            _ => format!("{what}: they cover {lines} {share}"),
        };
    }
    match (summary.classes, summary.accepted) {
        (0, 1..) => String::new(),
        _ if summary.duplicated_lines == 1 => format!(": {lines} is duplicated {share}"),
        _ => format!(": {lines} are duplicated {share}"),
    }
}

/// A range of similarities.
fn percents((least, most): (f64, f64)) -> String {
    if percent(least) >= percent(most) {
        format!("{} %", percent(least))
    } else {
        format!("{}\u{2013}{} %", percent(least), percent(most))
    }
}

/// Bytes of white space that all lines with text start with.
fn common_indent<'t>(lines: impl Iterator<Item = &'t str>) -> usize {
    let mut common: Option<&str> = None;
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let white = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let known = common.unwrap_or(white);
        let shared = known.bytes().zip(white.bytes()).take_while(|(a, b)| a == b).count();
        common = Some(&known[..shared]);
    }
    common.map_or(0, str::len)
}

/// As much of the text as fits into `room` columns.
fn cut(text: &str, room: usize) -> String {
    let text = text.trim_end();
    if text.width() <= room {
        return text.to_owned();
    }
    let mut columns = 1;
    let fits = |c: &char| {
        columns += c.width().unwrap_or(0);
        columns <= room
    };
    text.chars().take_while(fits).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_by_columns_and_lose_the_white_space_they_share() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde\u{2026}");
        assert_eq!(cut("\u{6f22}\u{5b57}\u{6f22}\u{5b57}", 6), "\u{6f22}\u{5b57}\u{2026}");
        assert_eq!(common_indent(["    a", "", "  b", "   "].into_iter()), 2);
        assert_eq!(common_indent(["\ta", "  b"].into_iter()), 0);
    }
}

//! Statistics as a page for a browser.

use std::io::{self, Write};

use super::{Stats, by_count};
use crate::page::{HEAD, escaped};

/// Languages that are shown.
const MOST_LANGUAGES: usize = 20;

impl Stats {
    /// Writes one HTML page.
    pub fn write_html(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEAD}<title>Data set</title>\n<h1>What this data set holds</h1>")?;
        if let Some([first, last]) = &self.dates {
            writeln!(out, "<p class=soft>Submissions from {first} to {last}.</p>")?;
        }
        writeln!(out, "<dl>")?;
        let mut figures = vec![
            ("submissions", self.submissions),
            ("accepted", self.accepted),
            ("problems", self.problems),
            ("problems without submissions", self.problems_without_submissions),
            ("users", self.users),
        ];
        if let Some(duplicates) = self.duplicates {
            figures
                .extend([("near-duplicates", duplicates.samples), ("clusters of them", duplicates.clusters)]);
        }
        for (name, value) in figures {
            writeln!(out, "<div><dt>{name}<dd>{value}</div>")?;
        }
        writeln!(
            out,
            "</dl>\n<h2>Languages</h2>\n<table><tr><th>language<th class=number>submissions<th class=number>accepted<th>"
        )?;
        let languages = by_count(&self.languages, |counted| counted.submissions);
        let most = languages.first().map_or(1, |(_, counted)| counted.submissions.max(1));
        for (language, counted) in languages.iter().take(MOST_LANGUAGES) {
            let rejected = counted.submissions - counted.accepted;
            writeln!(
                out,
                "<tr><td>{}<td class=number>{}<td class=number>{}<td class=wide>{}{}",
                escaped(language),
                counted.submissions,
                counted.accepted,
                bar("bar", counted.accepted, most),
                bar("bar other", rejected, most),
            )?;
        }
        writeln!(
            out,
            "</table>\n<p class=soft>Accepted submissions first, then the others.</p>\n<h2>Statuses</h2>"
        )?;
        writeln!(out, "<table><tr><th>status<th class=number>submissions<th>")?;
        let statuses = by_count(&self.statuses, |&count| count);
        let most = statuses.first().map_or(1, |(_, count)| (**count).max(1));
        for (status, &count) in statuses {
            let name = if status.is_empty() { "(none)" } else { status };
            writeln!(
                out,
                "<tr><td>{}<td class=number>{count}<td class=wide>{}",
                escaped(name),
                bar("bar", count, most)
            )?;
        }
        writeln!(out, "</table>\n<h2>Problems with at least so many submissions</h2>")?;
        writeln!(
            out,
            "<table><tr><th class=number>at least<th class=number>accepted<th class=number>others<th>"
        )?;
        for row in &self.problems_with_at_least {
            let most = 2 * self.problems.max(1);
            writeln!(
                out,
                "<tr><td class=number>{}<td class=number>{}<td class=number>{}<td class=wide>{}{}",
                row.submissions,
                row.accepted,
                row.rejected,
                bar("bar", row.accepted, most),
                bar("bar other", row.rejected, most),
            )?;
        }
        writeln!(out, "</table>\n<h2>Sizes, times and memory</h2>")?;
        writeln!(
            out,
            "<table><tr><th>value<th class=number>least<th class=number>10 %<th class=number>median<th class=number>90 %<th class=number>most<th class=number>mean"
        )?;
        for (name, unit, values) in self.spreads() {
            writeln!(
                out,
                "<tr><td>{name} ({unit})<td class=number>{}<td class=number>{}<td class=number>{}<td class=number>{}<td class=number>{}<td class=number>{:.1}",
                values.least, values.tenth, values.median, values.nine_tenths, values.most, values.mean
            )?;
        }
        writeln!(out, "</table>")?;
        self.evolution(out)
    }

    fn evolution(&self, out: &mut dyn Write) -> io::Result<()> {
        let evolution = &self.evolution;
        writeln!(
            out,
            "<h2>From rejected to accepted</h2>\n<p>{} chains of a user and a problem; {} have two submissions or more. {} \
             times an accepted submission follows a rejected one.</p>\n<table><tr><th>accepted with submission<th class=number>chains<th>",
            evolution.chains, evolution.chains_of_several, evolution.from_rejected_to_accepted
        )?;
        let most = evolution.chains.max(1);
        let last = evolution.accepted_with.len();
        for (at, &chains) in (1..).zip(&evolution.accepted_with) {
            let more = if at == last { " or later" } else { "" };
            writeln!(
                out,
                "<tr><td>{at}{more}<td class=number>{chains}<td class=wide>{}",
                bar("bar", chains, most)
            )?;
        }
        let never = evolution.never_accepted;
        writeln!(
            out,
            "<tr><td>never<td class=number>{never}<td class=wide>{}\n</table>",
            bar("bar other", never, most)
        )
    }
}

fn bar(class: &str, value: u64, most: u64) -> String {
    format!("<span class=\"{class}\" style=\"width:{:.2}%\"></span>", 95.0 * value as f64 / most as f64)
}

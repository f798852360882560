//! A trend as a picture: above the share of duplicated lines, below how many lines there are.
//!
//! The picture loads nothing and runs nothing. Its colours follow the reader's light or dark setting. Every value stands
//! in the title of its point and bar, which browsers show under the pointer; the description says how it began and ended.

use std::io;

use super::model::{Point, TrendReport};
use crate::printable;

const WIDTH: f64 = 900.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
/// Top and height of both plots.
const SHARE: (f64, f64) = (56.0, 220.0);
const LINES: (f64, f64) = (318.0, 110.0);
/// Where the tags' names start, and how long one may be, in characters.
const TAGS: f64 = LINES.0 + LINES.1 + 14.0;
const TAG_LENGTH: usize = 20;
/// The least distance between the names of two tags.
const TAG_SPACE: f64 = 17.0;
const STYLE: &str = "\
.back{fill:#fff}.text{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d8dee4}.share{stroke:#0b5cad;fill:none}\
.point{fill:#0b5cad}.all{fill:#c3ccd6}.copied{fill:#0b5cad}\
@media(prefers-color-scheme:dark){.back{fill:#0d1117}.text{fill:#e6edf3}.soft{fill:#9da7b3}.grid{stroke:#30363d}\
.share{stroke:#6cb6ff}.point,.copied{fill:#6cb6ff}.all{fill:#3d4652}}";

pub(super) fn write(report: &TrendReport, out: &mut dyn io::Write) -> io::Result<()> {
    let points = &report.points;
    let shown = points.iter().map(|point| shortened(&point.tag).chars().count()).max().unwrap_or(0);
    let height = TAGS + 6.5 * shown as f64 + 12.0;
    let summary = summary(points);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
         height=\"{height:.0}\" role=\"img\" aria-labelledby=\"t d\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n\
         <title id=\"t\">Duplication by tag</title>\n<desc id=\"d\">{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"back\" width=\"100%\" height=\"100%\"/>",
        escaped(&summary)
    )?;
    heading(out, SHARE.0, "Duplicated lines, in percent of all lines")?;
    heading(out, LINES.0, "Lines of code, and how many of them are duplicated")?;
    plot_share(points, out)?;
    lines(points, out)?;
    names(points, out)?;
    writeln!(out, "</svg>")
}

/// What the picture shows, in a sentence.
fn summary(points: &[Point]) -> String {
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if points.len() > 1 => format!(
            "From {} to {}, the share of duplicated lines goes from {:.1} % to {:.1} %.",
            first.tag,
            last.tag,
            first.percent(),
            last.percent()
        ),
        (Some(only), _) => format!("In {}, {:.1} % of the lines are duplicated.", only.tag, only.percent()),
        _ => "There are no tags.".to_owned(),
    }
}

fn heading(out: &mut dyn io::Write, top: f64, text: &str) -> io::Result<()> {
    let y = top - 16.0;
    writeln!(
        out,
        "<text class=\"text\" x=\"{LEFT}\" y=\"{y}\" font-size=\"14\" font-weight=\"600\">{text}</text>"
    )
}

/// The distance between two points.
fn step(count: usize) -> f64 {
    (WIDTH - LEFT - RIGHT) / count.max(1) as f64
}

fn x(at: usize, count: usize) -> f64 {
    LEFT + step(count) * (at as f64 + 0.5)
}

/// Lines across a plot with their values, up to a round number that is at least `most`; gives that number.
fn grid(
    out: &mut dyn io::Write,
    (top, height): (f64, f64),
    most: f64,
    ticks: f64,
    text: impl Fn(f64) -> String,
) -> io::Result<f64> {
    let step = round_up(most / ticks);
    let count = (most / step).ceil().max(1.0);
    let all = step * count;
    for at in 0..=count as u32 {
        let value = step * f64::from(at);
        let y = top + height * (1.0 - value / all);
        writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"soft\" x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            text(value)
        )?;
    }
    Ok(all)
}

/// The least of 1, 2 and 5 times a power of ten that is not below `value`.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    let part = value / power;
    let rounded = [1.0, 2.0, 5.0].into_iter().find(|step| part <= step + 1e-9).unwrap_or(10.0);
    rounded * power
}

fn plot_share(points: &[Point], out: &mut dyn io::Write) -> io::Result<()> {
    let most = points.iter().map(Point::percent).fold(1.0, f64::max);
    let all = grid(out, SHARE, most, 5.0, |value| format!("{} %", rounded(value)))?;
    let y = |point: &Point| SHARE.0 + SHARE.1 * (1.0 - point.percent() / all);
    let at = |(number, point): (usize, &Point)| format!("{:.1},{:.1}", x(number, points.len()), y(point));
    let way: Vec<String> = points.iter().enumerate().map(at).collect();
    writeln!(out, "<polyline class=\"share\" stroke-width=\"2\" points=\"{}\"/>", way.join(" "))?;
    let radius = (step(points.len()) / 3.0).clamp(1.5, 4.0);
    for (number, point) in points.iter().enumerate() {
        writeln!(
            out,
            "<circle class=\"point\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>{}</title></circle>",
            x(number, points.len()),
            y(point),
            escaped(&title(point))
        )?;
    }
    Ok(())
}

fn lines(points: &[Point], out: &mut dyn io::Write) -> io::Result<()> {
    let most = points.iter().map(|point| point.lines).max().unwrap_or(0).max(1);
    let all = grid(out, LINES, most as f64, 3.0, thousands)?;
    let width = step(points.len()) * 0.7;
    for (number, point) in points.iter().enumerate() {
        let bar = |class: &str, lines: u64| {
            let height = LINES.1 * lines as f64 / all;
            let (left, top) = (x(number, points.len()) - width / 2.0, LINES.0 + LINES.1 - height);
            format!(
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            )
        };
        writeln!(
            out,
            "<g><title>{}</title>{}{}</g>",
            escaped(&title(point)),
            bar("all", point.lines),
            bar("copied", point.duplicated_lines)
        )?;
    }
    Ok(())
}

/// The tags' names below the plots, as many as have a place.
fn names(points: &[Point], out: &mut dyn io::Write) -> io::Result<()> {
    let every = (TAG_SPACE / step(points.len())).ceil().max(1.0) as usize;
    for (number, point) in points.iter().enumerate() {
        // The newest tag has its name always.
        if !(points.len() - 1 - number).is_multiple_of(every) {
            continue;
        }
        let at = x(number, points.len()) + 4.0;
        writeln!(
            out,
            "<text class=\"soft\" text-anchor=\"end\" transform=\"translate({at:.1} {TAGS:.0}) rotate(-60)\">\
             <tspan class=\"tag\">{}</tspan></text>",
            escaped(&shortened(&point.tag))
        )?;
    }
    Ok(())
}

fn title(point: &Point) -> String {
    let day = if point.day().is_empty() { String::new() } else { format!(" ({})", point.day()) };
    format!(
        "{}{day}: {:.1} %, {} of {} lines, {} classes, {} files",
        point.tag,
        point.percent(),
        point.duplicated_lines,
        point.lines,
        point.classes,
        point.files
    )
}

/// A name of at most [`TAG_LENGTH`] characters, without its middle where it is longer.
fn shortened(tag: &str) -> String {
    let tag = printable(tag);
    let all: Vec<char> = tag.chars().collect();
    if all.len() <= TAG_LENGTH {
        return tag.into_owned();
    }
    let half = (TAG_LENGTH - 1) / 2;
    let (start, end) = (&all[..TAG_LENGTH - 1 - half], &all[all.len() - half..]);
    start.iter().chain(['…'].iter()).chain(end).collect()
}

/// A number without decimals that say nothing.
fn rounded(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn thousands(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{}M", rounded(value / 1e6)),
        value if value >= 1e3 => format!("{}k", rounded(value / 1e3)),
        value => rounded(value),
    }
}

/// Text as markup, in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut markup = String::new();
    for c in printable(text).chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            // No character of XML.
            '\u{fffe}' | '\u{ffff}' => markup.push('\u{fffd}'),
            c => markup.push(c),
        }
    }
    markup
}

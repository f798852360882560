//! Plots as pictures inside a page. They run nothing, and each has a title and a description.

use std::fmt::Write as _;

use familiar_evaluate::page::escaped;

use super::share::Share;

/// Colors of detectors; those of more than these repeat.
const COLORS: usize = 6;
/// The styles of plots. Colors that can be told apart by all (Okabe and Ito 2008), darker or lighter as the page is.
pub(super) const STYLE: &str = "\
:root { --c0: #0b5fa5; --c1: #c05a00; --c2: #00795a; --c3: #a3477f; --c4: #7a6a00; --c5: #4b5866 }
@media (prefers-color-scheme: dark) {
  :root { --c0: #6bb0e0; --c1: #f0964a; --c2: #45c09c; --c3: #e094c0; --c4: #d8c640; --c5: #aab6c2 }
}
svg .c0 { fill: var(--c0) } svg .c1 { fill: var(--c1) } svg .c2 { fill: var(--c2) }
svg .c3 { fill: var(--c3) } svg .c4 { fill: var(--c4) } svg .c5 { fill: var(--c5) }
svg .line { fill: none; stroke-width: 2 } svg .l0 { stroke: var(--c0) } svg .l1 { stroke: var(--c1) } svg .l2 { stroke: var(--c2) }
svg .l3 { stroke: var(--c3) } svg .l4 { stroke: var(--c4) } svg .l5 { stroke: var(--c5) }
svg .whisker { stroke: var(--ink); stroke-width: 1.5 } svg text.name { fill: var(--ink) } svg text.group { fill: var(--ink); font-weight: 600 }
";

/// Where bars begin and how long the longest is, in pixels.
const LEFT: f64 = 200.0;
const LENGTH: f64 = 420.0;
const WIDTH: f64 = LEFT + LENGTH + 180.0;
const BAR: f64 = 20.0;
const GROUP: f64 = 30.0;
/// Characters of a name that have a place.
const NAME: usize = 26;

/// Bars of shares from 0 to 100 %.
pub(super) struct Bars<'p> {
    /// Names the plot within the page.
    pub(super) id: &'p str,
    pub(super) title: &'p str,
    pub(super) description: String,
    /// Who is compared.
    pub(super) names: Vec<String>,
    /// What is compared, with a share of each name; those of nothing are left out.
    pub(super) groups: Vec<(String, Vec<Share>)>,
}

impl Bars<'_> {
    pub(super) fn svg(&self) -> String {
        let bars = |(_, shares): &(String, Vec<Share>)| shares.iter().filter(|it| it.all > 0).count() as f64;
        let bottom: f64 = self.groups.iter().map(|group| GROUP + BAR * bars(group)).sum::<f64>() + 6.0;
        let mut svg = opened(self.id, self.title, &self.description, WIDTH, bottom + 24.0);
        for percent in [0, 25, 50, 75, 100] {
            let x = LEFT + LENGTH * f64::from(percent) / 100.0;
            // Writing to a string does not fail.
            let _ = writeln!(
                svg,
                "<line class=axis x1=\"{x}\" x2=\"{x}\" y1=4 y2=\"{bottom}\" />\
                 <text x=\"{x}\" y=\"{:.1}\" text-anchor=middle>{percent} %</text>",
                bottom + 16.0
            );
        }
        let mut y = 0.0;
        for (group, shares) in &self.groups {
            let _ = writeln!(svg, "<text class=group x=4 y=\"{:.1}\">{}</text>", y + 21.0, escaped(group));
            y += GROUP;
            for (at, (name, share)) in
                self.names.iter().zip(shares).enumerate().filter(|(_, it)| it.1.all > 0)
            {
                bar(&mut svg, y, at, name, *share);
                y += BAR;
            }
        }
        svg + "</svg>\n"
    }
}

fn bar(svg: &mut String, y: f64, at: usize, name: &str, share: Share) {
    let value = share.value().unwrap_or(0.0);
    let [low, high] = share.interval().map(|it| LEFT + LENGTH * it);
    let middle = y + BAR / 2.0;
    let _ = writeln!(
        svg,
        "<g><title>{}: {} ({}), {} of {}</title>\
         <text class=name x=\"{}\" y=\"{:.1}\" text-anchor=end>{}</text>\
         <rect class=c{} x=\"{LEFT}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\" opacity=0.75 />\
         <path class=whisker d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v8M{high:.1} {:.1}v8\" />\
         <text x=\"{}\" y=\"{:.1}\">{} ({})</text></g>",
        escaped(name),
        share.percent(),
        share.reach(),
        share.found,
        share.all,
        LEFT - 8.0,
        middle + 4.0,
        escaped(&shortened(name, NAME)),
        at % COLORS,
        y + 3.0,
        LENGTH * value,
        BAR - 6.0,
        middle - 4.0,
        middle - 4.0,
        LEFT + LENGTH + 24.0,
        middle + 4.0,
        share.percent(),
        share.reach(),
    );
}

/// Curves of shares, a point for each of some marks.
pub(super) struct Curves<'p> {
    pub(super) id: &'p str,
    pub(super) title: &'p str,
    pub(super) description: String,
    pub(super) marks: Vec<String>,
    /// Below the marks.
    pub(super) axis: &'p str,
    /// Each with its name.
    pub(super) curves: Vec<(String, Vec<Share>)>,
}

/// The frame of the curves, in pixels.
const FRAME: (f64, f64) = (440.0, 240.0);
const START: f64 = 50.0;
const TOP: f64 = 12.0;
/// Dashes of curves, so that they differ without colors, too.
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "10 3 2 3"];

impl Curves<'_> {
    pub(super) fn svg(&self) -> String {
        let key = TOP + 20.0 * self.curves.len() as f64;
        let (width, height) = (START + FRAME.0 + 330.0, (TOP + FRAME.1 + 46.0).max(key));
        let mut svg = opened(self.id, self.title, &self.description, width, height);
        let step = FRAME.0 / (self.marks.len().saturating_sub(1).max(1)) as f64;
        let x = |at: usize| START + step * at as f64;
        let y = |share: f64| TOP + FRAME.1 * (1.0 - share);
        for percent in [0, 25, 50, 75, 100] {
            let at = y(f64::from(percent) / 100.0);
            // Writing to a string does not fail.
            let _ = writeln!(
                svg,
                "<line class=axis x1=\"{START}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" />\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=end>{percent} %</text>",
                START + FRAME.0,
                START - 8.0,
                at + 4.0
            );
        }
        for (at, mark) in self.marks.iter().enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=middle>{mark}</text>",
                x(at),
                TOP + FRAME.1 + 20.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=middle>{}</text>",
            START + FRAME.0 / 2.0,
            TOP + FRAME.1 + 40.0,
            self.axis
        );
        for (number, (name, shares)) in self.curves.iter().enumerate() {
            let (color, dashes) = (number % COLORS, DASHES[number % DASHES.len()]);
            let way: Vec<String> = shares
                .iter()
                .enumerate()
                .map(|(at, it)| format!("{:.1},{:.1}", x(at), y(it.value().unwrap_or(0.0))))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline class=\"line l{color}\" stroke-dasharray=\"{dashes}\" points=\"{}\" />",
                way.join(" ")
            );
            for (at, share) in shares.iter().enumerate() {
                let [low, high] = share.interval().map(y);
                let _ = writeln!(
                    svg,
                    "<g><title>{0}, {1}: {3} ({4})</title><path class=\"line l{color}\" d=\"M{2:.1} {low:.1}V{high:.1}\" opacity=0.5 />\
                     <circle class=\"c{color}\" cx=\"{2:.1}\" cy=\"{5:.1}\" r=4 /></g>",
                    escaped(name),
                    self.marks[at],
                    x(at),
                    share.percent(),
                    share.reach(),
                    y(share.value().unwrap_or(0.0)),
                );
            }
            let (left, middle) = (START + FRAME.0 + 24.0, TOP + 8.0 + 20.0 * number as f64);
            let _ = writeln!(
                svg,
                "<path class=\"line l{color}\" stroke-dasharray=\"{dashes}\" d=\"M{left} {middle}h34\" />\
                 <text class=name x=\"{}\" y=\"{:.1}\">{}</text>",
                left + 42.0,
                middle + 4.0,
                escaped(&shortened(name, NAME + 8))
            );
        }
        svg + "</svg>\n"
    }
}

/// The beginning of a picture.
fn opened(id: &str, title: &str, description: &str, width: f64, height: f64) -> String {
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=img aria-labelledby=\"{id}-t {id}-d\">\n\
         <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>\n",
        escaped(title),
        escaped(description)
    )
}

fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

//! The share of duplicated lines as an SVG badge: one small file that loads nothing.
//!
//! Whatever the badge says stands in its title too, and its colours keep a contrast of at least 4.5 to the white text.

use std::io;

use crate::CloneReport;

/// Shares of duplicated lines in percent, and the colour below each; the last is for all others.
const COLORS: [(f64, &str); 5] =
    [(3.0, "#1e7b34"), (5.0, "#5a6e00"), (10.0, "#8a5a00"), (20.0, "#b34700"), (f64::INFINITY, "#b3261e")];
const LABEL: &str = "duplication";
const HEIGHT: u32 = 20;
/// Space before and after a text.
const SPACE: f64 = 6.0;

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let percent = report.summary.duplication * 100.0;
    let value = format!("{percent:.1}%");
    let (label_width, value_width) = (width(LABEL), width(&value));
    let (left, right) = (label_width + 2.0 * SPACE, value_width + 2.0 * SPACE);
    let all = left + right;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all:.0}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{LABEL}: {value}\">\n\
         <title>{LABEL}: {value}</title>\n\
         <clipPath id=\"r\"><rect width=\"{all:.0}\" height=\"{HEIGHT}\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#r)\"><rect width=\"{left:.0}\" height=\"{HEIGHT}\" fill=\"#444\"/>\
         <rect x=\"{left:.0}\" width=\"{right:.0}\" height=\"{HEIGHT}\" fill=\"{}\"/></g>\n\
         <g fill=\"#fff\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" font-size=\"11\" aria-hidden=\"true\">\
         <text x=\"{SPACE}\" y=\"14\" textLength=\"{label_width:.0}\">{LABEL}</text>\
         <text x=\"{:.0}\" y=\"14\" textLength=\"{value_width:.0}\">{value}</text></g>\n\
         </svg>",
        color(percent),
        left + SPACE,
    )
}

fn color(percent: f64) -> &'static str {
    COLORS.iter().find(|(below, _)| percent < *below).map_or(COLORS[4].1, |(_, color)| color)
}

/// What a text takes in Verdana of 11 pixels; where that font is missing, the text is set to this width.
fn width(text: &str) -> f64 {
    let of = |c| match c {
        '0'..='9' => 7.0,
        '.' => 4.0,
        '%' => 11.8,
        'i' | 'l' => 3.0,
        't' => 4.3,
        'c' => 5.7,
        _ => 6.8,
    };
    text.chars().map(of).sum::<f64>().round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_color_tells_the_share() {
        let colors = [0.0, 2.99, 3.0, 9.9, 10.0, 20.0, 100.0].map(color);
        let (green, amber, orange, red) = (COLORS[0].1, COLORS[2].1, COLORS[3].1, COLORS[4].1);
        assert_eq!(colors, [green, green, COLORS[1].1, amber, orange, red, red]);
    }

    #[test]
    fn every_color_can_be_read_behind_white() {
        let channel = |text: &str| {
            let value = f64::from(u8::from_str_radix(text, 16).expect("a color")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        for (_, color) in COLORS {
            let light = 0.2126 * channel(&color[1..3])
                + 0.7152 * channel(&color[3..5])
                + 0.0722 * channel(&color[5..7]);
            assert!(1.05 / (light + 0.05) >= 4.5, "{color}");
        }
    }
}

//! An attack as a page for a browser: one file without scripts, and without a network.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::result::{AttackResult, AttackedPair, TransformationStrength};
use crate::page::{HEAD, escaped};

/// Pairs that are shown side by side.
const MOST_PAIRS: usize = 5;
/// Size of the plot of the steps, in pixels, without its margin.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 180.0;

impl AttackResult {
    /// Writes it as one HTML page.
    pub fn write_html(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = format!("Attack on {}", escaped(&self.detector));
        write!(out, "{HEAD}<title>{title}</title>\n<h1>{title}</h1>\n")?;
        writeln!(
            out,
            "<p class=soft>Transformations of {}, {} programs kept from step to step, {} steps, seed {}.</p>",
            escaped(&self.set),
            self.beam,
            self.steps,
            self.seed
        )?;
        if let Some(failure) = &self.failure {
            writeln!(out, "<p><strong>It ended early: {}.</strong></p>", escaped(failure))?;
        }
        out.write_all(self.figures().as_bytes())?;
        writeln!(out, "<h2>Distance by step</h2>\n{}", curve(&self.by_step))?;
        out.write_all(self.strengths().as_bytes())?;
        writeln!(out, "<h2>The worst pairs</h2>")?;
        for pair in self.pairs.iter().take(MOST_PAIRS) {
            out.write_all(side_by_side(pair).as_bytes())?;
        }
        if !self.skipped.is_empty() {
            writeln!(out, "<h2>Left out</h2>\n<table><tr><th class=number>row<th>reason")?;
            for row in &self.skipped {
                writeln!(out, "<tr><td class=number>{}<td>{}", row.row, escaped(&row.reason))?;
            }
            writeln!(out, "</table>")?;
        }
        Ok(())
    }

    fn figures(&self) -> String {
        let mut rows = vec![
            ("programs", self.programs.to_string()),
            (
                "worst-case distance",
                format!("{:.3} ± {:.3}", self.worst_case_distance.mean, self.worst_case_distance.sd),
            ),
            (
                "no longer recognized",
                format!("{:.1} % below {:.3}", self.below_threshold * 100.0, self.threshold),
            ),
        ];
        if let Some(cosine) = self.worst_case_cosine_distance {
            rows.push(("1 − cosine of these", format!("{:.3} ± {:.3}", cosine.mean, cosine.sd)));
        }
        rows.push(("candidates", self.tried.to_string()));
        if self.tested > 0 {
            rows.push(("worst programs that run right", format!("{} of {}", self.correct, self.tested)));
        }
        let mut text = "<dl>".to_owned();
        for (name, value) in rows {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "<div><dt>{name}<dd>{value}</div>");
        }
        text + "</dl>\n"
    }

    fn strengths(&self) -> String {
        let mut all: Vec<&TransformationStrength> = self.by_transformation.iter().collect();
        all.sort_by(|a, b| b.distance.total_cmp(&a.distance).then(a.name.cmp(b.name)));
        let run = self.by_transformation.iter().any(|it| it.tested > 0);
        let mut text =
            "<h2>Each transformation alone</h2>\n<table><tr><th>transformation<th class=number>applies to"
                .to_owned();
        text += if run { "<th class=number>right<th class=number>tested" } else { "" };
        text += "<th class=number>distance<th>\n";
        for one in all {
            let (name, applicable, distance) = (escaped(one.name), one.applicable, one.distance);
            let _ = write!(text, "<tr><td>{name}<td class=number>{applicable}");
            if run {
                let _ = write!(text, "<td class=number>{}<td class=number>{}", one.correct, one.tested);
            }
            let _ = writeln!(
                text,
                "<td class=number>{distance:.3}<td class=wide><span class=bar style=\"width:{:.1}%\"></span>",
                distance * 100.0
            );
        }
        text + "</table>\n"
    }
}

/// The mean of the largest distance after each step.
fn curve(by_step: &[f64]) -> String {
    let x = |step: usize| 40.0 + step as f64 * WIDTH / (by_step.len().saturating_sub(1).max(1)) as f64;
    let y = |distance: f64| 10.0 + (1.0 - distance) * HEIGHT;
    let mut text = format!(
        "<figure><svg width=\"{}\" height=\"{}\" role=img aria-label=\"mean of the largest distance after each step\">\n",
        WIDTH + 70.0,
        HEIGHT + 40.0
    );
    for mark in [0.0, 0.5, 1.0] {
        let at = y(mark);
        let _ = writeln!(
            text,
            "<line class=axis x1=40 x2=\"{}\" y1=\"{at}\" y2=\"{at}\" /><text x=8 y=\"{}\">{mark}</text>",
            40.0 + WIDTH,
            at + 4.0
        );
    }
    let points: Vec<_> =
        by_step.iter().enumerate().map(|(step, it)| format!("{:.1},{:.1}", x(step), y(*it))).collect();
    let _ = writeln!(text, "<polyline class=curve points=\"{}\" />", points.join(" "));
    for (step, distance) in by_step.iter().enumerate() {
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=3><title>{distance:.3}</title></circle><text x=\"{:.1}\" y=\"{}\">{}</text>",
            x(step),
            y(*distance),
            x(step) - 4.0,
            HEIGHT + 30.0,
            step + 1
        );
    }
    text + "</svg><figcaption>Mean of the largest distance after each step of the search.</figcaption></figure>\n"
}

fn side_by_side(pair: &AttackedPair) -> String {
    let steps = if pair.steps.is_empty() { "nothing applies".to_owned() } else { pair.steps.join(", ") };
    format!(
        "<h3>Row {}: similarity {:.3}</h3>\n<p class=soft>{} ({})</p>\n<div class=pair><pre>{}</pre><pre>{}</pre></div>\n",
        pair.row,
        pair.similarity,
        escaped(&steps),
        pair.verified.name(),
        escaped(&pair.original),
        escaped(&pair.variant)
    )
}

#[cfg(test)]
mod tests {
    use familiar_engine::verify::Verified;

    use super::super::result::Distance;
    use super::*;

    #[test]
    fn names_and_code_become_no_markup() {
        const MARK: &str = "<script>alert(1)</script>";
        let strength =
            TransformationStrength { name: MARK, applicable: 1, tested: 0, correct: 0, distance: 0.5 };
        let pair = AttackedPair {
            row: 1,
            lang: "python",
            similarity: 0.5,
            cosine: None,
            steps: vec![MARK],
            verified: Verified::NotRun,
            original: MARK.to_owned(),
            variant: MARK.to_owned(),
        };
        let result = AttackResult {
            schema: AttackResult::SCHEMA,
            detector: MARK.to_owned(),
            set: MARK.to_owned(),
            beam: 1,
            steps: 1,
            seed: 0,
            programs: 1,
            worst_case_distance: Distance::default(),
            worst_case_cosine_distance: None,
            threshold: 0.5,
            below_threshold: 0.0,
            by_step: vec![0.5],
            by_transformation: vec![strength],
            tried: 1,
            tested: 0,
            correct: 0,
            failure: Some(MARK.to_owned()),
            pairs: vec![pair],
            skipped: Vec::new(),
        };
        let mut page = Vec::new();
        result.write_html(&mut page).expect("it is written");
        let page = String::from_utf8(page).expect("text");
        assert!(!page.contains("<script") && page.matches("&lt;script&gt;").count() == 8, "{page}");
    }
}

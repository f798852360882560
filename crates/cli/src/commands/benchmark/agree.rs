//! `familiar benchmark agree`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Context as _;
use familiar_dataset::Project;
use familiar_dataset::judge::{self, Exchange, Report, Stratum};
use familiar_judging::agreement::Agreement;
use familiar_judging::proportions::{Rate, sample_size};
use familiar_source::time;
use familiar_source::words::counted;

use super::said;
use crate::common::{Writing, choice};
use crate::formats::TextOrJson;

/// Say how far the judges are, and how much they agree.
///
/// Agreement counts pairs that several people judged without seeing what the others say: Cohen's kappa of the first two, Fleiss' kappa and
/// Krippendorff's alpha, with intervals of 95 %. They are given by language, group, month, kind and prompt, and of a sample by type,
/// measure and stratum. --export writes the judgements, or the pairs for ValidateClones. --import adds judgements: CSV, JSON lines, or verdicts of ValidateClones.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Write the judgements as csv or jsonl, or the pairs as validate-clones
    #[arg(long, value_name = "FORM", value_parser = choice(EXCHANGES), conflicts_with = "import")]
    export: Option<Exchange>,
    /// Add the judgements of this file; its ending is .csv or .jsonl, and any other one means verdicts of ValidateClones
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// The judge of these verdicts of ValidateClones
    #[arg(long, value_name = "JUDGE", requires = "import")]
    judge: Option<String>,
    /// Test whether the shares of true pairs differ in two strata, such as kind=type3,kind=type4
    #[arg(long, value_name = "A,B", value_parser = two, conflicts_with_all = ["import", "export"])]
    compare: Option<(String, String)>,
    /// Compare the shares of pairs to which most of their judges gave this label, not of true ones
    #[arg(long, value_name = "LABEL", requires = "compare")]
    label: Option<String>,
    /// Say how many pairs each of two groups needs to find a difference of this effect size (Cohen's h: 0.2 is small, 0.5 medium, 0.8
    /// large), at a significance of 0.05 with a power of 80 %
    #[arg(long, value_name = "H", conflicts_with_all = ["import", "export", "compare"])]
    sample_size: Option<f64>,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark agree clones2
  familiar benchmark agree clones2 --compare kind=type3,kind=type4
  familiar benchmark agree clones2 --sample-size 0.5
  familiar benchmark agree clones2 --export csv --output judgements.csv
  familiar benchmark agree clones2 --import verdicts.txt --judge ada";

const EXCHANGES: [(&str, Exchange); 3] =
    [("csv", Exchange::Csv), ("jsonl", Exchange::Jsonl), ("validate-clones", Exchange::ValidateClones)];

fn two(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once(',').filter(|(one, other)| !one.is_empty() && !other.is_empty());
    let parts = parts.ok_or("give two strata with a comma between them, such as group=1,group=2")?;
    Ok((parts.0.to_owned(), parts.1.to_owned()))
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    if let Some(effect) = arguments.sample_size {
        let size = sample_size(effect, 0.05, 0.8).context("--sample-size")?;
        return said::write(&arguments.writing, &serde_json::json!({"pairs_a_group": size}), |out| {
            writeln!(out, "{} in each of two groups", counted(size, "pair"))
        });
    }
    if let Some(form) = arguments.export {
        let target = arguments.writing.target();
        target.check()?;
        return target.try_write(|out| Ok(judge::export(&project, form, out)??));
    }
    if let Some(file) = &arguments.import {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = time::utc(i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
        let result = judge::import(&project, file, arguments.judge.as_deref(), &now)?;
        return said::say(&arguments.writing, &result, |out| {
            writeln!(out, "{} added, {} known", counted(result.rows, "judgement"), result.known)?;
            for (rows, of) in
                [(result.unknown, "unknown pairs"), (result.changed, "pairs whose code has changed")]
            {
                if rows > 0 {
                    writeln!(out, "{} of {of} left out", counted(rows, "row"))?;
                }
            }
            Ok(())
        });
    }
    let mut report = judge::report(&project)?;
    if let Some((one, other)) = &arguments.compare {
        report.difference = Some(judge::compare(&report, one, other, arguments.label.as_deref())?);
    }
    said::write(&arguments.writing, &report, |out| text(out, &report))
}

fn text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    said::listed(out, "pair", report.states.iter().map(|(name, count)| (*name, *count)))?;
    writeln!(
        out,
        "{:.1} hours; agreement is of {} that several people judged by themselves",
        report.hours,
        counted(report.independent, "pair")
    )?;
    for line in &report.judges {
        let last = line.last.as_deref().unwrap_or("never");
        writeln!(
            out,
            "  {:<20} {:>7} judged {:>7} waiting {:>7.1} hours, last {last}",
            line.judge, line.judged, line.waiting, line.hours
        )?;
    }
    writeln!(
        out,
        "{:<28} {:>13} {:>22} {:>22} {:>22} {:>22}",
        "stratum", "judged", "true", "Cohen's kappa", "Fleiss' kappa", "Krippendorff's alpha"
    )?;
    for Stratum { name, pairs, rate, cohen, fleiss, krippendorff, .. } in &report.strata {
        let judged = format!("{} of {pairs}", rate.of);
        let [cohen, fleiss, krippendorff] = [cohen, fleiss, krippendorff].map(|it| coefficient(it.as_ref()));
        writeln!(
            out,
            "{name:<28} {judged:>13} {:>22} {cohen:>22} {fleiss:>22} {krippendorff:>22}",
            share(rate)
        )?;
    }
    shares_of_labels(out, &report.strata)?;
    for (label, rate) in &report.labels {
        writeln!(out, "label {label}: {} of {} judgements, {}", rate.count, rate.of, share(rate))?;
    }
    if report.strangers > 0 {
        writeln!(
            out,
            "{} of pairs that are not there any more, or of other code, left out",
            counted(report.strangers, "judgement")
        )?;
    }
    if let Some(it) = &report.difference {
        let (one, other) = (share(&it.one), share(&it.other));
        writeln!(out, "{one} and {other}: chi square {:.3}, p {:.4}", it.chi_square, it.p)?;
    }
    Ok(())
}

/// The pairs of each stratum to which most of their judges gave a label.
fn shares_of_labels(out: &mut dyn Write, strata: &[Stratum]) -> io::Result<()> {
    let Some(all) = strata.first().filter(|all| !all.labels.is_empty()) else { return Ok(()) };
    write!(out, "{:<28}", "label")?;
    for label in all.labels.keys() {
        write!(out, " {label:>22}")?;
    }
    writeln!(out)?;
    for Stratum { name, labels, .. } in strata.iter().filter(|it| it.rate.of > 0) {
        write!(out, "{name:<28}")?;
        for rate in labels.values() {
            write!(out, " {:>22}", share(rate))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn coefficient(of: Option<&Agreement>) -> String {
    of.map_or_else(|| "-".to_owned(), |it| format!("{:.3} ({:.3}, {:.3})", it.value, it.low, it.high))
}

fn share(rate: &Rate) -> String {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    rate.share.map_or_else(
        || "-".to_owned(),
        |share| format!("{} % ({}, {})", percent(share), percent(rate.low), percent(rate.high)),
    )
}

//! `familiar benchmark prompts`.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use familiar_dataset::Project;
use familiar_dataset::generate::GenerateOptions;
use familiar_dataset::study::{self, Study, StudyRow};

use familiar_source::words::counted;

use super::said;
use crate::asking::{Asking, forecast_text, spent_text};
use crate::common::Common;
use crate::formats::TextOrJson;

/// List the prompts, or compare what they give.
///
/// With --study, some seeds of each language are asked about with each prompt, and the mean similarity of the implementations to their
/// seeds is printed for each prompt and language, with 95 % intervals. The lower it is, the better for semantic clones.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Compare the prompts
    #[arg(long, requires = "llm")]
    study: bool,
    /// Seeds of each language that take part in the study
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: usize,
    /// The model: the URL of a server that speaks OpenAI's protocol, up to /chat/completions, and the name of the model
    #[arg(long, value_name = "URL#MODEL")]
    llm: Option<String>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark prompts clones2
  familiar benchmark prompts clones2 --study --llm http://localhost:11434/v1#qwen2.5-coder";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    if arguments.study {
        return compare(arguments, &project);
    }
    said::write(&arguments.common.writing, &project.prompts, |out| {
        for prompt in &project.prompts {
            let times = match prompt.repeats {
                0 => "in the study only".to_owned(),
                1 => "asked once".to_owned(),
                times => format!("asked {times} times"),
            };
            writeln!(out, "{}: {}, {times}", prompt.name, counted(prompt.variants as u64, "implementation"))?;
        }
        Ok(())
    })
}

fn compare(arguments: &Arguments, project: &Project) -> anyhow::Result<()> {
    let options = GenerateOptions {
        model: arguments.llm.clone().context("--study needs a model; give --llm URL#MODEL")?,
        connection: arguments.asking.connection()?,
        chat: arguments.asking.chat(),
        prompts: Vec::new(),
    };
    if arguments.asking.forecast {
        let (forecast, spent) = study::forecast(project, &options, arguments.seeds)?;
        writeln!(io::stdout(), "{}\n{}", forecast_text(&forecast), spent_text(&spent))?;
        return Ok(());
    }
    let bar = arguments.common.bar();
    bar.begin("asking the model");
    let study = study::run(project, &options, arguments.seeds)?;
    bar.finish();
    said::write(&arguments.common.writing, &study, |out| table(out, &study))
}

fn table(out: &mut dyn io::Write, study: &Study) -> io::Result<()> {
    writeln!(
        out,
        "{:<24} {:<12} {:>6} {:>16} {:>18}",
        "prompt", "language", "seeds", "implementations", "similarity"
    )?;
    for StudyRow { prompt, lang, seeds, implementations, similarity, interval } in &study.rows {
        let share = |value: &f64| format!("{:.1} %", value * 100.0);
        let similarity = similarity.as_ref().map_or_else(|| "-".to_owned(), share);
        let interval = interval.as_ref().map(|it| format!(" ± {:.1}", it * 100.0)).unwrap_or_default();
        let figure = format!("{similarity}{interval}");
        writeln!(out, "{prompt:<24} {lang:<12} {seeds:>6} {implementations:>16} {figure:>18}")?;
    }
    Ok(())
}

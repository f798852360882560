//! `familiar benchmark generate`.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use familiar_dataset::Project;
use familiar_dataset::generate::{self, GenerateOptions, GenerateResult};
use familiar_report::printable;
use familiar_source::words::counted;

use super::said;
use crate::asking::{Asking, forecast_text, spent_text};
use crate::common::Common;
use crate::formats::TextOrJson;

/// Ask a language model for implementations of the seeds.
///
/// Every request and its reply go to requests.jsonl. After a kill, the same command asks only what was not answered. The key of the
/// server is in FAMILIAR_API_KEY. How often each prompt is asked stands in its file.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// The model: the URL of a server that speaks OpenAI's protocol, up to /chat/completions, and the name of the model
    #[arg(long, value_name = "URL#MODEL")]
    llm: String,
    /// Only these prompts
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    prompt: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

/// So many reasons are shown why answers are of no use.
const REASONS: usize = 3;

const EXAMPLES: &str = "\
Examples:
  familiar benchmark generate clones2 --llm http://localhost:11434/v1#qwen2.5-coder
  familiar benchmark generate clones2 --llm https://api.example.org/v1#large --forecast --price 1.25,10
  familiar benchmark generate clones2 --llm https://api.example.org/v1#large --price 1.25,10 --max-cost 20";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let options = GenerateOptions {
        model: arguments.llm.clone(),
        connection: arguments.asking.connection()?,
        chat: arguments.asking.chat(),
        prompts: arguments.prompt.clone(),
    };
    if arguments.asking.forecast {
        let (forecast, spent) = generate::forecast(&project, &options)?;
        writeln!(io::stdout(), "{}\n{}", forecast_text(&forecast), spent_text(&spent))?;
        return Ok(());
    }
    let bar = arguments.common.bar();
    bar.begin("asking the model");
    let result = generate::run(&project, &options, &mut |done, of, spent| {
        bar.say(&format!("{done} of {of} requests, {}", spent_text(&spent)));
    })?;
    bar.finish();
    said::say(&arguments.common.writing, &result, |out| {
        writeln!(out, "{} to {}", counted(result.replies, "reply"), counted(result.requests, "request"))?;
        failures(out, &result)?;
        if result.unanswered > 0 {
            let left = counted(result.unanswered, "request");
            writeln!(out, "{left} without an answer: run it without --replay")?;
        }
        writeln!(out, "{}", spent_text(&result.spent))
    })
}

/// Why answers are of no use: the reasons that most of them have.
fn failures(out: &mut dyn Write, result: &GenerateResult) -> io::Result<()> {
    let mut reasons: Vec<(&String, u64)> = result.failures.iter().map(|(why, count)| (why, *count)).collect();
    reasons.sort_by_key(|(_, count)| Reverse(*count));
    let mut left = result.failed;
    for (reason, count) in reasons.into_iter().take(REASONS) {
        left -= count;
        writeln!(out, "{} of no use: {}", counted(count, "answer"), printable(reason))?;
    }
    if left > 0 {
        writeln!(out, "{} of no use for other reasons", counted(left, "answer"))?;
    }
    Ok(())
}

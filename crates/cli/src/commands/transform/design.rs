//! `familiar transform design`: transformations that a language model designs.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use familiar_design::{DesignOptions, News};
use familiar_evaluate::Selection;
use familiar_report::printable;
use familiar_source::words::counted;

use crate::asking::{ASKING, Asking, forecast_text, spent_text};
use crate::common::{Quiet, Resources, Watching};
use crate::notes::Notes;
use crate::{programs, values};

/// Let a language model design transformations, and keep the best implementation of each.
///
/// The model is asked for one transformation after another, each with five example programs and with the list of those before. For
/// each it is asked for several implementations: programs that read a program and print one. These run in a sandbox over
/// validation programs with tests. The reward is the mean of A · L: A is 1 where the new program passes the tests, and L is 1 minus
/// what the detector says of both. The best implementation is kept in DIR/NAME, and `--set DIR` of transform and attack takes
/// all of DIR.
///
/// Every request and its reply go to DIR/requests.jsonl. After a kill, the same command asks only what was not answered. The key of the
/// server is in FAMILIAR_API_KEY.
///
/// A fifth of the problems of FILE give the examples, others the validation programs. To attack programs that the model has not seen,
/// take --one-of N here, and --but-one-of N with attack.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Python programs with tests: JSON lines, plain or .zst, with code, lang and test
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The model: the URL of a server that speaks OpenAI's protocol, up to /chat/completions, and the name of the model
    #[arg(long, value_name = "URL#MODEL")]
    llm: String,
    /// The folder of the project
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// Transformations that are wanted
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
    /// Implementations of each, of which the best is kept
    #[arg(long, value_name = "N", default_value_t = 20)]
    implementations: usize,
    /// Validation programs, at most
    #[arg(long, value_name = "N", default_value_t = 250)]
    programs: usize,
    /// Who says how far a new program is from the old one; as in `familiar attack`
    #[arg(long, value_name = "NAME", default_value = "token-overlap")]
    detector: String,
    /// Decides which programs are drawn; it is sent to the model, too
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Run programs with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,

    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    design: Design,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

/// How the model is asked, besides what every command that asks one has.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = ASKING)]
struct Design {
    /// Tokens of a reply, at most
    #[arg(long, value_name = "N", default_value_t = 8192)]
    max_tokens: u64,
    /// Temperature of requests for a transformation
    #[arg(long, value_name = "NUMBER", default_value_t = 0.1)]
    design_temperature: f64,
    /// Temperature of requests for an implementation
    #[arg(long, value_name = "NUMBER", default_value_t = 0.8)]
    temperature: f64,
    /// Example programs of a request
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: usize,
}

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Rows of the file")]
struct Rows {
    /// The field that names the problem of a program [default: problem_id, or id in rows without it]
    #[arg(long, value_name = "FIELD")]
    group: Option<String>,
    /// Use only rows in which a field has this value, such as split=train. May be repeated
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = values::condition)]
    conditions: Vec<(String, String)>,
    /// Use only one problem in N, chosen by a hash of its name (XXH3 modulo N is 0)
    #[arg(long, value_name = "N")]
    one_of: Option<NonZeroU64>,
}

const EXAMPLES: &str = "\
Examples:
  familiar transform design solutions.jsonl --one-of 4 --llm http://localhost:11434/v1#qwen2.5-coder --output designed
  familiar transform design solutions.jsonl --one-of 4 --llm https://api.example.org/v1#large --output designed \\
      --price 1.25,10 --max-cost 20
  familiar transform design solutions.jsonl --one-of 4 --llm https://api.example.org/v1#large --output designed --replay
  familiar attack solutions.jsonl --but-one-of 4 --set designed/ --detector token-overlap";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let options = arguments.options()?;
    let notes = Notes { quiet: arguments.quiet.quiet };
    if arguments.asking.forecast {
        let (forecast, spent) = familiar_design::forecast(&options)?;
        writeln!(io::stdout(), "{}\n{}", forecast_text(&forecast), spent_text(&spent))?;
        return Ok(ExitCode::SUCCESS);
    }
    let bar = arguments.watching.bar(arguments.quiet.quiet);
    let result = familiar_design::run(&options, &|news| {
        if let Some(stage) = stage(&news) {
            return bar.say(&stage);
        }
        bar.finish();
        if let Some(line) = line(&news) {
            notes.say(&line);
        }
        bar.begin("asking the model");
    });
    bar.finish();
    let result = result?;
    let missing = options.count - result.designs.len().min(options.count);
    if missing > 0 {
        notes.warn(&format!(
            "the model designed {} and no more; {missing} are missing after {}",
            counted(result.designs.len() as u64, "transformation"),
            counted(result.asked.requests, "request")
        ));
    }
    result.write_text(&mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn options(&self) -> anyhow::Result<DesignOptions> {
        let Design { design_temperature, temperature, examples, max_tokens } = self.design;
        for (flag, number) in [("--design-temperature", design_temperature), ("--temperature", temperature)] {
            if !(0.0..=2.0).contains(&number) {
                bail!("{flag} {number} is out of range: give a number from 0 to 2");
            }
        }
        let at_least_one = [
            ("--count", self.count as u64),
            ("--implementations", self.implementations as u64),
            ("--programs", self.programs as u64),
            ("--examples", examples as u64),
            ("--max-tokens", max_tokens),
        ];
        if let Some((flag, _)) = at_least_one.iter().find(|(_, number)| *number == 0) {
            bail!("{flag} 0 is out of range: give a number above 0");
        }
        let threads = self.resources.threads();
        Ok(DesignOptions {
            data: self.file.clone(),
            selection: Selection {
                group_otherwise: self.rows.group.is_none().then(|| "id".to_owned()),
                group: self.rows.group.clone().unwrap_or_else(|| Selection::default().group),
                filters: self.rows.conditions.clone(),
                one_of: self.rows.one_of,
                ..Selection::default()
            },
            model: self.llm.clone(),
            connection: self.asking.connection()?,
            chat: self.asking.chat(),
            folder: self.output.clone(),
            count: self.count,
            implementations: self.implementations,
            examples,
            programs: self.programs,
            design_temperature,
            temperature,
            max_tokens,
            seed: self.seed,
            detector: programs::detector(&self.detector, 60, threads)?,
            unsandboxed: self.unsandboxed,
            threads,
            memory: self.resources.memory(),
        })
    }
}

/// What is shown while it is so.
fn stage(news: &News<'_>) -> Option<String> {
    match news {
        News::Implemented { title, done, of, spent } => {
            Some(format!("{}: {done} of {of} implementations, {}", printable(title), spent_text(spent)))
        }
        News::Tested { title, programs, of } => {
            Some(format!("{}: tested on {programs} of {of} programs", printable(title)))
        }
        _ => None,
    }
}

/// What is said once.
fn line(news: &News<'_>) -> Option<String> {
    match news {
        News::Drawn { examples, programs } => Some(format!(
            "{} and {}",
            counted(*examples as u64, "example program"),
            counted(*programs as u64, "validation program")
        )),
        News::Forecast { forecast, spent } => {
            Some(format!("{}; {}", forecast_text(forecast), spent_text(spent)))
        }
        News::Asked { designs, of, title, spent } => {
            let title = title
                .map_or("a reply without a new transformation".to_owned(), |it| printable(it).to_string());
            Some(format!("designed {designs} of {of}: {title}; {}", spent_text(spent)))
        }
        News::Rewarded { title, reward, designs, of, spent } => {
            let reward =
                reward.map_or("no implementation is of use".to_owned(), |it| format!("reward {it:.3}"));
            Some(format!(
                "implemented {designs} of {of}: {}: {reward}; {}",
                printable(title),
                spent_text(spent)
            ))
        }
        News::Implemented { .. } | News::Tested { .. } => None,
    }
}

//! `familiar license`: under which licenses code stands, and who says so.

use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use familiar_corpus::dir::WalkOptions;
use familiar_engine::license::{self, LicenseError, LicenseInput, LicenseOptions, LicenseRest};
use familiar_report::Format;
use familiar_report::license::{LicenseWriter, LicensedFile};

use super::find::Notes;
use crate::html::{self, HtmlTarget};
use crate::output::Target;
use crate::progress::{Bar, When};
use crate::values::{self, LicenseFormat};

/// Tell the licenses of files and packages, with everything that speaks for them.
///
/// Every file of text is read, code or not. What speaks for a file counts in this order: a person's conclusion (familiar.toml),
/// REUSE.toml that overrides, SPDX tags of snippets, of the file and in FILE.license, texts and notices in the file,
/// REUSE.toml, DEP-5 (.reuse/dep5, debian/copyright), LICENSE or COPYING of the nearest folder of the file's package, the
/// package's metadata, the terms of the platform where it was posted. All of them are shown, and where they disagree. License
/// files and metadata do not speak beyond the package that they stand in, nor for vendored folders; a workspace's license files
/// do for members without any.
///
/// What this tells is what the files say, no legal advice.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A folder or a file, or any source that `familiar corpus add` takes (archive:, pypi:, npm:, crate:, stackexchange:,
    /// …); of a repository (git:), the files at its HEAD
    #[arg(value_name = "PATH")]
    path: String,

    /// text, json, ndjson (a file a line), csv (a layer a line), html (pages to browse) [default: text]
    #[arg(long, value_name = "NAME", value_parser = values::license_format, help_heading = OUTPUT)]
    format: Option<LicenseFormat>,
    /// Write to a file, whole or not at all; html to a folder, or to one page where the name ends in .html
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Give the lines that say something in the file, too
    #[arg(long, help_heading = OUTPUT)]
    license_text: bool,
    /// Do not say which files are left out; text and json have them in the result
    #[arg(long, help_heading = OUTPUT)]
    quiet: bool,
    /// Show progress on stderr: auto (on a terminal), always, never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = values::progress, help_heading = OUTPUT)]
    progress: Option<When>,

    /// Leave out paths that match, as in .gitignore (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    exclude: Vec<String>,
    /// Read what .gitignore leaves out, too
    #[arg(long, help_heading = INPUT)]
    no_ignore: bool,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = INPUT)]
    threads: Option<usize>,
}

const OUTPUT: &str = "Output";
const INPUT: &str = "What is read";

const EXAMPLES: &str = "\
Examples:
  familiar license .
      Every file with all that speaks for it, then the licenses by number of files
  familiar license src/parser.py
      One file; what the git work tree around it says counts, too
  familiar license pypi:requests --format json --output requests.json
  familiar license git:https://github.com/owner/name
      The files at HEAD, without a clone
  familiar license . --format html --output licenses
      Pages to browse: open licenses/index.html
  familiar license vendor --format csv
      One layer a line, for a table

A conclusion of your own goes to familiar.toml in the folder or above it:
  [[license.concluded]]
  path = \"vendor/tiny/**\"
  expression = \"MIT\"
  reason = \"asked the author, mail of 3 May\"";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match arguments.format.unwrap_or(LicenseFormat::Stream(Format::Text)) {
        LicenseFormat::Stream(format) => run_stream(arguments, format),
        LicenseFormat::Html => run_html(arguments),
    }
}

fn run_stream(arguments: &Arguments, format: Format) -> anyhow::Result<ExitCode> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let notes = Notes { quiet: arguments.quiet };
    let reader = Reader::open(arguments, false)?;
    let written = target.write(|out| {
        let mut writer = LicenseWriter::start(format, out)?;
        let rest = reader.read(&mut |file| writer.file(file))?;
        if matches!(format, Format::Ndjson | Format::Csv) {
            rest.skipped.iter().for_each(|skip| notes.left_out(&skip.path, &skip.reason));
        }
        writer.end(&rest.packages, &rest.skipped)
    });
    reader.finish(written)
}

fn run_html(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = HtmlTarget::new(arguments.output.as_deref().context(html::NEEDS_PLACE)?);
    target.check()?;
    let reader = Reader::open(arguments, true)?;
    let written = target.write_licenses(&arguments.path, |mut pages| {
        let rest = reader.read(&mut |file| pages.file(file))?;
        pages.end(&rest.packages, &rest.skipped)
    });
    reader.finish(written)
}

/// Reads the input while a result is written, and keeps why that failed.
struct Reader {
    input: LicenseInput,
    options: LicenseOptions,
    progress: Bar,
    failed: RefCell<Option<LicenseError>>,
}

impl Reader {
    /// `shown` where the files' texts are asked for, too.
    fn open(arguments: &Arguments, shown: bool) -> anyhow::Result<Self> {
        let threads = arguments.threads.unwrap_or(0);
        let walk =
            WalkOptions { exclude: arguments.exclude.clone(), no_ignore: arguments.no_ignore, threads };
        let input = LicenseInput::open(&arguments.path, &walk)?;
        let text = arguments.license_text;
        let options = LicenseOptions { walk, text, shown, threads, ..LicenseOptions::default() };
        let progress = Bar::new(arguments.progress.unwrap_or_default(), arguments.quiet);
        Ok(Self { input, options, progress, failed: RefCell::default() })
    }

    fn read(&self, each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>) -> io::Result<LicenseRest> {
        match license::run(&self.input, &self.options, &self.progress, each) {
            Ok(rest) => Ok(rest),
            Err(LicenseError::Output(error)) => Err(error),
            Err(error) => {
                *self.failed.borrow_mut() = Some(error);
                Err(io::Error::other("the input cannot be read"))
            }
        }
    }

    fn finish(self, written: anyhow::Result<()>) -> anyhow::Result<ExitCode> {
        self.progress.finish();
        match self.failed.into_inner() {
            Some(error) => Err(error.into()),
            None => written.map(|()| ExitCode::SUCCESS),
        }
    }
}

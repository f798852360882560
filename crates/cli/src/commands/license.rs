//! `familiar license`: under which licenses code stands, and who says so.

use std::cell::{Cell, RefCell};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use familiar_audit::license::{self, LicenseError, LicenseInput, LicenseOptions, LicenseSummary};
use familiar_engine::Progress;
use familiar_files::dir::WalkOptions;
use familiar_report::Format;
use familiar_report::license::{LicenseWriter, LicensedFile};

use crate::common::{Common, OUTPUT};
use crate::formats::LicenseFormat;
use crate::html::{self, HtmlTarget};
use crate::notes::Notes;
use crate::progress::Bar;
use crate::settings;

/// Show the licenses of files and packages, with the evidence for each.
///
/// Every text file is read, whether it is code or not. Statements about the license of a file count in this order: a conclusion
/// that a person wrote into familiar.toml; REUSE.toml with precedence "override"; SPDX tags of snippets, of the file, and in FILE.license;
/// license texts and notices in the file; other entries of REUSE.toml; DEP-5 files (.reuse/dep5, debian/copyright); LICENSE or
/// COPYING in the nearest folder of the file's package; the metadata of the package; the terms of the platform where the code was
/// posted. The result shows all statements, also those that disagree. License files and metadata apply only to the package in which they
/// stand, and not to vendored folders. The license files of a workspace also apply to its members that have none.
///
/// The result repeats what the files say. It is not legal advice.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A folder, a file, or any source that `familiar corpus add` takes (archive:, pypi:, npm:, crate:, stackexchange:,
    /// …). Of a repository (git:), the files at its HEAD are read
    #[arg(value_name = "PATH")]
    path: String,

    /// Also show the lines in which a file says something about its license
    #[arg(long, help_heading = OUTPUT)]
    license_text: bool,

    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    exclude: Vec<String>,
    /// Also read files that .gitignore leaves out
    #[arg(long, help_heading = INPUT)]
    no_ignore: bool,

    #[command(flatten)]
    common: Common<LicenseFormat>,
}

const INPUT: &str = "What is read";

const EXAMPLES: &str = "\
Examples:
  familiar license .
      A summary, then every file with all statements about its license
  familiar license src/parser.py
      One file. What the rest of its git work tree says also counts
  familiar license pypi:requests --format json --output requests.json
  familiar license git:https://github.com/owner/name
      The files at HEAD, without a clone on this machine
  familiar license . --format html --output licenses
      Pages to browse: open licenses/index.html
  familiar license vendor --format csv
      One row for each statement, for a table

You can write down a conclusion of your own in a familiar.toml in the folder or above it:
  [[license.concluded]]
  path = \"vendor/tiny/**\"
  expression = \"MIT\"
  reason = \"asked the author, mail of 3 May\"";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match arguments.common.writing.format() {
        LicenseFormat::Stream(format) => run_stream(arguments, format),
        LicenseFormat::Html => run_html(arguments),
    }
}

fn run_stream(arguments: &Arguments, format: Format) -> anyhow::Result<ExitCode> {
    let target = arguments.common.writing.target();
    target.check()?;
    let notes = Notes { quiet: arguments.common.writing.quiet() };
    let reader = Reader::open(arguments, false)?;
    let written = target.write(|out| {
        if format == Format::Text {
            return reader.write_text(out);
        }
        let mut writer = LicenseWriter::start(format, out)?;
        let rest = reader.read(&mut |file| writer.file(file))?;
        if matches!(format, Format::Ndjson | Format::Csv) {
            rest.skipped.iter().for_each(|skip| notes.left_out(&skip.path, &skip.reason));
        }
        writer.end(&rest.packages, &rest.skipped).map(drop)
    });
    reader.finish(written, notes)
}

impl Arguments {
    /// Gives one file after another to `each`, and tells what is left when all are read.
    pub(crate) fn each(
        &self,
        progress: &dyn Progress,
        each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
    ) -> anyhow::Result<LicenseSummary> {
        let (input, options) = self.open(false)?;
        Ok(license::run(&input, &options, progress, each)?)
    }

    /// The input, and how it is read: with the files' texts where `page_text` asks for them.
    fn open(&self, page_text: bool) -> anyhow::Result<(LicenseInput, LicenseOptions)> {
        let (threads, memory) = (self.common.resources.threads(), self.common.resources.memory());
        let walk = WalkOptions { exclude: self.exclude.clone(), no_ignore: self.no_ignore, threads };
        let path = Path::new(self.path.strip_prefix("dir:").unwrap_or(&self.path));
        if path.exists() {
            // What stands under a name that nobody knows would be a conclusion that does not count.
            settings::check_beside(path)?;
        }
        let input = LicenseInput::open(&self.path, &walk)?;
        let text = self.license_text;
        Ok((input, LicenseOptions { walk, text, page_text, threads, ..LicenseOptions::within(memory) }))
    }
}

fn run_html(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let writing = &arguments.common.writing;
    let target = HtmlTarget::new(writing.output.as_deref().context(html::NEEDS_PLACE)?, writing.quiet());
    target.check()?;
    let reader = Reader::open(arguments, true)?;
    let written = target.write_licenses(&arguments.path, |mut pages| {
        let rest = reader.read(&mut |file| pages.file(file))?;
        pages.end(&rest.packages, &rest.skipped)
    });
    reader.finish(written, Notes { quiet: arguments.common.writing.quiet() })
}

/// Reads the input while a result is written, and keeps why that failed.
struct Reader {
    input: LicenseInput,
    options: LicenseOptions,
    progress: Bar,
    files: Cell<u64>,
    failed: RefCell<Option<LicenseError>>,
}

/// Most bytes of a text that are held in memory until its summary is known.
const IN_MEMORY: usize = 8 << 20;

impl Reader {
    /// `shown` where the files' texts are asked for, too.
    fn open(arguments: &Arguments, page_text: bool) -> anyhow::Result<Self> {
        let (input, options) = arguments.open(page_text)?;
        let progress = arguments.common.bar();
        Ok(Self { input, options, progress, files: Cell::default(), failed: RefCell::default() })
    }

    /// Writes a text that begins and ends with a summary where it is long.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut body = tempfile::SpooledTempFile::new(IN_MEMORY);
        let mut buffered = BufWriter::new(&mut body);
        let mut writer = LicenseWriter::start(Format::Text, &mut buffered)?;
        let rest = self.read(&mut |file| writer.file(file))?;
        let ended = writer.end(&rest.packages, &rest.skipped)?;
        buffered.flush()?;
        drop(buffered);
        out.write_all(ended.head.unwrap_or_default().as_bytes())?;
        body.rewind()?;
        io::copy(&mut body, out).map(drop)
    }

    fn read(&self, each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>) -> io::Result<LicenseSummary> {
        let mut counted = |file: &LicensedFile| {
            self.files.set(self.files.get() + 1);
            each(file)
        };
        match license::run(&self.input, &self.options, &self.progress, &mut counted) {
            Ok(rest) => Ok(rest),
            Err(LicenseError::Output(error)) => Err(error),
            Err(error) => {
                *self.failed.borrow_mut() = Some(error);
                Err(io::Error::other("the input cannot be read"))
            }
        }
    }

    fn finish(self, written: anyhow::Result<()>, notes: Notes) -> anyhow::Result<ExitCode> {
        self.progress.finish();
        if let Some(error) = self.failed.into_inner() {
            return Err(error.into());
        }
        written?;
        if self.files.get() == 0 {
            notes.warn("0 files were read; check the path, --exclude and .gitignore");
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! Compares the fragments of the fast path with those of tree-sitter over a tree of real files.
//!
//! A development tool: `familiar-oracle --lang rust DIR` says in how many places the two disagree, and shows some.
#![allow(clippy::print_stdout, reason = "its output is for the terminal")]

mod compare;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use familiar_source::{FragmentKind, Language};
use familiar_syntax::{languages, tree};

/// How well does the fast path agree with tree-sitter?
#[derive(Parser)]
struct Arguments {
    /// The language by name; its file name endings pick the files.
    #[arg(long)]
    lang: String,
    /// Where the files are; a single file will do.
    dir: PathBuf,
    /// Look at this many files only.
    #[arg(long)]
    limit: Option<usize>,
    /// Show this many differences.
    #[arg(long, default_value_t = 20)]
    show: usize,
    /// Compare fragments of these kinds: function, class, block.
    #[arg(long, value_delimiter = ',', default_value = "function")]
    kind: Vec<String>,
    /// Further file name endings, such as `h`.
    #[arg(long)]
    ext: Vec<String>,
    /// Write the numbers and all differences to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Fail where the agreement on a kind is below this percentage.
    #[arg(long)]
    require: Option<f64>,
    /// Measure speed too: tokens alone, and tokens with fragments.
    #[arg(long)]
    speed: bool,
    /// Print the tree of one file instead.
    #[arg(long)]
    tree: bool,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let Some(language) = Language::from_name(&arguments.lang) else {
        bail!("no language is called {}", arguments.lang);
    };
    let Some(grammar) = languages::definition(language).tree else {
        bail!("there is no tree-sitter grammar for {}", language.name());
    };
    let kinds: Option<Vec<_>> = arguments.kind.iter().map(|kind| FragmentKind::from_name(kind)).collect();
    let kinds = kinds.context("no such kind of fragment")?;
    if arguments.tree {
        println!("{}", tree::s_expression(grammar, &std::fs::read(&arguments.dir)?).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    let mut files = files(&arguments.dir, language, &arguments.ext);
    files.truncate(arguments.limit.unwrap_or(usize::MAX));
    let mut counts = compare::Counts::of(&kinds);
    for path in &files {
        let source = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        compare::file(language, grammar, path, &source, &mut counts);
    }
    report::print(language, &counts, arguments.show);
    if arguments.speed {
        report::speed(language, grammar, &files)?;
    }
    if let Some(path) = &arguments.json {
        report::write_json(path, language, &counts)?;
    }
    let least = counts.tallies.iter().map(compare::Tally::agreement).fold(100.0, f64::min);
    let enough = arguments.require.is_none_or(|percent| least >= percent);
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The files of `language` below `dir`, sorted.
fn files(dir: &Path, language: Language, more: &[String]) -> Vec<PathBuf> {
    let extensions = languages::definition(language).extensions;
    let wanted = |path: &Path| {
        path.extension().and_then(|ext| ext.to_str()).is_some_and(|ext| {
            extensions.iter().any(|known| known.eq_ignore_ascii_case(ext))
                || more.iter().any(|known| known == ext)
        })
    };
    if dir.is_file() {
        return vec![dir.to_path_buf()];
    }
    let mut files: Vec<PathBuf> = ignore::WalkBuilder::new(dir)
        .standard_filters(false)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| wanted(path))
        .collect();
    files.sort();
    files
}

//! The pages of the documentation that the program itself writes are those that it writes today.
//!
//! `FAMILIAR_UPDATE_DOCS=1 cargo test -p familiar-cli --lib reference::` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

#[cfg(not(any(feature = "train", feature = "onnx")))]
use clap::CommandFactory as _;
use familiar_syntax::languages::{Definition, others, with_fragments};

/// Compares a page with what it should say, or writes that.
fn check(page: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(page);
    if std::env::var_os("FAMILIAR_UPDATE_DOCS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let differs = found.lines().zip(wanted.lines()).position(|(found, wanted)| found != wanted);
    let line = differs.unwrap_or(found.lines().count().min(wanted.lines().count()));
    assert!(
        found == wanted,
        "docs/reference/{page} is not current from line {} on: {:?} should be {:?}. \
         Run FAMILIAR_UPDATE_DOCS=1 cargo test -p familiar-cli --lib reference::",
        line + 1,
        found.lines().nth(line).unwrap_or_default(),
        wanted.lines().nth(line).unwrap_or_default(),
    );
}

// With other features there are more commands and other texts.
#[cfg(not(any(feature = "train", feature = "onnx")))]
#[test]
fn the_page_of_commands_is_current() {
    let page = crate::commands::completions::markdown(crate::Familiar::command()).expect("a list takes all");
    check("commands.md", &String::from_utf8(page).expect("help is text"));
}

#[test]
fn the_page_of_languages_is_current() {
    let mut page = String::from(LANGUAGES_HEAD);
    table(&mut page, with_fragments());
    page.push_str(LANGUAGES_MIDDLE);
    table(&mut page, others::DEFINITIONS.iter());
    page.push_str(LANGUAGES_END);
    check("languages.md", &page);
}

fn table<'d>(page: &mut String, languages: impl Iterator<Item = &'d Definition>) {
    page.push_str("\n| name | file names | interpreters |\n|---|---|---|\n");
    let mut rows: Vec<String> = languages.map(row).collect();
    rows.sort();
    page.extend(rows);
}

fn row(definition: &Definition) -> String {
    let endings = definition.extensions.iter().map(|ending| format!("`*.{ending}`"));
    let names = definition.file_names.iter().map(|name| format!("`{name}`"));
    let files: Vec<String> = endings.chain(names).collect();
    let interpreters: Vec<String> = definition.interpreters.iter().map(|name| format!("`{name}`")).collect();
    let mut row = String::new();
    let name = definition.language.name();
    writeln!(row, "| `{name}` | {} | {} |", files.join(" "), interpreters.join(" "))
        .expect("a string takes all");
    row
}

const LANGUAGES_HEAD: &str = "\
# Languages

`--lang` takes these names. Familiar knows the language of a file by its ending, by its whole name,
or by the interpreter in its first line. Where languages share an ending, such as `.pp` (Puppet and
Pascal) or `.cls` (Apex, Visual Basic and LaTeX), the content decides. A test keeps this page current
with the program.

## Languages with fragments

Familiar finds files, classes, functions, blocks and runs.
";

const LANGUAGES_MIDDLE: &str = "
## Languages with runs

Familiar finds files and runs. Data and prose, such as JSON and Markdown, are searched only where
`--lang` names them ([what is left out](../left-out.md)).
";

const LANGUAGES_END: &str = "
## Code inside other files

Scripts and styles in HTML, Vue, Svelte and Astro, and the cells of notebooks, are read in their own
language, and compared with files of that language. Lines count from the start of the file that holds
them. Where a notebook keeps several lines of code on one line of its file, each of them counts as a
line. The code blocks of documentation
and of Stack Exchange posts are read in the same way ([the blocks](../formats/corpus.md#blocks-of-code)).
";

//! Who was asked what, for the datasheet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::content::Release;
use crate::error::DatasetError;
use crate::lines;
use crate::project::file;
use crate::reply::Reply;

/// Replies by the model that gave them; those of which nobody says have no name.
pub(super) fn models(release: &Release<'_>) -> Result<BTreeMap<Option<String>, u64>, DatasetError> {
    let mut models: BTreeMap<Option<String>, u64> = BTreeMap::new();
    for (name, step) in [(file::GENERATED, "generate"), (file::IMPORTED, "import")] {
        lines::read(&release.project.path(name), step, &mut |reply: Reply| {
            *models.entry(reply.model).or_default() += 1;
            Ok(())
        })?;
    }
    Ok(models)
}

/// The models, and the words of each prompt that has pairs.
pub(super) fn write(
    out: &mut String,
    release: &Release<'_>,
    models: &BTreeMap<Option<String>, u64>,
) -> std::fmt::Result {
    writeln!(out, "## Who was asked what\n")?;
    writeln!(out, "| model | replies |\n|---|--:|")?;
    for (model, replies) in models {
        let name = model.as_deref().map_or("not known".to_owned(), |it| it.replace('|', "\\|"));
        writeln!(out, "| {name} | {replies} |")?;
    }
    let names: BTreeSet<&str> = release.pairs.iter().map(|pair| pair.prompt.as_str()).collect();
    for name in names {
        match release.project.prompt(name) {
            Some(prompt) => {
                let examples = match prompt.examples.len() {
                    0 => String::new(),
                    examples => format!(", after examples ({examples})"),
                };
                let (text, fence) = (prompt.text.trim(), fence(&prompt.text));
                writeln!(out, "\nThe prompt *{name}*{examples}:\n\n{fence}text\n{text}\n{fence}")?;
            }
            None => writeln!(out, "\nThe words of the prompt *{name}* are not known.")?,
        }
    }
    writeln!(out)
}

/// Tildes around a text, more of them than stand together in it.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    "~".repeat((longest + 1).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_does_not_end_its_own_block() {
        assert_eq!((fence("plain ~ text"), fence("a\n~~~~\nb")), ("~~~".to_owned(), "~~~~~".to_owned()));
    }
}

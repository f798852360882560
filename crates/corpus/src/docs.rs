//! Documentation as a source of code: the code blocks of reStructuredText, Markdown and HTML. Beside them stand the files that
//! speak for its license.

pub(crate) mod markdown;
mod rst;
mod sphinx;

use std::path::PathBuf;

use familiar_license::infer::declares;
use familiar_source::{Occurrence, words};

use crate::block::Block;
use crate::content::{file, file_time, name_of};
use crate::html::pre_blocks;
use crate::tree::{for_each_file, read_file};
use crate::{Found, Item, LanguageHint, Limits, Sink, Source, SourceError};
use familiar_files::bounded::too_large;
use familiar_files::dir::WalkOptions;
use sphinx::Defaults;

/// Blocks with fewer lines that are not blank are left out.
const LEAST_LINES: usize = 2;

/// A folder of documents, or one document. Each block of code is an item: its path is the document's, its first line the
/// one in the document where the code starts. Of a session at Python's prompt, what was typed is the code. A file that speaks for
/// the license of others is an item too. Files of other kinds are skips.
#[derive(Clone, Debug)]
pub struct Docs {
    pub root: PathBuf,
    pub walk: WalkOptions,
}

impl Source for Docs {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let project = name_of(&self.root);
        let mut defaults = Defaults::new(&self.root);
        for_each_file(&self.root, &self.walk, sink, |document, _, sink| {
            let path = document.path.as_str();
            let (kind, declares) = (kind_of(path), declares(path));
            let found = if kind.is_none() && !declares {
                Err("it is not reStructuredText, Markdown or HTML".to_owned())
            } else {
                match read_file(&document.file, limits) {
                    Ok((Some(bytes), time)) => {
                        let blocks = kind.map_or_else(Vec::new, |kind| {
                            kind.blocks(&String::from_utf8_lossy(&bytes), || defaults.of(&document.file))
                        });
                        let mut found = items(blocks, &project, path, time);
                        if declares {
                            found.insert(0, declaration(&project, path, bytes, time));
                        }
                        Ok(found)
                    }
                    Ok((None, _)) => Err(too_large(limits.item_bytes)),
                    Err(error) => Err(words::unread(&error)),
                }
            };
            let found = found.unwrap_or_else(|reason| vec![Found::Skip { path: path.to_owned(), reason }]);
            found.into_iter().try_for_each(sink)
        })
    }

    fn exclude(&self) -> &[String] {
        &self.walk.exclude
    }

    fn no_ignore(&self) -> bool {
        self.walk.no_ignore
    }
}

#[derive(Clone, Copy)]
enum Kind {
    ReStructuredText,
    Markdown,
    Html,
}

impl Kind {
    /// The blocks of a document; `default` is what Sphinx takes its literal blocks for.
    fn blocks(self, text: &str, default: impl FnOnce() -> LanguageHint) -> Vec<Block> {
        match self {
            Self::ReStructuredText => rst::blocks(text, default()),
            Self::Markdown => markdown::blocks(text),
            Self::Html => pre_blocks(text),
        }
    }
}

fn kind_of(path: &str) -> Option<Kind> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "rst" | "rest" => Kind::ReStructuredText,
        "md" | "markdown" | "mdx" | "rmd" => Kind::Markdown,
        "html" | "htm" | "xhtml" => Kind::Html,
        _ => return None,
    })
}

/// A file that is there for what it says of licenses.
fn declaration(project: &str, path: &str, bytes: Vec<u8>, time: Option<i64>) -> Found {
    match file(project, path.to_owned(), bytes, time) {
        Found::Item(item) => Found::Item(Item { language: LanguageHint::Declaration, ..item }),
        other => other,
    }
}

fn items(blocks: Vec<Block>, project: &str, path: &str, time: Option<i64>) -> Vec<Found> {
    let (time, evidence) = file_time(time);
    let blocks = blocks.into_iter().filter(|block| block.lines() >= LEAST_LINES);
    let item = |block: Block| {
        let occurrence = Occurrence {
            project: project.to_owned(),
            path: path.to_owned(),
            first_line: block.first_line,
            first_seen: time,
            last_seen: time,
            evidence,
            ..Occurrence::default()
        };
        Found::Item(Item::new(block.code.into_bytes(), block.language, occurrence))
    };
    blocks.map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::tests::{all, summaries};

    #[test]
    fn every_kind_of_document_gives_its_blocks() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path().join("manual");
        std::fs::create_dir_all(&root).expect("just made");
        for (name, text) in [
            ("a.rst", "So::\n\n  a\n  b\n\nOne line::\n\n  left out\n"),
            ("b.md", "```c\nint x;\nint y;\n```\n"),
            ("c.html", "<pre>x\ny</pre>"),
            ("d.png", "no document"),
            ("LICENSE", "MIT License"),
        ] {
            std::fs::write(root.join(name), text).expect("just made");
        }
        let found = all(&Docs { root, walk: WalkOptions::default() }, &Limits::default());
        let expected = [
            "LICENSE=MIT License",
            "a.rst=a\nb\n",
            "b.md=int x;\nint y;\n",
            "c.html=x\ny\n",
            "d.png!it is not reStructuredText, Markdown or HTML",
        ];
        assert_eq!(summaries(&found), expected);
        let [Found::Item(license), Found::Item(item), ..] = &found[..] else { panic!("items") };
        assert!(license.declares() && !item.declares());
        assert_eq!((item.occurrence.project.as_str(), item.occurrence.first_line), ("manual", 3));
    }
}

//! The Stack Exchange data dump as a source of code: the code blocks of the posts in `Posts.xml`.
//!
//! The file is read row by row, so that its size does not matter. A block of code is what stands in `<pre>` in a post; code
//! within a sentence is left out.

mod languages;
mod row;

use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use familiar_source::{Evidence, Language, Occurrence};
use quick_xml::Reader;
use quick_xml::events::Event;

use languages::Languages;
use row::Row;

use crate::archive::{self, project_of};
use crate::budget::Budget;
use crate::compressed::open;
use crate::content::{language_called, name_of, too_large};
use crate::html::pre_blocks;
use crate::time::parse;
use crate::{Found, Item, Limits, Sink, Source, SourceError};

/// `Posts.xml` of one site: plain, compressed, in a 7z archive, or in a folder. The project is the site as the file's name
/// or the folder's says: `coffee` for `coffee.Posts.xml.zst`, `coffee.stackexchange.com` for a folder of that name; a name
/// with a dot is the site's host, and gives links. Items are `questions/ID#N` and `answers/ID#N`, N counted from 1 in each
/// post; their time is the post's creation.
#[derive(Clone, Debug)]
pub struct StackExchange {
    pub path: PathBuf,
}

impl Source for StackExchange {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let file = if self.path.is_dir() { self.path.join("Posts.xml") } else { self.path.clone() };
        let mut dump =
            Dump { site: site_of(&file), file: name_of(&file), limits, languages: Languages::default() };
        let is_posts = |name: &str| name.ends_with("Posts.xml");
        let mut read = |posts: &mut dyn Read| {
            // Whoever ends the reading knows why.
            let _ended = dump.posts(BufReader::with_capacity(1 << 16, posts), sink);
        };
        if archive::with_entry_of_seven_z(&file, &is_posts, &mut read)? {
            return Ok(());
        }
        read(&mut open(&file)?);
        Ok(())
    }
}

/// The site that a dump's file is of.
fn site_of(file: &Path) -> String {
    let name = name_of(file);
    let stem = name.find("Posts.").map_or_else(|| project_of(file), |at| name[..at].to_owned());
    let site = stem.trim_end_matches(['.', '-', '_']);
    if !site.is_empty() {
        return site.to_owned();
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    name_of(folder.unwrap_or(Path::new(".")))
}

struct Dump<'d> {
    site: String,
    file: String,
    limits: &'d Limits,
    languages: Languages,
}

impl Dump<'_> {
    fn posts(&mut self, posts: impl BufRead, sink: &mut Sink<'_>) -> ControlFlow<()> {
        // An ampersand in code takes nine bytes in a row of HTML in XML.
        let most = self.limits.item_bytes.saturating_mul(9).saturating_add(1 << 20);
        let budget = Budget::new(most);
        let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 16, budget.meter(posts)));
        reader.config_mut().trim_text(true);
        let mut buffer = Vec::new();
        loop {
            budget.grant(most);
            buffer.clear();
            let event = reader.read_event_into(&mut buffer);
            let row = match event {
                Ok(Event::Empty(element) | Event::Start(element)) if element.name().as_ref() == "row" => {
                    Row::read(&element)
                }
                Ok(Event::Eof) => return ControlFlow::Continue(()),
                Ok(_) => continue,
                Err(_) if budget.is_overdrawn() => {
                    let reason = format!("a row of more than {most} bytes; the rest was not read");
                    return self.skip(reader.buffer_position(), &reason, sink);
                }
                Err(error) => return self.skip(reader.buffer_position(), &error.to_string(), sink),
            };
            match row {
                Ok(row) => self.post(&row, sink)?,
                Err(reason) => self.skip(reader.buffer_position(), &reason, sink)?,
            }
        }
    }

    fn skip(&self, at: u64, reason: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
        sink(Found::Skip { path: self.file.clone(), reason: format!("{reason} (before byte {at})") })
    }

    /// Takes the code blocks of a post.
    fn post(&mut self, row: &Row, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let of_question = match row.parent {
            Some(question) => self.languages.of(question),
            None => language_of_tags(row),
        };
        if let (1, Some(language)) = (row.kind, of_question) {
            self.languages.insert(row.id, language);
        }
        for (number, block) in (1..).zip(pre_blocks(&row.body)) {
            let path = format!("{}#{number}", row.path());
            if block.code.len() as u64 > self.limits.item_bytes {
                sink(Found::Skip { path, reason: too_large(self.limits.item_bytes) })?;
                continue;
            }
            let occurrence = self.occurrence(row, path);
            let language = block.language.or(of_question);
            sink(Found::Item(Item { bytes: block.code.into_bytes(), language, occurrence }))?;
        }
        ControlFlow::Continue(())
    }

    fn occurrence(&self, row: &Row, path: String) -> Occurrence {
        let first_seen = parse(&row.created);
        Occurrence {
            project: self.site.clone(),
            path,
            first_line: 1,
            author: row.owner.clone(),
            first_seen,
            last_seen: row.edited.as_deref().and_then(parse),
            evidence: if first_seen.is_some() { Evidence::PostTime } else { Evidence::None },
            link: self.site.contains('.').then(|| row.link(&self.site)),
            ..Occurrence::default()
        }
    }
}

/// The language of a question, if its tags name exactly one.
fn language_of_tags(row: &Row) -> Option<Language> {
    let mut languages: Vec<Language> = row.tags().filter_map(language_called).collect();
    languages.dedup();
    if let [language] = languages[..] { Some(language) } else { None }
}

#[cfg(test)]
mod tests;

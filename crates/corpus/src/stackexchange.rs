//! The Stack Exchange data dump as a source of code: the code blocks of the posts in `Posts.xml`, and since when each stands
//! there from the revisions in `PostHistory.xml`.
//!
//! The files are read row by row, so that their size does not matter. A block of code is what stands in `<pre>` in a post; code
//! within a sentence is left out.

mod files;
mod languages;
mod post;
mod revisions;
mod row;
mod sites;
mod tags;
mod users;

use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use familiar_source::words::size;
use familiar_source::{Evidence, Occurrence};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

pub use post::Post;

use languages::Languages;
use revisions::{BlockHash, Record, Revisions, Sorter};
use row::{Revision, Row, RowError};
use users::Users;

use crate::budget::Budget;
use crate::content::name_of;
use crate::html::pre_blocks;
use crate::{Found, Item, LanguageHint, Limits, Sink, Source, SourceError};
use familiar_files::bounded::too_large;
use familiar_source::time::parse;

/// `Posts.xml` of one site: plain, compressed, in a 7z archive, or in a folder. The project is the site as the file's name
/// or the folder's says: `coffee` for `coffee.Posts.xml.zst`, `coffee.stackexchange.com` for a folder of that name. A name
/// with a dot is the site's host, and gives links, as do the names of known sites. Items are `questions/ID#N` and `questions/ID/answers/ID#N`, N counted from 1 in
/// each post; their time is the post's creation. Their language is what the block says, or the tags of the question.
///
/// Where `PostHistory.xml` lies beside, or in the same archive, the time of a block is that of the earliest revision that has
/// it, white space aside; of a block that no revision has, such as one that an older Markdown made, the post's last edit.
///
/// An author is the name that the post says, otherwise the one that `Users.xml` has, if that lies beside; otherwise the user's number.
#[derive(Clone, Debug)]
pub struct StackExchange {
    pub path: PathBuf,
}

impl Source for StackExchange {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let posts = files::posts(&self.path)?;
        let site = files::site(&posts);
        let history = files::beside(&posts, "PostHistory");
        let mut dump = Dump {
            site,
            file: String::new(),
            limits,
            languages: Languages::default(),
            users: Users::default(),
            revisions: None,
            failed: None,
        };
        if let Some(users) = files::beside(&posts, "Users") {
            dump.file = name_of(&users);
            let mut ended = ControlFlow::Continue(());
            files::read(&users, "Users", &mut |input| ended = dump.users(input, sink))?;
            if ended.is_break() {
                return Ok(());
            }
        }
        if let Some(history) = &history {
            dump.file = name_of(history);
            let mut ended = ControlFlow::Continue(());
            files::read(history, "PostHistory", &mut |input| ended = dump.history(input, sink))?;
            if ended.is_break() {
                return dump.failed.map_or(Ok(()), |error| Err(SourceError::Temporary(error)));
            }
        }
        dump.file = name_of(&posts);
        let is_there = files::read(&posts, "Posts", &mut |input| {
            // Whoever ends the reading knows why.
            let _ended = dump.posts(input, sink);
        })?;
        if let Some(error) = dump.failed {
            return Err(SourceError::Temporary(error));
        }
        if is_there {
            return Ok(());
        }
        Err(SourceError::format(&posts, "the archive does not contain a Posts.xml"))
    }
}

struct Dump<'d> {
    site: String,
    /// The file that is being read, for skips.
    file: String,
    limits: &'d Limits,
    languages: Languages,
    users: Users,
    revisions: Option<Revisions>,
    /// Why the revisions cannot be kept; without them the dates would be wrong, so it ends the reading.
    failed: Option<io::Error>,
}

impl Dump<'_> {
    fn posts(&mut self, posts: &mut dyn Read, sink: &mut Sink<'_>) -> ControlFlow<()> {
        self.rows(posts, sink, |dump, element, sink| Ok(dump.post(&Row::read(element)?, sink)))
    }

    /// Gathers the names of authors.
    fn users(&mut self, users: &mut dyn Read, sink: &mut Sink<'_>) -> ControlFlow<()> {
        self.rows(users, sink, |dump, element, _| {
            let (number, name) = row::user(element)?;
            dump.users.insert(number, &name);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Gathers what the revisions have.
    fn history(&mut self, history: &mut dyn Read, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let mut sorter = Sorter::default();
        self.rows(history, sink, |dump, element, _| {
            let revision = Revision::read(element)?;
            if let (true, Some(time)) = (revision.is_of_text(), parse(&revision.created)) {
                let blocks = crate::docs::markdown::blocks(&revision.text)
                    .into_iter()
                    .chain(pre_blocks(&revision.text));
                for block in blocks {
                    let record = Record { post: revision.post, block: BlockHash::of(&block.code), time };
                    if let Err(error) = sorter.push(record) {
                        return Ok(dump.fail(error));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        match sorter.finish() {
            Ok(revisions) => {
                self.revisions = Some(revisions);
                ControlFlow::Continue(())
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        self.failed = Some(error);
        ControlFlow::Break(())
    }

    /// Calls `each` with every row of a file; what it cannot read is a skip.
    fn rows<'s>(
        &mut self,
        input: &mut dyn Read,
        sink: &mut Sink<'s>,
        mut each: impl FnMut(&mut Self, &BytesStart<'_>, &mut Sink<'s>) -> Result<ControlFlow<()>, RowError>,
    ) -> ControlFlow<()> {
        // An ampersand in code takes nine bytes in a row of HTML in XML.
        let most = self.limits.item_bytes.saturating_mul(9).saturating_add(1 << 20);
        let budget = Budget::new(most);
        let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 16, budget.meter(input)));
        reader.config_mut().trim_text(true);
        let mut buffer = Vec::new();
        // How many elements are open: at the end of a whole file none is.
        let mut open = 0u64;
        loop {
            budget.grant(most);
            buffer.clear();
            let event = reader.read_event_into(&mut buffer);
            match &event {
                Ok(Event::Start(_)) => open += 1,
                Ok(Event::End(_)) => open = open.saturating_sub(1),
                _ => {}
            }
            let flow = match event {
                Ok(Event::Empty(element) | Event::Start(element)) if element.name().as_ref() == "row" => {
                    each(self, &element, sink)
                }
                Ok(Event::Eof) if open > 0 => {
                    return self.skip(reader.buffer_position(), "the file ends early", sink);
                }
                Ok(Event::Eof) => return ControlFlow::Continue(()),
                Ok(_) => continue,
                Err(_) if budget.is_overdrawn() => {
                    let reason = format!("a row is larger than {}; the rest was not read", size(most));
                    return self.skip(reader.buffer_position(), &reason, sink);
                }
                Err(error) => return self.skip(reader.buffer_position(), &error.to_string(), sink),
            };
            match flow {
                Ok(flow) => flow?,
                Err(error) => self.skip(reader.buffer_position(), &error.to_string(), sink)?,
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
            None => tags::language(row.tags()),
        };
        if row.kind == 1 && of_question != LanguageHint::BLOCK {
            self.languages.insert(row.id, of_question);
        }
        for (number, block) in (1..).zip(pre_blocks(&row.body)) {
            let path = format!("{}#{number}", row.path());
            if block.code.len() as u64 > self.limits.item_bytes {
                sink(Found::Skip { path, reason: too_large(self.limits.item_bytes) })?;
                continue;
            }
            let mut occurrence = self.occurrence(row, path);
            match self.since(row, &block.code) {
                Ok(since) => occurrence.first_seen = since,
                Err(error) => return self.fail(error),
            }
            let language = if block.language == LanguageHint::BLOCK { of_question } else { block.language };
            sink(Found::Item(Item::new(block.code.into_bytes(), language, occurrence)))?;
        }
        ControlFlow::Continue(())
    }

    /// Since when a block stands in a post.
    fn since(&mut self, row: &Row, code: &str) -> io::Result<Option<i64>> {
        let created = parse(&row.created);
        let Some(revisions) = &mut self.revisions else { return Ok(created) };
        let revision = revisions.first(row.id, BlockHash::of(code))?;
        Ok(revision.or_else(|| row.edited.as_deref().and_then(parse)).or(created))
    }

    fn host(&self) -> Option<String> {
        sites::host(&self.site).or_else(|| Some(self.site.clone()).filter(|site| site.contains('.')))
    }

    fn occurrence(&self, row: &Row, path: String) -> Occurrence {
        let first_seen = parse(&row.created);
        Occurrence {
            project: self.site.clone(),
            path,
            first_line: 1,
            author: self.users.named(row.owner.clone()),
            first_seen,
            last_seen: row.edited.as_deref().and_then(parse),
            evidence: if first_seen.is_some() { Evidence::PostTime } else { Evidence::None },
            license: row.license.clone(),
            link: self.host().map(|host| row.link(&host)),
            ..Occurrence::default()
        }
    }
}

#[cfg(test)]
mod tests;

//! Part of a corpus as another server gives it away: blobs with their text and places, and the files that speak for their
//! licenses (`docs/formats/excerpt.md`).
//!
//! An excerpt is JSON lines, compressed with zstd. A reader takes nothing on trust: a blob's name is made of its content here, and an
//! excerpt that is not as written, or does not come to its end, is an error as a whole.

mod error;

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use familiar_source::{Language, Occurrence, Project};
use serde::{Deserialize, Serialize};

use error::{InvalidExcerpt, InvalidLine};

use crate::compressed::open;
use crate::git::blob_id;
use crate::{Found, Item, Kept, LanguageHint, Limits, Sink, Source, SourceError};
use familiar_files::bounded::too_large;

/// The format's name.
pub const SCHEMA: &str = "familiar.excerpt/1";

/// What an excerpt has of one corpus, of sources that are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub corpus: String,
    /// Whether its sources were handed out.
    pub base: bool,
    /// Whether they are posts of Stack Exchange, which stand under the terms of the site.
    pub posts: bool,
}

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Record {
    Head {
        schema: String,
        sections: Vec<Section>,
    },
    Project {
        section: u32,
        project: String,
        roots: Vec<String>,
        commits: u64,
        first_commit: Option<i64>,
    },
    Blob {
        section: u32,
        language: String,
        text: Text,
        places: Vec<Place>,
    },
    /// A file that is there for what it says of licenses.
    Declared {
        section: u32,
        text: Text,
        places: Vec<Place>,
    },
    End {
        /// How many lines came before.
        lines: u64,
    },
}

/// Content: as it is where it is UTF-8.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Packed { base64: String },
}

impl Text {
    fn of(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).map_or_else(
            |_| Self::Packed { base64: STANDARD.encode(bytes) },
            |text| Self::Plain(text.to_owned()),
        )
    }

    fn bytes(self) -> Result<Vec<u8>, InvalidLine> {
        match self {
            Self::Plain(text) => Ok(text.into_bytes()),
            Self::Packed { base64 } => STANDARD.decode(base64).map_err(|_| InvalidLine::Base64),
        }
    }
}

/// An [`Occurrence`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    project: String,
    path: String,
    first_line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purl: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    introduced_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    removed_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_seen: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_seen: Option<i64>,
    evidence: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
}

impl From<&Occurrence> for Place {
    fn from(occurrence: &Occurrence) -> Self {
        let o = occurrence.clone();
        Self {
            project: o.project,
            path: o.path,
            first_line: o.first_line.max(1),
            purl: o.purl,
            introduced_by: o.introduced_by,
            removed_by: o.removed_by,
            author: o.author,
            first_seen: o.first_seen,
            last_seen: o.last_seen,
            evidence: o.evidence.name().to_owned(),
            link: o.link,
            license: o.license,
        }
    }
}

impl Place {
    fn occurrence(self) -> Result<Occurrence, InvalidLine> {
        if self.first_line == 0 {
            return Err(InvalidLine::FirstLine);
        }
        let times = [self.first_seen, self.last_seen];
        if times.into_iter().flatten().any(|time| !SOUND.contains(&time)) {
            return Err(InvalidLine::Time);
        }
        let evidence = self.evidence.parse().map_err(|_| InvalidLine::Evidence(self.evidence))?;
        Ok(Occurrence {
            project: self.project,
            purl: self.purl,
            path: self.path,
            first_line: self.first_line,
            introduced_by: self.introduced_by,
            removed_by: self.removed_by,
            author: self.author,
            first_seen: self.first_seen,
            last_seen: self.last_seen,
            evidence,
            link: self.link,
            license: self.license,
        })
    }
}

/// Times that can be written with four digits for the year.
const SOUND: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// Writes an excerpt.
pub struct ExcerptWriter<W: Write> {
    out: zstd::Encoder<'static, W>,
    lines: u64,
}

impl<W: Write> ExcerptWriter<W> {
    pub fn start(out: W, sections: &[Section]) -> io::Result<Self> {
        let mut writer = Self { out: zstd::Encoder::new(out, 0)?, lines: 0 };
        writer.put(&Record::Head { schema: SCHEMA.to_owned(), sections: sections.to_vec() })?;
        Ok(writer)
    }

    /// A project with a history of its own; `section` is its position among the sections.
    pub fn project(&mut self, section: u32, project: &Project) -> io::Result<()> {
        let Project { project, roots, commits, first_commit, .. } = project.clone();
        self.put(&Record::Project { section, project, roots, commits, first_commit })
    }

    pub fn blob(
        &mut self,
        section: u32,
        language: Language,
        text: &[u8],
        places: &[Occurrence],
    ) -> io::Result<()> {
        let (text, places) = (Text::of(text), places.iter().map(Place::from).collect());
        self.put(&Record::Blob { section, language: language.name().to_owned(), text, places })
    }

    /// A file that speaks for the license of others.
    pub fn declared(&mut self, section: u32, text: &[u8], places: &[Occurrence]) -> io::Result<()> {
        let (text, places) = (Text::of(text), places.iter().map(Place::from).collect());
        self.put(&Record::Declared { section, text, places })
    }

    /// Says that this is all.
    pub fn end(mut self) -> io::Result<W> {
        self.put(&Record::End { lines: self.lines })?;
        self.out.finish()
    }

    fn put(&mut self, record: &Record) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, record)?;
        self.out.write_all(b"\n")?;
        self.lines += 1;
        Ok(())
    }
}

/// One section of an excerpt.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub file: PathBuf,
    pub section: u32,
}

/// The sections of the excerpt in `file`.
pub fn sections(file: &Path, limits: &Limits) -> Result<Vec<Section>, SourceError> {
    Lines::open(file, limits)?.head()
}

impl Source for Excerpt {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let mut lines = Lines::open(&self.file, limits)?;
        let sections = lines.head()?.len() as u32;
        loop {
            let number = lines.number;
            let record = lines.next()?;
            if let Record::End { lines: stated } = record {
                return if stated == number && lines.ends()? {
                    Ok(())
                } else {
                    Err(lines.wrong(InvalidLine::End))
                };
            }
            let found = found(record, self.section, sections, limits.item_bytes);
            let found = found.map_err(|error| lines.wrong(error))?;
            if found.into_iter().try_for_each(&mut *sink).is_break() {
                return Ok(());
            }
        }
    }

    fn has_projects(&self) -> bool {
        true
    }
}

/// What a line gives, where it is of the section `wanted` of so many. Content of more than `most` bytes is a skip.
fn found(record: Record, wanted: u32, sections: u32, most: u64) -> Result<Vec<Found>, InvalidLine> {
    let (section, language, text, places) = match record {
        Record::Head { .. } | Record::End { .. } => {
            return Err(InvalidLine::SecondHead);
        }
        Record::Project { section, project, roots, commits, first_commit } => {
            let is_sound = section < sections && first_commit.is_none_or(|time| SOUND.contains(&time));
            if !is_sound {
                return Err(InvalidLine::Project);
            }
            let project = Project { project, roots, commits, first_commit, ..Project::default() };
            return Ok(if section == wanted { vec![Found::Project(project)] } else { Vec::new() });
        }
        Record::Blob { section, language, text, places } => {
            let language = Language::from_name(&language);
            (section, LanguageHint::Language(language.ok_or(InvalidLine::Language)?), text, places)
        }
        Record::Declared { section, text, places } => (section, LanguageHint::Declaration, text, places),
    };
    if section >= sections {
        return Err(InvalidLine::Section);
    }
    if section != wanted {
        return Ok(Vec::new());
    }
    let bytes = text.bytes()?;
    let mut places = places.into_iter().map(Place::occurrence);
    let first = places.next().ok_or(InvalidLine::NoPlace)??;
    if bytes.len() as u64 > most {
        return Ok(vec![Found::Skip { path: first.path, reason: too_large(most) }]);
    }
    let blob = blob_id(&bytes);
    let mut all = vec![Found::Item(Item::new(bytes, language, first))];
    for occurrence in places {
        all.push(Found::Known { blob, occurrence: occurrence?, kept: Kept::AsBefore });
    }
    Ok(all)
}

/// The lines of an excerpt, within limits.
struct Lines<'f> {
    file: &'f Path,
    reader: io::Take<Box<dyn BufRead>>,
    longest: u64,
    most: u64,
    line: Vec<u8>,
    /// How many were read.
    number: u64,
}

impl<'f> Lines<'f> {
    fn open(file: &'f Path, limits: &Limits) -> Result<Self, SourceError> {
        // Escapes take up to six bytes for one.
        let longest = limits.item_bytes.saturating_mul(6).saturating_add(1 << 20);
        let most = limits.archive_bytes;
        Ok(Self { file, reader: open(file)?.take(most), longest, most, line: Vec::new(), number: 0 })
    }

    fn wrong(&self, source: InvalidLine) -> SourceError {
        SourceError::format(self.file, InvalidExcerpt { line: self.number, source })
    }

    fn next(&mut self) -> Result<Record, SourceError> {
        self.number += 1;
        self.line.clear();
        let read = self.reader.by_ref().take(self.longest).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| self.wrong(error.into()))?;
        if !self.line.ends_with(b"\n") {
            return Err(self.wrong(if read as u64 == self.longest {
                InvalidLine::TooLong
            } else if self.reader.limit() == 0 {
                InvalidLine::TooLarge(self.most)
            } else {
                InvalidLine::Truncated
            }));
        }
        serde_json::from_slice(&self.line).map_err(|error| self.wrong(error.into()))
    }

    fn head(&mut self) -> Result<Vec<Section>, SourceError> {
        match self.next()? {
            Record::Head { schema, sections } if schema == SCHEMA => Ok(sections),
            _ => Err(self.wrong(InvalidLine::Schema(SCHEMA))),
        }
    }

    /// Whether nothing follows.
    fn ends(&mut self) -> Result<bool, SourceError> {
        let rest = self.reader.fill_buf().map(<[u8]>::is_empty);
        rest.map_err(|error| self.wrong(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Evidence;

    use super::*;
    use crate::compressed::tests::zstd;
    use crate::tree::tests::all;

    fn place(path: &str) -> Occurrence {
        Occurrence {
            project: "p".to_owned(),
            path: path.to_owned(),
            first_line: 1,
            first_seen: Some(7),
            evidence: Evidence::CommitTime,
            link: Some("https://example.org".to_owned()),
            ..Occurrence::default()
        }
    }

    fn section(corpus: &str) -> Section {
        Section { corpus: corpus.to_owned(), base: false, posts: false }
    }

    fn excerpt() -> Vec<u8> {
        let mut writer =
            ExcerptWriter::start(Vec::new(), &[section("a"), section("b")]).expect("it is memory");
        let project = Project { project: "p".to_owned(), roots: vec!["0".to_owned()], ..Project::default() };
        writer.project(0, &project).expect("it is memory");
        writer.blob(0, Language::C, b"int x;\xff", &[place("x.c"), place("y.c")]).expect("it is memory");
        writer.declared(1, b"MIT", &[place("LICENSE")]).expect("it is memory");
        writer.end().expect("it is memory")
    }

    fn read(bytes: &[u8], section: u32) -> Result<Vec<Found>, SourceError> {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("excerpt");
        std::fs::write(&file, bytes).expect("just made");
        let mut found = Vec::new();
        Excerpt { file, section }.read(&Limits::default(), &mut |one| {
            found.push(one);
            std::ops::ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    #[test]
    fn sections_are_read_as_they_were_written() {
        let bytes = excerpt();
        let found = read(&bytes, 0).expect("it is sound");
        let [Found::Project(project), Found::Item(item), Found::Known { blob, occurrence, .. }] = &found[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!((project.project.as_str(), project.roots.len()), ("p", 1));
        assert_eq!(
            (item.bytes.as_slice(), item.language),
            (&b"int x;\xff"[..], LanguageHint::Language(Language::C))
        );
        assert_eq!((&item.occurrence, occurrence), (&place("x.c"), &place("y.c")));
        assert_eq!(*blob, blob_id(b"int x;\xff"));
        let found = read(&bytes, 1).expect("it is sound");
        let [Found::Item(item)] = &found[..] else { panic!("{found:?}") };
        assert!(item.declares());
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("excerpt");
        std::fs::write(&file, &bytes).expect("just made");
        assert_eq!(sections(&file, &Limits::default()).expect("it is sound"), [section("a"), section("b")]);
        assert_eq!(all(&Excerpt { file, section: 1 }, &Limits::default()).len(), 1);
    }

    #[test]
    fn what_is_otherwise_is_refused_as_a_whole() {
        let text = String::from_utf8(zstd::decode_all(&excerpt()[..]).expect("just packed")).expect("JSON");
        assert!(read(text.as_bytes(), 0).is_ok(), "packed or not");
        let packed = excerpt();
        assert!(read(&packed[..packed.len() - 9], 0).is_err());
        let lines: Vec<&str> = text.lines().collect();
        assert!(read(zstd(lines[..4].join("\n").as_bytes()).as_slice(), 0).is_err(), "without its end");
        for (from, to) in [
            ("familiar.excerpt/1", "familiar.excerpt/2"),
            ("\"lines\":4", "\"lines\":3"),
            ("\"language\":\"c\"", "\"language\":\"klingon\""),
            ("\"first_line\":1", "\"first_line\":0"),
            ("\"first_seen\":7", "\"first_seen\":9223372036854775807"),
            ("commit-time", "hearsay"),
            ("\"section\":0", "\"section\":9"),
            ("\"base64\":\"", "\"base64\":\"?"),
            ("\"roots\"", "\"rootz\""),
            ("\"kind\":\"project\"", "\"kind\":\"head\""),
        ] {
            assert!(text.contains(from), "{from}");
            assert!(read(text.replacen(from, to, 1).as_bytes(), 0).is_err(), "{from}");
        }
        assert!(read((text + "{}\n").as_bytes(), 0).is_err(), "something behind its end");
    }

    #[test]
    fn bombs_stay_within_the_limits() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("excerpt");
        std::fs::write(&file, excerpt()).expect("just made");
        let limits = Limits { archive_bytes: 300, ..Limits::default() };
        let read = Excerpt { file: file.clone(), section: 0 }
            .read(&limits, &mut |_| std::ops::ControlFlow::Continue(()));
        assert!(read.is_err_and(|error| error.to_string().contains("more than 300 bytes")));
        std::fs::write(&file, zstd(&vec![b'['; 4 << 20])).expect("just made");
        let limits = Limits { item_bytes: 100, ..Limits::default() };
        let read = Excerpt { file, section: 0 }.read(&limits, &mut |_| std::ops::ControlFlow::Continue(()));
        assert!(read.is_err_and(|error| error.to_string().contains("too long")));
    }
}

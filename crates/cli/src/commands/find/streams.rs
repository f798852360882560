//! Results as text or JSON, as they come.

use std::io::{self, BufWriter, Seek, Write};

use familiar_report::find::{FindReport, SCHEMA, write_text};
use familiar_report::{Format, counted};

use super::ask::Ask;
use super::queries::Queries;
use crate::output::Target;

/// Most bytes of a text that are held in memory until its summary is known.
const IN_MEMORY: usize = 8 << 20;

/// From this number of results on, a text begins with a summary, too.
const LONG: u64 = 5;

/// Writes what is known of the queries.
pub(super) fn write(ask: &Ask<'_>, queries: &Queries, format: Format, target: &Target) -> anyhow::Result<()> {
    if let Queries::One { name, bytes, lines } = queries {
        let code_query = ask.reader().read(name, bytes, ask.language, *lines)?;
        let report = ask.pool.install(|| ask.find(&code_query))?;
        return target.write(|out| write_one(&report, format, out));
    }
    target.write(|out| write_many(ask, queries, format, out))
}

/// Writes the same to `out`.
pub(super) fn write_to(
    ask: &Ask<'_>,
    queries: &Queries,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if let Queries::One { name, bytes, lines } = queries {
        let code_query = ask.reader().read(name, bytes, ask.language, *lines)?;
        return Ok(write_one(&ask.pool.install(|| ask.find(&code_query))?, format, out)?);
    }
    Ok(write_many(ask, queries, format, out)?)
}

fn write_many(ask: &Ask<'_>, queries: &Queries, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Text {
        return write_texts(ask, queries, out);
    }
    let mut writer = SetWriter::start(format, out)?;
    each(ask, queries, &mut |report| writer.write(report))?;
    writer.end()
}

/// Takes what is known of each of many queries.
fn each(
    ask: &Ask<'_>,
    queries: &Queries,
    take: &mut dyn FnMut(&FindReport) -> io::Result<()>,
) -> io::Result<()> {
    match queries {
        Queries::Fingerprints(all) => {
            ask.each(all, |_, code_query| Ok(Some(ask.find(code_query)?)), &mut |_, report| take(report))
        }
        Queries::Many { listing, lines } => {
            ask.begin(listing);
            let one = |reader: &mut _, document: &_| ask.one(reader, document, lines);
            ask.each(&listing.documents, one, &mut |_, report| take(report))
        }
        Queries::One { .. } => Ok(()),
    }
}

/// A text that ends with a summary, and begins with it where it is long.
fn write_texts(ask: &Ask<'_>, queries: &Queries, out: &mut dyn Write) -> io::Result<()> {
    let mut body = tempfile::SpooledTempFile::new(IN_MEMORY);
    let (mut files, mut found) = (0, 0);
    let mut buffered = BufWriter::new(&mut body);
    each(ask, queries, &mut |report| {
        files += 1;
        // A file that nobody has takes no line.
        if report.blobs.is_empty() {
            return Ok(());
        }
        found += 1;
        write_text(report, &mut buffered)
    })?;
    buffered.flush()?;
    drop(buffered);
    let code = counted(files, "file of code");
    let summary = format!("{code} looked up: the corpus has code of {}", counted(found, "file"));
    if found > LONG {
        writeln!(out, "{summary}\n")?;
    }
    body.rewind()?;
    io::copy(&mut body, out)?;
    writeln!(out, "{summary}")
}

/// Writes the results of many queries as they come, as JSON.
struct SetWriter<'o> {
    format: Format,
    out: &'o mut dyn Write,
    first: bool,
}

impl<'o> SetWriter<'o> {
    fn start(format: Format, out: &'o mut dyn Write) -> io::Result<Self> {
        if format == Format::Json {
            write!(out, "{{\"schema\": \"{SCHEMA}\", \"queries\": [")?;
        }
        Ok(Self { format, out, first: true })
    }

    fn write(&mut self, report: &FindReport) -> io::Result<()> {
        let first = std::mem::replace(&mut self.first, false);
        if self.format == Format::Json {
            self.out.write_all(if first { b"\n" } else { b",\n" })?;
            return Ok(serde_json::to_writer(&mut *self.out, report)?);
        }
        write_one(report, self.format, self.out)
    }

    fn end(self) -> io::Result<()> {
        if self.format == Format::Json { self.out.write_all(b"\n]}\n") } else { Ok(()) }
    }
}

fn write_one(report: &FindReport, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => serde_json::to_writer_pretty(&mut *out, report)?,
        Format::Ndjson => serde_json::to_writer(&mut *out, report)?,
        _ => return write_text(report, out),
    }
    writeln!(out)
}

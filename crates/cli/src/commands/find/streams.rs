//! Results as text or JSON, as they come.

use std::io::{self, Write};

use familiar_report::Format;
use familiar_report::find::{FindReport, SCHEMA, write_text};

use super::Queries;
use super::ask::Ask;
use crate::output::Target;

/// Writes what is known of the queries.
pub(super) fn write(ask: &Ask<'_>, queries: &Queries, format: Format, target: &Target) -> anyhow::Result<()> {
    if let Queries::One { name, bytes, lines } = queries {
        let asked = ask.reader().read(name, bytes, ask.language, *lines)?;
        let report = ask.pool.install(|| ask.find(&asked))?;
        return target.write(|out| write_one(&report, format, out));
    }
    target.write(|out| {
        let mut writer = SetWriter::start(format, out)?;
        match queries {
            Queries::Fingerprints(all) => {
                ask.each(all, |_, asked| Ok(Some(ask.find(asked)?)), &mut |_, report| writer.write(report))?;
            }
            Queries::Many(listing) => {
                let one = |reader: &mut _, document: &_| ask.one(reader, document);
                ask.each(&listing.documents, one, &mut |_, report| writer.write(report))?;
            }
            Queries::One { .. } => {}
        }
        writer.end()
    })
}

/// Writes the results of many queries as they come.
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
        match self.format {
            Format::Json => {
                self.out.write_all(if first { b"\n" } else { b",\n" })?;
                Ok(serde_json::to_writer(&mut *self.out, report)?)
            }
            // What nobody has takes no line of text.
            Format::Text if report.blobs.is_empty() => Ok(()),
            format => write_one(report, format, self.out),
        }
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

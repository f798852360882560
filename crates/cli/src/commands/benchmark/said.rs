//! What a step says at its end: as text, or as JSON.

use std::io::{self, Write};

use familiar_source::words::counted;
use serde::Serialize;

use crate::common::Writing;
use crate::formats::TextOrJson;

/// Writes what a step came to. The files of the benchmark are the result, so `--quiet` leaves this out unless it is asked for by
/// `--format json` or `--output`.
pub(super) fn say<T: Serialize>(
    writing: &Writing<TextOrJson>,
    result: &T,
    text: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let json = writing.format() == TextOrJson::Json;
    if writing.quiet() && !json && writing.output.is_none() {
        return Ok(());
    }
    write(writing, result, text)
}

/// Writes a result that was asked for.
pub(super) fn write<T: Serialize>(
    writing: &Writing<TextOrJson>,
    result: &T,
    text: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    writing.target().write(|out| {
        if writing.format() == TextOrJson::Text {
            return text(out);
        }
        serde_json::to_writer_pretty(&mut *out, result)?;
        writeln!(out)
    })
}

/// `3 pairs`, and in brackets what they are made of.
pub(super) fn listed<'n>(
    out: &mut dyn Write,
    what: &str,
    parts: impl IntoIterator<Item = (&'n str, u64)>,
) -> io::Result<()> {
    let parts: Vec<(&str, u64)> = parts.into_iter().filter(|(_, count)| *count > 0).collect();
    let all = parts.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return Ok(());
    }
    let parts: Vec<String> = parts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(out, "{}: {}", counted(all, what), parts.join(", "))
}

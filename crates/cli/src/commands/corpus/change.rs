//! What commands say that change a corpus: as text, or as `familiar.corpus-change/1` (`docs/formats/corpus.md`).

use std::io::{self, Write};

use familiar_report::Tool;
use serde_json::{Map, Value};

use crate::common::Writing;
use crate::formats::TextOrJson;

const SCHEMA: &str = "familiar.corpus-change/1";

/// Says what was done. The corpus is the result, so that `--quiet` leaves this out unless it is asked for by `--format json` or
/// `--output`.
pub(super) fn say(
    writing: &Writing<TextOrJson>,
    done: &[(&str, Value)],
    text: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let json = writing.format() == TextOrJson::Json;
    if writing.quiet() && !json && writing.output.is_none() {
        return Ok(());
    }
    write(writing, done, text)
}

/// Writes a small result as text or JSON.
pub(super) fn write(
    writing: &Writing<TextOrJson>,
    done: &[(&str, Value)],
    text: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    writing.target().write(|out| {
        if writing.format() == TextOrJson::Text {
            return text(out);
        }
        let mut document = Map::new();
        document.insert("schema".to_owned(), SCHEMA.into());
        let Tool { name, version } = Tool::default();
        document.insert("tool".to_owned(), serde_json::json!({"name": name, "version": version}));
        document.extend(done.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    })
}

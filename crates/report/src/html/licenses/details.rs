//! What is shown of one file alone: the words of its layers, its claims of copyright, and why its text is missing.

use std::io;

use serde::Serialize;

use crate::html::safe::to_json;
use crate::html::sink::Sink;
use crate::license::{LicensedFile, PageText};

/// Files of one pack, and about how many bytes they have.
const FILES: usize = 1000;
const BYTES: usize = 128 << 10;

/// Files that wait for a pack, as JSON.
#[derive(Default)]
pub(super) struct Details {
    pack: Vec<u8>,
    files: usize,
    number: u32,
}

#[derive(Serialize)]
struct Detail<'r> {
    layers: Vec<Words<'r>>,
    copyrights: Vec<(&'r str, Option<&'r str>, u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'r str>,
}

/// A layer's evidence, its place, its rule and its score.
#[derive(Serialize)]
struct Words<'r>(&'r str, Option<&'r str>, Option<&'r str>, Option<f64>);

impl Details {
    /// The pack that holds the file.
    pub(super) fn put(&mut self, file: &LicensedFile, sink: &mut dyn Sink) -> io::Result<u32> {
        self.pack.push(if self.files == 0 { b'[' } else { b',' });
        self.pack.extend(to_json(&detail(file))?);
        self.files += 1;
        let number = self.number;
        if self.files >= FILES || self.pack.len() >= BYTES {
            self.close(sink)?;
        }
        Ok(number)
    }

    pub(super) fn close(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        if self.files > 0 {
            self.pack.push(b']');
            sink.put(&format!("details-{}", self.number), &self.pack)?;
            *self = Self { number: self.number + 1, ..Self::default() };
        }
        Ok(())
    }
}

fn detail(file: &LicensedFile) -> Detail<'_> {
    let layers = file.layers.iter();
    let claims = file.copyrights.iter();
    Detail {
        layers: layers
            .map(|layer| Words(&layer.evidence, layer.path.as_deref(), layer.rule.as_deref(), layer.score))
            .collect(),
        copyrights: claims
            .map(|claim| (&*claim.statement, claim.holder.as_deref(), claim.start_line, claim.end_line))
            .collect(),
        missing: match &file.page_text {
            Some(PageText::Missing(reason)) => Some(reason),
            _ => None,
        },
    }
}

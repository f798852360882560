//! The files of ScanCode's data in its wheel.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use zip::ZipArchive;

/// The text files of the wheel whose names start with `prefix` and end with `ending`, with their names between, sorted.
pub(crate) fn files(wheel: &Path, prefix: &str, ending: &str) -> anyhow::Result<Vec<(String, String)>> {
    let file = File::open(wheel).with_context(|| format!("cannot read {}", wheel.display()))?;
    let mut archive = ZipArchive::new(file).with_context(|| format!("{} is no wheel", wheel.display()))?;
    let mut names = Vec::new();
    for name in archive.file_names() {
        let name = name?;
        if name.starts_with(prefix) && name.ends_with(ending) {
            names.push(name.into_owned());
        }
    }
    names.sort();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let mut text = String::new();
        archive.by_name(&name)?.read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
        files.push((name[prefix.len()..].to_owned(), text));
    }
    Ok(files)
}

//! The licenses of uploads.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use familiar_audit::license::{self, LicenseInput, LicenseOptions};
use familiar_corpus::Limits;
use familiar_report::html::LicensePages;
use familiar_report::license::LicenseWriter;

use super::context::Context;
use super::files::{LICENSES, REPORT, RESULT};
use super::filling::source_of;
use super::progress::Failure;
use crate::tasks::Found;

pub(super) fn read_licenses(upload: &Path, context: Context<'_>) -> Result<Found, Failure> {
    let Context { folder, bounds, progress } = context;
    let walk = context.walk();
    let input = LicenseInput::open(&source_of(upload)?, &walk)?;
    let item_bytes = LicenseOptions::default().limits.item_bytes;
    let limits = Limits { item_bytes, ..context.reading().limits };
    let options = LicenseOptions {
        walk,
        limits,
        page_text: true,
        threads: bounds.threads,
        ..LicenseOptions::default()
    };
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    let mut files = 0;
    let mut outs = Vec::new();
    for (_, name) in LICENSES {
        outs.push(BufWriter::new(File::create(result.join(name))?));
    }
    let mut writers = Vec::new();
    for ((format, _), out) in LICENSES.into_iter().zip(&mut outs) {
        writers.push(LicenseWriter::start(format, out)?);
    }
    let pages = result.join(REPORT);
    std::fs::create_dir_all(&pages)?;
    let root = upload.file_name().unwrap_or_default().to_string_lossy();
    let mut pages = LicensePages::in_folder(&root, &pages)?;
    let rest = license::run(&input, &options, progress, &mut |file| {
        files += 1;
        pages.file(file)?;
        writers.iter_mut().try_for_each(|writer| writer.file(file))
    })?;
    pages.end(&rest.packages, &rest.skipped)?;
    for writer in writers {
        writer.end(&rest.packages, &rest.skipped)?;
    }
    for out in outs {
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    }
    Ok(Found { files, ..Found::default() })
}

//! Programs out of files, folders, archives and data sets.

use std::ops::ControlFlow;

use familiar_corpus::spec;
use familiar_corpus::{Found, Item, LanguageHint, Limits};
use familiar_files::dir::WalkOptions;
use familiar_source::Language;
use familiar_syntax::{detect, languages};

use super::error::TransformError;

/// Gives what the sources hold to `each`, one after the other, and returns the sum of what it returns. Its first error ends the reading.
pub(super) fn read(
    sources: &[String],
    walk: &WalkOptions,
    each: &mut dyn FnMut(Found) -> Result<u64, TransformError>,
) -> Result<u64, TransformError> {
    let mut sum = 0;
    for source in sources {
        let opened = spec::source(source, walk)?;
        if opened.remote().is_some() {
            return Err(TransformError::Remote(source.clone()));
        }
        let mut failed = None;
        opened.read(&Limits::default(), &mut |found| match each(found) {
            Ok(count) => {
                sum += count;
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(sum)
}

/// The language of a program; `None` for data. `skipped` is told of a row whose language is not known.
pub(super) fn language_of(item: &Item, skipped: &mut dyn FnMut(&str, &str)) -> Option<Language> {
    let language = match item.language {
        LanguageHint::Language(language) => Some(language),
        LanguageHint::Unspecified => {
            let language = detect::language(&item.occurrence.path, &item.bytes);
            language.filter(|language| !languages::others::is_data(*language))
        }
        _ => None,
    };
    if let Some(reason) = item.no_language().filter(|_| language.is_none()) {
        skipped(&item.occurrence.path, &reason);
    }
    language
}

//! A release that was fetched, as a source.

use std::fs::File;

use familiar_source::Evidence;

use super::index::Release;
use super::notation::Registry;
use crate::archive::Open;
use crate::{Found, Limits, Sink, Source, SourceError};

/// A file that holds a release.
#[derive(Debug)]
pub(super) struct Downloaded {
    pub(super) registry: Registry,
    /// Of the source.
    pub(super) name: String,
    pub(super) release: Release,
    pub(super) file: File,
}

impl Source for Downloaded {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let failed = |error| SourceError::remote(&self.name, error);
        let place = self.place();
        let open = Open {
            file: self.file.try_clone().map_err(|error| failed(error.into()))?,
            name: self.release.file.clone(),
            project: place.project.clone(),
            time: None,
        };
        open.read(limits, &mut |found| sink(self.placed(&place, found))).map_err(failed)
    }
}

/// What all files of a release have in common.
struct Place {
    project: String,
    purl: String,
    link: String,
}

impl Downloaded {
    fn place(&self) -> Place {
        let Release { name, version, .. } = &self.release;
        let (registry, purl, link) = match self.registry {
            Registry::PyPi => ("pypi", "pypi", format!("https://pypi.org/project/{name}/{version}/")),
            Registry::Npm => ("npm", "npm", format!("https://www.npmjs.com/package/{name}/v/{version}")),
            Registry::CratesIo => {
                ("crates.io", "cargo", format!("https://crates.io/crates/{name}/{version}"))
            }
        };
        let encoded = |text: &str| text.replace('@', "%40").replace('+', "%2B").replace('!', "%21");
        Place {
            project: format!("{registry}/{name}"),
            purl: format!("pkg:{purl}/{}@{}", encoded(name), encoded(version)),
            link,
        }
    }

    fn placed(&self, place: &Place, found: Found) -> Found {
        match found {
            Found::Item(mut item) => {
                let occurrence = &mut item.occurrence;
                occurrence.path = self.below_top(&occurrence.path).to_owned();
                occurrence.purl = Some(place.purl.clone());
                occurrence.introduced_by = Some(self.release.version.clone());
                occurrence.link = Some(place.link.clone());
                if let Some(uploaded) = self.release.uploaded {
                    occurrence.first_seen = Some(uploaded);
                    occurrence.last_seen = Some(uploaded);
                    occurrence.evidence = Evidence::UploadTime;
                }
                Found::Item(item)
            }
            Found::Skip { path, reason } => Found::Skip { path: self.below_top(&path).to_owned(), reason },
            // Archives know of no history.
            other => other,
        }
    }

    /// A path without the folder that the package's tools put around everything: whatever it is called for npm, the name and
    /// the version for the others. Wheels have none.
    fn below_top<'p>(&self, path: &'p str) -> &'p str {
        let Some((top, rest)) = path.split_once('/') else { return path };
        let is_around = match self.registry {
            Registry::Npm => true,
            Registry::CratesIo => *top == *format!("{}-{}", self.release.name, self.release.version),
            Registry::PyPi => {
                let normal = super::pypi::normalised(top);
                super::pypi::is_source(&self.release.file)
                    && normal
                        .strip_prefix(self.release.name.as_str())
                        .is_some_and(|rest| rest.starts_with('-'))
            }
        };
        if is_around { rest } else { path }
    }
}

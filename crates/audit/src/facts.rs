//! What is known of the files that pairs stand in: licenses, copyright statements, places. Read once for each file.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use familiar_license::copyright::have_common_holder;
use familiar_license::infer;
use familiar_license::{Copyright, Expression, Layer, LayerKind};
use familiar_report::LayerRow;

use crate::content::{Content, Contents};
use crate::places::{self, KeptDocument, Libraries, Place};
use crate::project::Projects;
use familiar_files::input::Input;
use familiar_library::{CorpusError, layer_row};

/// Most projects that have a blob, beside the first, whose licenses count.
const MOST_PROJECTS: usize = 100;

/// What is known of a file.
pub(crate) struct Facts<'l> {
    pub(crate) layers: Vec<Layer>,
    /// The same as rows of the report.
    rows: OnceLock<Arc<[LayerRow]>>,
    /// Under which license the package goes out that it is a part of.
    pub(crate) work: Option<Expression>,
    /// Under which licenses other projects have it, where it does not say its own.
    elsewhere: Vec<(String, Option<Expression>)>,
    /// What it says itself.
    pub(crate) content: Arc<Content>,
    /// Whose it is by the license files that speak for it.
    declared: Vec<Copyright>,
    /// Of a corpus: where it stands, and which place counts.
    pub(crate) places: Vec<Place<'l>>,
    pub(crate) first: Option<Place<'l>>,
}

/// Reads what is known of files.
pub(crate) struct Reader<'r, 'l> {
    pub(crate) input: &'r Input,
    pub(crate) libraries: &'l Libraries,
    pub(crate) projects: &'r Projects,
    pub(crate) contents: Contents,
}

impl<'l> Reader<'_, 'l> {
    /// The place that stands for a blob: where no time proves that the audited project had it first, one of another project.
    fn first(&self, places: &[Place<'l>]) -> Option<Place<'l>> {
        let first = places::first(places)?;
        if places::strong_time(&first.witness).is_some() || !self.projects.have(first) {
            return Some(first.clone());
        }
        let others: Vec<Place<'l>> =
            places.iter().filter(|place| !self.projects.have(place)).cloned().collect();
        places::first(&others).or(Some(first)).cloned()
    }

    /// Everything that is known of a document.
    pub(crate) fn facts(&self, number: u32, kept: Option<KeptDocument>) -> Result<Facts<'l>, CorpusError> {
        let content = self.contents.of(&self.input.read(number).unwrap_or_default());
        let places = kept.map_or_else(|| Ok(Vec::new()), |document| self.libraries.places(document))?;
        let first = self.first(&places);
        let (mut layers, mut elsewhere) = (content.layers.clone(), Vec::new());
        let declared;
        if let Some(first) = &first {
            let of_place =
                |place: &Place<'l>| place.library.licenses().with(content.layers.clone(), &place.witness);
            layers = of_place(first)?;
            declared = first.library.licenses().copyrights(&first.witness)?;
            if !content.has_license() {
                let foreign: Vec<&Place<'l>> =
                    places.iter().filter(|place| !self.projects.have(place)).collect();
                elsewhere = others(&foreign, first, of_place)?;
            }
        } else {
            let document = &self.input.documents[number as usize];
            layers.extend(self.projects.layers(document.root, document.path.as_str()));
            declared = self.projects.copyrights(document.root, document.path.as_str());
        }
        layers.sort_by_key(|layer| layer.kind);
        let work = infer::conclude_work(&layers);
        Ok(Facts { layers, rows: OnceLock::new(), work, elsewhere, content, declared, places, first })
    }
}

/// The licenses under which other projects have a blob that does not say its own.
fn others<'l>(
    places: &[&Place<'l>],
    first: &Place<'l>,
    layers: impl Fn(&Place<'l>) -> Result<Vec<Layer>, CorpusError>,
) -> Result<Vec<(String, Option<Expression>)>, CorpusError> {
    let mut owners = BTreeSet::from([first.witness.owner()]);
    let elsewhere = places.iter().filter(|place| owners.insert(place.witness.owner()));
    let other = |place: &&Place<'l>| {
        Ok((place.witness.occurrence.project.clone(), infer::conclude(&layers(place)?).expression))
    };
    elsewhere.take(MOST_PROJECTS).map(other).collect()
}

impl Facts<'_> {
    /// What speaks against a conclusion: other words on the license, and other licenses in other projects.
    pub(crate) fn disagreements(&self, conclusion: &infer::Conclusion) -> Vec<String> {
        let name = |license: Option<&Expression>| {
            license.map_or_else(|| "no known license".to_owned(), ToString::to_string)
        };
        let layers = conclusion.disagreements.iter().map(|layer| {
            let place = layer.path.as_ref().map_or_else(String::new, |path| format!(" ({path})"));
            format!("{}{place} says {}", in_words(layer.kind), name(layer.expression.as_ref()))
        });
        let differs = |(_, other): &&(String, Option<Expression>)| *other != conclusion.expression;
        let elsewhere = self.elsewhere.iter().filter(differs);
        let mut all: Vec<String> = Vec::new();
        let elsewhere =
            elsewhere.map(|(project, other)| format!("{project} has it under {}", name(other.as_ref())));
        for words in layers.chain(elsewhere) {
            if !all.contains(&words) {
                all.push(words);
            }
        }
        all
    }

    /// The licenses beside `license` under which it may have been taken: those of other projects, where nothing says that the first
    /// place is the first. Places without a license say nothing where another has one.
    pub(crate) fn may_also_be(&self, license: &Expression) -> Vec<Expression> {
        let is_dated = self.first.as_ref().is_some_and(|place| places::strong_time(&place.witness).is_some());
        let others = self.elsewhere.iter().filter_map(|(_, other)| other.as_ref());
        let mut others: Vec<Expression> =
            others.filter(|other| !is_dated && *other != license).cloned().collect();
        others.sort();
        others.dedup();
        others
    }

    /// Who its copyright statements name.
    pub(crate) fn holders(&self) -> Vec<String> {
        holders(&self.content.copyrights).collect()
    }

    /// The same, and whom the license files name that speak for it.
    pub(crate) fn all_holders(&self) -> Vec<String> {
        holders(&self.content.copyrights).chain(holders(&self.declared)).collect()
    }

    /// Whether it keeps what says whose the original is: it, or a license file that speaks for it, names a holder; of an original that
    /// names nobody, a license file with its license is enough.
    pub(crate) fn keeps_notice_of(&self, original: &Self, license: &Expression) -> bool {
        let holders = original.all_holders();
        let has_license = |layer: &Layer| {
            layer.kind == LayerKind::LicenseFile && layer.expression.as_ref() == Some(license)
        };
        have_common_holder(&holders, &self.all_holders())
            || holders.is_empty() && self.layers.iter().any(has_license)
    }

    /// The notice in a license file beside it that names one of some holders, in words.
    pub(crate) fn declared_notice_of(&self, holders: &[String]) -> Option<String> {
        let names = |copyright: &&Copyright| {
            copyright
                .holder
                .as_ref()
                .is_some_and(|holder| have_common_holder(std::slice::from_ref(holder), holders))
        };
        let notice = self.declared.iter().find(names)?;
        let mut files = self.layers.iter().filter(|layer| layer.kind == LayerKind::LicenseFile);
        let file = files.find_map(|layer| layer.path.as_deref()).unwrap_or("the license file");
        Some(format!("copyright notice kept in {file}: {}", notice.statement))
    }

    /// Its copyright statements, or where it has none those of the license files that speak for it.
    pub(crate) fn statements(&self) -> Vec<String> {
        let of_file = &self.content.copyrights;
        let counts = if of_file.is_empty() { &self.declared } else { of_file };
        counts.iter().map(|copyright| copyright.statement.clone()).collect()
    }

    pub(crate) fn layer_rows(&self) -> Arc<[LayerRow]> {
        self.rows.get_or_init(|| self.layers.iter().map(layer_row).collect()).clone()
    }
}

/// What speaks of a license.
fn in_words(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Concluded => "familiar.toml",
        LayerKind::ReuseOverride | LayerKind::Reuse => "REUSE.toml",
        LayerKind::SnippetTag => "a tag around the lines",
        LayerKind::FileTag => "a tag in the file",
        LayerKind::Sidecar => "the .license file",
        LayerKind::FileNotice => "a notice in the file",
        LayerKind::Dep5 => "debian/copyright",
        LayerKind::LicenseFile => "a license file",
        LayerKind::PackageMetadata => "the metadata of the package",
        LayerKind::Platform => "the terms of the site",
        LayerKind::None => "nothing",
    }
}

fn holders(copyrights: &[Copyright]) -> impl Iterator<Item = String> {
    copyrights.iter().filter_map(|copyright| copyright.holder.clone())
}

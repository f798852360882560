//! What is known beside the pairs: of their files, read once each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use familiar_license::{Expression, Layer, LayerKind, infer};
use rayon::prelude::*;

use crate::comparison::Comparison;
use crate::content::{self, Contents};
use crate::direction::Age;
use crate::error::AuditError;
use crate::facts::{Facts, Reader};
use crate::git_history;
use crate::groups::Group;
use crate::project::Projects;

/// What is known beside the pairs.
pub(crate) struct Context<'f, 'a> {
    pub(crate) comparison: &'f Comparison<'a>,
    /// By document.
    pub(crate) facts: BTreeMap<u32, Facts<'a>>,
    pub(crate) ages: BTreeMap<u32, Age>,
    /// By fragment.
    pub(crate) licenses: BTreeMap<u32, Arc<infer::Conclusion>>,
    pub(crate) projects: Projects,
}

impl<'a> Comparison<'a> {
    /// Reads what is known of the files of some pairs.
    pub(crate) fn context(&self, groups: &[Group]) -> Result<Context<'_, 'a>, AuditError> {
        let options = self.options;
        let projects = Projects::read(&options.trees, &self.input.documents, options.snippet.is_some());
        let rows = groups
            .iter()
            .flat_map(|group| std::iter::once(group.left).chain(group.pairs.iter().map(|pair| pair.right)));
        let fragments: BTreeSet<u32> = rows.collect();
        let documents: BTreeSet<u32> = fragments.iter().map(|&id| self.fragment(id).document).collect();
        let documents: Vec<u32> = documents.into_iter().collect();
        let contents = Contents::default();
        let reader = Reader { input: &self.input, libraries: self.libraries, projects: &projects, contents };
        let facts = |&document: &u32| {
            let mut facts = reader.facts(document, self.documents[document as usize])?;
            self.add_policy(document, &mut facts);
            Ok::<_, AuditError>((document, facts))
        };
        let facts: BTreeMap<u32, Facts<'a>> = documents.par_iter().map(facts).collect::<Result<_, _>>()?;
        let licenses = self.licenses(fragments, &facts);
        let ages = self.ages(&facts, &projects);
        Ok(Context { comparison: self, facts, ages, licenses, projects })
    }

    /// Under which license each of some fragments stands.
    fn licenses(
        &self,
        fragments: BTreeSet<u32>,
        facts: &BTreeMap<u32, Facts<'_>>,
    ) -> BTreeMap<u32, Arc<infer::Conclusion>> {
        let of_file = |(&document, facts): (&u32, &Facts<'_>)| {
            // A snippet goes out under the license of the folder that it is to stand in, whatever it says itself.
            let counts = |layer: &&Layer| !self.is_snippet(document) || !layer.kind.is_of_file();
            let layers: Vec<Layer> = facts.layers.iter().filter(counts).cloned().collect();
            let whole = infer::speak_for_all(&layers).then(|| Arc::new(infer::conclude(&layers)));
            (document, (layers, whole))
        };
        let of_files: BTreeMap<u32, (Vec<Layer>, Option<Arc<infer::Conclusion>>)> =
            facts.iter().map(of_file).collect();
        let of_fragment = |id: u32| {
            let row = self.fragment(id);
            let (layers, whole) = &of_files[&row.document];
            let lines = (row.start_line, row.end_line);
            let within = || Arc::new(infer::conclude(&infer::within(layers, lines)));
            (id, whole.clone().unwrap_or_else(within))
        };
        fragments.into_iter().map(of_fragment).collect()
    }

    /// Whether a document is the code on standard input.
    fn is_snippet(&self, document: u32) -> bool {
        self.options.snippet.is_some() && self.input.documents[document as usize].root < self.audited
    }

    /// Adds what the policy says of the license of an audited file.
    fn add_policy(&self, document: u32, facts: &mut Facts<'_>) {
        let at = &self.input.documents[document as usize];
        if at.root >= self.audited {
            return;
        }
        if let Some(license) = self.options.policies.of(at.root).license_of(at.path.as_str()) {
            facts.work = Some(license.clone());
            let layer = Layer {
                kind: LayerKind::Concluded,
                expression: Some(license.clone()),
                evidence: "license in familiar.toml".to_owned(),
                path: None,
                lines: None,
                score: None,
                rule: None,
            };
            facts.layers.insert(0, layer);
        }
    }

    /// Since when the files stand where they are.
    fn ages(&self, facts: &BTreeMap<u32, Facts<'_>>, projects: &Projects) -> BTreeMap<u32, Age> {
        let trees = self.options.trees.len() as u32;
        let in_work_tree = |number: u32| {
            let document = &self.input.documents[number as usize];
            let (folder, prefix) = projects.work_tree(document.root).filter(|_| document.root < trees)?;
            Some((folder, format!("{prefix}{}", document.path.as_str())))
        };
        let mut paths: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for (folder, path) in facts.keys().filter_map(|&number| in_work_tree(number)) {
            paths.entry(folder).or_default().insert(path);
        }
        let history = |(folder, paths)| (folder, git_history::introduced(folder, &paths));
        let histories: BTreeMap<&Path, _> = paths.into_iter().map(history).collect();
        let age = |(&number, facts): (&u32, &Facts<'_>)| {
            let age = match (self.documents[number as usize], in_work_tree(number)) {
                (Some(_), _) => Age::of_place(facts.first.as_ref()),
                (None, Some((folder, path))) => match &histories[folder] {
                    Ok(times) => times
                        .get(&path)
                        .map_or_else(Age::unknown, |(time, commit)| Age::of_commit(*time, commit)),
                    Err(error) => Age::without_history(error),
                },
                (None, None) => Age::unknown(),
            };
            (number, age)
        };
        facts.iter().map(age).collect()
    }
}

impl<'a> Context<'_, 'a> {
    pub(crate) fn facts(&self, fragment: u32) -> &Facts<'a> {
        &self.facts[&self.comparison.fragment(fragment).document]
    }

    pub(crate) fn license(&self, fragment: u32) -> Expression {
        self.licenses[&fragment].expression.clone().unwrap_or_else(Expression::none)
    }

    /// The text of a document; none where it cannot be read any more.
    pub(crate) fn text(&self, document: u32) -> String {
        content::text(&self.comparison.input.read(document).unwrap_or_default())
    }
}

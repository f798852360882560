//! A finding in words that several formats use.

use super::{AuditFragment, AuditReport, Decision, Finding};
use crate::find::OccurrenceRow;
use crate::layer_row::by_in_words;
use crate::{FragmentRow, location};

impl AuditReport {
    /// The PATH as it was given, or the project of a corpus, that a fragment belongs to.
    pub(super) fn project(&self, row: &FragmentRow) -> &str {
        self.settings.roots.get(row.root as usize).map_or("", String::as_str)
    }

    /// The decision of each pair that stands for a finding, in the order of pairs.
    pub(super) fn decisions_of_pairs(&self) -> Vec<Option<Decision>> {
        let mut decisions = vec![None; self.pairs.len()];
        for finding in &self.findings {
            decisions[finding.pair as usize] = Some(finding.decision);
        }
        decisions
    }

    /// The path of a fragment's file as the user would name it; of a corpus, the post, or project and path.
    pub(super) fn named(&self, row: &FragmentRow) -> String {
        let root = self.project(row);
        if row.root >= self.audited {
            return self.title(row).unwrap_or_else(|| format!("{root}: {}", row.path));
        }
        let is_file = self.roots.get(row.root as usize).is_some_and(|root| root.is_file);
        match root {
            "" | "." | "./" | "-" => row.path.to_string(),
            root if is_file => root.to_owned(),
            root => format!("{}/{}", root.trim_end_matches('/'), row.path),
        }
    }

    /// The same as one path, as pages show it.
    pub(crate) fn path_in_pages(&self, row: &FragmentRow) -> String {
        if row.root < self.audited {
            return self.named(row);
        }
        if let Some(title) = self.title(row) {
            // Several blocks of a post are files of their own.
            let block = row.path.rsplit_once('#').map_or("1", |(_, block)| block);
            return if block == "1" { title } else { format!("{title}, block {block}") };
        }
        let root = self.settings.roots.get(row.root as usize);
        root.map_or_else(|| row.path.to_string(), |root| format!("{root}/{}", row.path))
    }

    /// What a corpus's file is called whose path is not what people know it by.
    fn title(&self, row: &FragmentRow) -> Option<String> {
        let fragment =
            self.fragments.get(row.id as usize).filter(|fragment| fragment.fragment.path == row.path)?;
        self.place(fragment)?.title.clone()
    }

    /// The place that stands for a corpus's fragment.
    pub(super) fn place<'r>(&'r self, fragment: &'r AuditFragment) -> Option<&'r OccurrenceRow> {
        let row = &fragment.fragment;
        let project = self.settings.roots.get(row.root as usize)?;
        let is_there = |place: &&OccurrenceRow| {
            let path = if place.first_line > 1 {
                format!("{}:{}", place.path, place.first_line)
            } else {
                place.path.clone()
            };
            place.project == *project && path == *row.path
        };
        fragment.occurrences.iter().find(is_there).or(fragment.occurrences.first())
    }

    pub(super) fn fragments_of(&self, finding: &Finding) -> (&AuditFragment, &AuditFragment) {
        (self.fragment(finding.fragment), self.fragment(finding.origin))
    }

    /// The path of a fragment's file from the current folder, where it lies there.
    pub(super) fn path_here(&self, row: &FragmentRow) -> Option<Vec<u8>> {
        location::below_here(self.roots.get(row.root as usize)?, row)
    }
}

impl AuditFragment {
    /// The license, and what says so.
    pub(super) fn license_in_words(&self) -> String {
        let Some(license) = &self.license else { return "no known license".to_owned() };
        let layer = self.licenses.iter().find(|layer| {
            layer.layer == self.license_by
                && (layer.expression.as_ref() == Some(license) || layer.path.is_some())
        });
        let place = layer.map_or_else(String::new, |layer| match (&layer.path, layer.start_line) {
            (Some(path), Some(line)) => format!(", {path}:{line}"),
            (Some(path), None) => format!(", {path}"),
            (None, Some(line)) => format!(", line {line}"),
            (None, None) => String::new(),
        });
        format!("{license} ({}{place})", by_in_words(self.license_by))
    }

    /// What it is called, or what it is.
    pub(super) fn name(&self) -> &str {
        if self.fragment.name.is_empty() { self.fragment.kind } else { &self.fragment.name }
    }
}

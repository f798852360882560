//! The formats by name.

/// The output of a detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What BigCloneEval imports, from any detector.
    BigCloneEval,
    /// `familiar clones --format json`.
    Familiar,
    /// `jscpd-report.json` of versions 4 and 5.
    Jscpd,
    /// The pairs of NiCad 6 and 7 in what looks like XML.
    NiCad,
    /// The pairs of Oreo's evaluation.
    Oreo,
    /// The XML or CSV of PMD's CPD.
    Pmd,
    /// A folder of pairs and statistics of SourcererCC.
    SourcererCc,
}

impl Format {
    pub const ALL: [(&'static str, Self); 7] = [
        ("bigcloneeval", Self::BigCloneEval),
        ("familiar", Self::Familiar),
        ("jscpd", Self::Jscpd),
        ("nicad", Self::NiCad),
        ("oreo", Self::Oreo),
        ("pmd", Self::Pmd),
        ("sourcerercc", Self::SourcererCc),
    ];

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

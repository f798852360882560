//! What speaks for the license of a file, and whose word counts most.

use crate::Expression;

/// Who says under which license a file stands, the word that counts most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerKind {
    /// A person concluded it (`familiar.toml`).
    Concluded,
    /// REUSE.toml with `precedence = "override"`.
    ReuseOverride,
    /// `SPDX-SnippetBegin` … `SPDX-SnippetEnd`.
    SnippetTag,
    /// `SPDX-License-Identifier` in the file.
    FileTag,
    /// The same in `FILE.license` beside it.
    Sidecar,
    /// A license's text, notice or reference in the file.
    FileNotice,
    /// REUSE.toml.
    Reuse,
    /// `.reuse/dep5` or `debian/copyright`.
    Dep5,
    /// LICENSE or COPYING of the nearest ancestor within the package.
    LicenseFile,
    /// What the package's metadata declare.
    PackageMetadata,
    /// The rule of the platform where the code was posted.
    Platform,
    /// Nothing speaks.
    None,
}

impl LayerKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Concluded => "concluded",
            Self::ReuseOverride => "reuse-override",
            Self::SnippetTag => "snippet-tag",
            Self::FileTag => "file-tag",
            Self::Sidecar => "sidecar",
            Self::FileNotice => "file-notice",
            Self::Reuse => "reuse",
            Self::Dep5 => "dep5",
            Self::LicenseFile => "license-file",
            Self::PackageMetadata => "package-metadata",
            Self::Platform => "platform",
            Self::None => "none",
        }
    }

    /// Whether it stands in the file itself, or in the sidecar that is nothing else.
    pub const fn is_of_file(self) -> bool {
        matches!(self, Self::SnippetTag | Self::FileTag | Self::Sidecar | Self::FileNotice)
    }
}

/// One word on the license of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub kind: LayerKind,
    /// What it says; none where it speaks and nothing can be made of it.
    pub expression: Option<Expression>,
    /// In words: what was found.
    pub evidence: String,
    /// Where, below the root; with first and last line from 1, where it is a stretch of a file.
    pub path: Option<String>,
    pub lines: Option<(u32, u32)>,
    /// How much of the rule was found and how sure the rule is, in [0, 1].
    pub score: Option<f32>,
    /// The rule that found it.
    pub rule: Option<String>,
}

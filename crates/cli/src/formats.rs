//! The formats that each command can write, with what each is for.

use familiar_report::{Format, audit, trend};

use crate::common::Formats;

const TEXT: (&str, &str) = ("text", "For people");
const JSON: (&str, &str) = ("json", "The whole result as one JSON document");
const HTML: (&str, &str) =
    ("html", "Pages to browse, with the code. Needs --output: a folder, or a file that ends in .html");
const MARKDOWN: (&str, &str) = ("markdown", "Tables for a comment or a page");
const SARIF: (&str, &str) = ("sarif", "SARIF 2.1.0, for code scanning");
const GITLAB: (&str, &str) = ("gitlab", "GitLab's Code Quality report");
const BADGE: (&str, &str) = ("badge", "An SVG image of the share of duplicated lines");
const SPDX: (&str, &str) = ("spdx-json", "SPDX 2.3, with snippets");
const CYCLONEDX: (&str, &str) = ("cyclonedx", "CycloneDX 1.6");

fn row<F>((name, what): (&'static str, &'static str), format: F) -> (&'static str, &'static str, F) {
    (name, what, format)
}

/// What `clones` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloneFormat {
    /// A format that is one stream.
    Stream(Format),
    Html,
}

impl Formats for CloneFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Stream(Format::Text)),
            row(JSON, Self::Stream(Format::Json)),
            ("ndjson", "Every pair as one JSON object a line", Self::Stream(Format::Ndjson)),
            ("csv", "Every pair as one row", Self::Stream(Format::Csv)),
            row(MARKDOWN, Self::Stream(Format::Markdown)),
            row(SARIF, Self::Stream(Format::Sarif)),
            row(GITLAB, Self::Stream(Format::Gitlab)),
            ("bigcloneeval", "Every pair as BigCloneEval imports it", Self::Stream(Format::BigCloneEval)),
            row(BADGE, Self::Stream(Format::Badge)),
            row(HTML, Self::Html),
        ]
    }
}

/// What `report` writes of a stored result: what needs no more than the result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredFormat {
    Html,
    /// Of results of `clones` and `audit`; one of them may not have it.
    Stream(Option<Format>, Option<audit::Format>),
}

impl Formats for StoredFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        use audit::Format as Audit;
        let both = |clones, audit| Self::Stream(Some(clones), Some(audit));
        vec![
            ("text", "For people, without the code", both(Format::Text, Audit::Text)),
            row(HTML, Self::Html),
            row(SARIF, both(Format::Sarif, Audit::Sarif)),
            row(MARKDOWN, both(Format::Markdown, Audit::Markdown)),
            ("gitlab", "GitLab's Code Quality report (of clones)", Self::Stream(Some(Format::Gitlab), None)),
            (
                "badge",
                "An SVG image of the share of duplicated lines (of clones)",
                Self::Stream(Some(Format::Badge), None),
            ),
            ("csv", "Every pair as one row (of an audit)", Self::Stream(None, Some(Audit::Csv))),
            (
                "ndjson",
                "Every pair as one JSON object a line (of an audit)",
                Self::Stream(None, Some(Audit::Ndjson)),
            ),
            ("spdx-json", "SPDX 2.3, with snippets (of an audit)", Self::Stream(None, Some(Audit::SpdxJson))),
            ("cyclonedx", "CycloneDX 1.6 (of an audit)", Self::Stream(None, Some(Audit::CycloneDx))),
        ]
    }
}

/// What `audit` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditFormat {
    Stream(audit::Format),
    Html,
}

impl Formats for AuditFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Stream(audit::Format::Text)),
            row(JSON, Self::Stream(audit::Format::Json)),
            ("ndjson", "Every pair as one JSON object a line", Self::Stream(audit::Format::Ndjson)),
            ("csv", "Every pair as one row", Self::Stream(audit::Format::Csv)),
            row(MARKDOWN, Self::Stream(audit::Format::Markdown)),
            row(SARIF, Self::Stream(audit::Format::Sarif)),
            row(SPDX, Self::Stream(audit::Format::SpdxJson)),
            row(CYCLONEDX, Self::Stream(audit::Format::CycloneDx)),
            row(HTML, Self::Html),
        ]
    }
}

/// What `license` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LicenseFormat {
    Stream(Format),
    Html,
}

impl Formats for LicenseFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Stream(Format::Text)),
            row(JSON, Self::Stream(Format::Json)),
            ("ndjson", "Every file as one JSON object a line", Self::Stream(Format::Ndjson)),
            ("csv", "Every statement about a license as one row", Self::Stream(Format::Csv)),
            row(HTML, Self::Html),
        ]
    }
}

/// What `find` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindFormat {
    Stream(Format),
    Html,
}

impl Formats for FindFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Stream(Format::Text)),
            row(JSON, Self::Stream(Format::Json)),
            ("ndjson", "Every result as one JSON object a line", Self::Stream(Format::Ndjson)),
            row(HTML, Self::Html),
        ]
    }
}

impl Formats for trend::Format {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Text),
            row(JSON, Self::Json),
            ("csv", "Every tag as one row", Self::Csv),
            ("svg", "A picture", Self::Svg),
        ]
    }
}

/// What commands write whose result is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextOrJson {
    Text,
    Json,
}

impl Formats for TextOrJson {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![row(TEXT, Self::Text), row(JSON, Self::Json)]
    }
}

/// What `attack` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttackFormat {
    Text,
    Json,
    Html,
}

impl Formats for AttackFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        let html = ("html", "One page with plots and the worst pairs", Self::Html);
        vec![row(TEXT, Self::Text), row(JSON, Self::Json), html]
    }
}

/// What `evaluate robustness` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RobustnessFormat {
    Text,
    Json,
    Markdown,
}

impl Formats for RobustnessFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![row(TEXT, Self::Text), row(JSON, Self::Json), row(MARKDOWN, Self::Markdown)]
    }
}

/// What `evaluate mutants` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutantsFormat {
    Text,
    Json,
    Ndjson,
}

impl Formats for MutantsFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        let pairs = ("ndjson", "The pairs, as `familiar evaluate pairs` reads them", Self::Ndjson);
        vec![row(TEXT, Self::Text), row(JSON, Self::Json), pairs]
    }
}

/// What `decisions export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecisionsFormat {
    Policy,
    Json,
}

impl Formats for DecisionsFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("policy", "Entries for the policy in a familiar.toml", Self::Policy),
            ("json", "A file of decisions, without those that newer ones replace", Self::Json),
        ]
    }
}

/// What `evaluate bags` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BagsFormat {
    Csv,
}

impl Formats for BagsFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![("csv", "Every pair as one row", Self::Csv)]
    }
}

/// What `codenet duplicates` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DuplicatesFormat {
    Text,
    Csv,
    Clusters,
    Kept,
    Parquet,
}

impl Formats for DuplicatesFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Text),
            ("csv", "Every pair as one row, with both Jaccard indices", Self::Csv),
            ("clusters", "Clusters as Project CodeNet publishes them", Self::Clusters),
            ("kept", "The rows that stay if of each cluster one does, as JSON lines", Self::Kept),
            (
                "parquet",
                "Those rows with all their columns, of DATA that is Apache Parquet. Needs --output",
                Self::Parquet,
            ),
        ]
    }
}

/// What `codenet problems` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemsFormat {
    Text,
    Json,
    Csv,
    Clusters,
    Svg,
    Html,
}

impl Formats for ProblemsFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            row(TEXT, Self::Text),
            row(JSON, Self::Json),
            ("csv", "Every pair of problems with something in common as one row", Self::Csv),
            ("clusters", "Clusters as Project CodeNet publishes them, one a line", Self::Clusters),
            ("svg", "The graph of problems as a picture", Self::Svg),
            ("html", "One page for a browser, with the graph", Self::Html),
        ]
    }
}

/// What `codenet stats` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatsFormat {
    Text,
    Json,
    Html,
}

impl Formats for StatsFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![row(TEXT, Self::Text), row(JSON, Self::Json), ("html", "One page for a browser", Self::Html)]
    }
}

/// What `codenet select` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectFormat {
    Csv,
    Ndjson,
    Paths,
    Files,
}

impl Formats for SelectFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("csv", "The metadata, with the columns of Project CodeNet", Self::Csv),
            ("ndjson", "Metadata and code as one JSON object a line", Self::Ndjson),
            ("paths", "The path of each text", Self::Paths),
            ("files", "A folder with the texts, as they stand in the set. Needs --output", Self::Files),
        ]
    }
}

/// What `codenet evolution` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvolutionFormat {
    Ndjson,
    Csv,
}

impl Formats for EvolutionFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("ndjson", "Every pair with both codes as one JSON object a line", Self::Ndjson),
            ("csv", "Every pair without the codes", Self::Csv),
        ]
    }
}

/// What `codenet run` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunFormat {
    Text,
    Ndjson,
}

impl Formats for RunFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![row(TEXT, Self::Text), ("ndjson", "Every submission as one JSON object a line", Self::Ndjson)]
    }
}

/// What `fingerprint` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FingerprintFormat {
    Ndjson,
}

impl Formats for FingerprintFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![("ndjson", "Every file as one JSON object a line", Self::Ndjson)]
    }
}

/// What `transform` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramFormat {
    Text,
    Ndjson,
}

impl Formats for ProgramFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("text", "The code alone", Self::Text),
            ("ndjson", "Every program as one JSON object a line, with its recipe", Self::Ndjson),
        ]
    }
}

/// What `tokens` writes. The name of the output file decides where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokensFormat {
    Json,
    Ndjson,
    Jsonl,
    Csv,
    Parquet,
}

impl Formats for TokensFormat {
    const HAS_DEFAULT: bool = false;

    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            (
                "json",
                "An array of the tokens of one file. Of many programs: each as one JSON object a line",
                Self::Json,
            ),
            ("jsonl", "The same, with one token a line for one file", Self::Jsonl),
            ("ndjson", "Every program as one JSON object a line, also if it is one", Self::Ndjson),
            ("csv", "Every token as one row", Self::Csv),
            ("parquet", "Apache Parquet with a row for each program. Needs --output", Self::Parquet),
        ]
    }
}

/// What `graph` writes. The name of the output file decides where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphFormat {
    Json,
    Ndjson,
    Graphml,
    Dot,
    Svg,
    Parquet,
}

impl Formats for GraphFormat {
    const HAS_DEFAULT: bool = false;

    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("json", "The graph of one file. Of many programs: each as one JSON object a line", Self::Json),
            ("ndjson", "Every program as one JSON object a line, also if it is one", Self::Ndjson),
            ("graphml", "GraphML, with a graph for each program", Self::Graphml),
            ("dot", "Graphs for Graphviz", Self::Dot),
            ("svg", "A plot of one program, or of one function of it", Self::Svg),
            ("parquet", "Apache Parquet with a row for each program. Needs --output", Self::Parquet),
        ]
    }
}

/// What `tree` writes. The name of the output file decides where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeFormat {
    Json,
    Ndjson,
    Dot,
    Parquet,
    Gnn,
}

impl Formats for TreeFormat {
    const HAS_DEFAULT: bool = false;

    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("json", "The tree of one file. Of many programs: each as one JSON object a line", Self::Json),
            ("ndjson", "Every program as one JSON object a line, also if it is one", Self::Ndjson),
            ("dot", "Graphs for Graphviz", Self::Dot),
            ("parquet", "Apache Parquet with a row for each program. Needs --output", Self::Parquet),
            ("gnn", "A folder of CodeNet's form for graph neural networks. Needs --output", Self::Gnn),
        ]
    }
}

/// What `embed` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorFormat {
    Npy,
    Parquet,
}

impl Formats for VectorFormat {
    const HAS_DEFAULT: bool = false;

    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("npy", "32-bit numbers for NumPy. PATH.jsonl beside it says what each row is", Self::Npy),
            ("parquet", "Apache Parquet with a row for each vector", Self::Parquet),
        ]
    }
}

/// What `codenet evaluate` writes.
#[cfg(feature = "train")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasuredFormat {
    Text,
    Json,
}

#[cfg(feature = "train")]
impl Formats for MeasuredFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![row(TEXT, Self::Text), row(JSON, Self::Json)]
    }
}

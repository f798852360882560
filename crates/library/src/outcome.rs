//! What became of sources that were read into a corpus.

use familiar_corpus::SourceError;

/// What became of each source.
#[derive(Debug, Default)]
pub struct Outcome {
    pub added: Vec<Added>,
    /// How many releases of packages were there already; what is published does not change, so they were not fetched.
    pub held: u64,
    /// The sources that could not be read, and why; the corpus is as if they had not been named.
    pub failed: Vec<SourceError>,
}

/// What a source gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    pub source: String,
    /// Bytes of the content read.
    pub bytes: u64,
    pub occurrences: u64,
    /// Blobs that the corpus did not hold.
    pub blobs: u64,
    pub fragments: u64,
    /// Files that are kept for what they say of licenses.
    pub license_files: u64,
    /// Items that are no code, and no such files.
    pub not_code: u64,
    pub skips: u64,
    /// Lines of the new blobs that count for nothing, because comments say so.
    pub ignored_lines: u64,
    /// Whether it adds to what was read before, so that no news is no surprise.
    pub continues: bool,
}

//! Clones among uploads and corpora.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_corpus::archive::Archive;
use familiar_corpus::spec;
use familiar_engine::{CloneOptions, Progress, clones};
use familiar_library::Extent;
use familiar_model::Builtin;
use familiar_report::html::ResultView;
use familiar_report::{CloneReport, Style};
use familiar_source::FragmentKind;

use super::context::Context;
use super::files::{CLONES, RESULT, keep, leave_pages, write_excerpt};
use super::filling::{add, outcome_of, source_of};
use super::peer_corpora::{PeerCorpora, of_peers};
use super::progress::Failure;
use crate::tasks::{Bounds, Clones, Found, Layout};

/// Most pairs of one class in the formats that enumerate them.
const MOST_PAIRS_PER_CLASS: u64 = 1000;

pub(super) fn find_clones(wanted: &Clones, context: Context<'_>) -> Result<Found, Failure> {
    let Context { folder, bounds, progress } = context;
    let mut searched = Searched { names: wanted.names.clone(), ..Searched::default() };
    if wanted.uploads.is_empty() {
        searched.corpora.clone_from(&wanted.corpora);
    } else {
        // Beside corpora, projects are named behind it.
        searched.names.insert(0, "uploads".to_owned());
        searched.corpora.push(corpus_of_uploads(wanted, context)?);
        searched.beside.clone_from(&wanted.corpora);
    }
    let PeerCorpora { corpora, unanswered } = PeerCorpora::gather(&wanted.peers, context)?;
    for (name, corpus) in corpora {
        searched.names.push(name);
        searched.beside.push(corpus);
    }
    let mut report = clones::run(&options(wanted, bounds, searched)?, None, progress)?;
    report.summary.unanswered = of_peers(&unanswered);
    progress.stage("writing", 0);
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    if wanted.excerpt {
        let found = report.fragments.iter().filter_map(|fragment| fragment.blob.as_deref()?.parse().ok());
        write_excerpt(&wanted.names, &wanted.corpora, &found.collect(), Extent::Standing, &result)?;
    } else {
        leave_clones(&report, &result)?;
    }
    let summary = &report.summary;
    Ok(Found {
        files: summary.files,
        classes: summary.classes,
        pairs: summary.pairs,
        duplication: summary.duplication,
        verdicts: None,
        unanswered,
    })
}

/// The corpora that take part in a search.
#[derive(Default)]
struct Searched {
    /// Those in which clones are looked for, and those that they are only compared with.
    corpora: Vec<PathBuf>,
    beside: Vec<PathBuf>,
    /// How a report calls them, first those of `corpora`.
    names: Vec<String>,
}

/// Makes a corpus of the uploads.
fn corpus_of_uploads(wanted: &Clones, context: Context<'_>) -> Result<PathBuf, Failure> {
    let corpus = context.folder.join("uploads");
    let (names, base) = sources(wanted, context.folder)?;
    let outcome = add(&corpus, &names, &base, context)?;
    outcome_of(&outcome)?;
    Ok(corpus)
}

/// The options of the search that a request asks for.
fn options(wanted: &Clones, bounds: Bounds, searched: Searched) -> Result<CloneOptions, Failure> {
    let mut granularity = Vec::new();
    for name in &wanted.granularity {
        granularity
            .push(FragmentKind::from_name(name).ok_or_else(|| format!("{name} is not a kind of fragment"))?);
    }
    granularity.sort_unstable();
    granularity.dedup();
    let mut types = wanted.types.clone();
    types.sort_unstable();
    types.dedup();
    let encoder = types.contains(&4).then(|| std::sync::Arc::new(Builtin::shipped().clone()) as _);
    Ok(CloneOptions {
        corpora: searched.corpora,
        beside: searched.beside,
        corpus_names: searched.names,
        // Who asked for an excerpt leaves it out, knowing all places.
        include_handed_out: wanted.excerpt,
        between_projects: wanted.between_projects || wanted.layout == Layout::Submissions,
        granularity,
        types,
        min_tokens: wanted.min_tokens,
        min_lines: wanted.min_lines,
        cross_language: wanted.cross_language,
        threads: bounds.threads,
        memory: bounds.memory,
        max_pairs_per_class: Some(MOST_PAIRS_PER_CLASS),
        alignments: true,
        encoder,
        explain: wanted.explain,
        ..CloneOptions::default()
    })
}

/// Leaves a result in every format, with the pages to browse.
fn leave_clones(report: &CloneReport, result: &Path) -> Result<(), Failure> {
    for (format, name) in CLONES {
        let style = Style { color: false, width: 100, show: Some(100) };
        keep(&result.join(name), |out| familiar_report::write(report, format, style, out))?;
    }
    leave_pages(&ResultView::from(report), result)
}

/// The sources that the uploads are, and which of them were handed out.
fn sources(wanted: &Clones, folder: &Path) -> Result<(Vec<String>, BTreeSet<String>), Failure> {
    let (mut names, mut base) = (Vec::new(), BTreeSet::new());
    match (wanted.layout, wanted.uploads.as_slice()) {
        (Layout::Submissions, [one]) if Archive::is_archive(one)? => {
            let path = one.to_str().ok_or("the name of the server's folder is not text")?;
            names.push(spec::canonical(&format!("submissions:{path}"))?);
        }
        (Layout::Submissions, many) => {
            let root = folder.join("submissions");
            std::fs::create_dir_all(&root)?;
            for upload in many {
                std::fs::hard_link(upload, free_name(&root, upload))?;
            }
            let path = root.to_str().ok_or("the name of the server's folder is not text")?;
            names.push(spec::canonical(&format!("submissions:{path}"))?);
        }
        (Layout::Tree, many) => {
            for upload in many {
                names.push(spec::canonical(&source_of(upload)?)?);
            }
        }
    }
    for upload in &wanted.base {
        let name = spec::canonical(&source_of(upload)?)?;
        base.insert(name.clone());
        names.insert(0, name);
    }
    Ok((names, base))
}

/// Where an upload of this name may stand among others.
fn free_name(root: &Path, upload: &Path) -> PathBuf {
    let name = upload.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = (1u64..).map(|number| root.join(format!("{number}-{name}")));
    let mut names = std::iter::once(root.join(&name)).chain(numbered);
    names.find(|path| !path.exists()).expect("numbers have no end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_of_one_name_stand_beside_each_other() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let mut names = Vec::new();
        for given in ["a.py", "2-a.py", "1-a.py", "a.py", "a.py"] {
            let path = free_name(root.path(), Path::new(given));
            std::fs::write(&path, "").expect("it is free");
            names.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
        assert_eq!(names, ["a.py", "2-a.py", "1-a.py", "3-a.py", "4-a.py"]);
    }
}

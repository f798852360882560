//! Submissions of many authors: one folder, archive or file for each, in a folder or in an archive.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::{Archive, project_of};
use crate::content::name_of;
use crate::tree::Tree;
use crate::{Found, Limits, Sink, Source, SourceError};
use familiar_files::dir::{PathFilter, WalkOptions, is_store};
use familiar_source::words;

/// What systems put beside the submissions, which is nobody's.
const NOBODYS: [&str; 3] = ["__MACOSX", ".DS_Store", "Thumbs.db"];

fn is_nobodys(entry: &str) -> bool {
    NOBODYS.contains(&entry) || is_store(entry)
}

/// A folder or an archive whose entries are the authors; of an archive with a single folder at its top, what stands in that. An entry's
/// name, without the endings of archives and without what Moodle and Canvas add when they export submissions, is
/// project and author; what it holds is read as a [`Tree`] or an [`Archive`]. The paths of skips have the entry's name in front.
#[derive(Clone, Debug)]
pub struct Submissions {
    pub root: PathBuf,
    pub walk: WalkOptions,
}

impl Source for Submissions {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let unreadable = |source| SourceError::Read { path: self.root.clone(), source };
        if self.root.is_file() {
            return self.packed(limits, sink);
        }
        let entries = std::fs::read_dir(&self.root).map_err(unreadable)?;
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        paths.retain(|path| !is_nobodys(&name_of(path)));
        paths.sort();
        for path in paths {
            if self.submission(&path, limits, sink).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn has_projects(&self) -> bool {
        true
    }

    fn exclude(&self) -> &[String] {
        &self.walk.exclude
    }

    fn no_ignore(&self) -> bool {
        self.walk.no_ignore
    }
}

impl Submissions {
    /// All authors of an archive.
    fn packed(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let archive = Archive { file: self.root.clone(), exclude: Vec::new() };
        let left_out = PathFilter::new(&self.walk.exclude)?;
        let top = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        // The folder around all of it, if there is one: looked for until there are two names.
        let (mut tops, mut is_flat) = (BTreeSet::new(), false);
        archive.read(limits, &mut |found: Found| {
            if let Found::Item(item) = found {
                match item.occurrence.path.split_once('/') {
                    _ if is_nobodys(&top(&item.occurrence.path)) => {}
                    Some((top, _)) => drop(tops.insert(top.to_owned())),
                    None => is_flat = true,
                }
            }
            if is_flat || tops.len() > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let around = tops.pop_first().filter(|_| tops.is_empty() && !is_flat).map(|top| format!("{top}/"));
        archive.read(limits, &mut |found: Found| {
            let mut item = match found {
                Found::Skip { path, .. } if is_nobodys(&top(&path)) => return ControlFlow::Continue(()),
                Found::Item(item) => item,
                found => return sink(found),
            };
            if is_nobodys(&top(&item.occurrence.path)) {
                return ControlFlow::Continue(());
            }
            let whole = std::mem::take(&mut item.occurrence.path);
            let path = around.as_deref().and_then(|around| whole.strip_prefix(around)).unwrap_or(&whole);
            let (entry, below) = path.split_once('/').unwrap_or((path, path));
            if is_nobodys(entry) || left_out.leaves_out(below) {
                return ControlFlow::Continue(());
            }
            let is_file = entry.len() == path.len();
            let author = platform_author(entry)
                .unwrap_or_else(|| if is_file { entry.to_owned() } else { author_of(entry) });
            below.clone_into(&mut item.occurrence.path);
            sink(by_author(Found::Item(item), &author, entry))
        })
    }

    fn archive(&self, file: &Path) -> Archive {
        Archive { file: file.to_owned(), exclude: self.walk.exclude.clone() }
    }

    /// Everything of one author. An author who cannot be read is a skip.
    fn submission(&self, path: &Path, limits: &Limits, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let name = name_of(path);
        if path.is_symlink() {
            return sink(Found::Skip { path: name, reason: "symbolic link, not followed".to_owned() });
        }
        let source: Result<(String, Box<dyn Source>), _> =
            match path.is_file().then(|| Archive::is_archive(path)) {
                Some(Ok(true)) => Ok((author_of(&name), Box::new(self.archive(path)))),
                None | Some(Ok(false)) => {
                    let author = platform_author(&name).unwrap_or_else(|| name.clone());
                    Ok((author, Box::new(Tree { root: path.to_owned(), walk: self.walk.clone() })))
                }
                Some(Err(error)) => Err(words::unread(&error)),
            };
        let (author, source) = match source {
            Ok(known) => known,
            Err(reason) => return sink(Found::Skip { path: name, reason }),
        };
        // An archive ends by itself where it meets a limit; only the sink ends the reading of all.
        let mut asked = ControlFlow::Continue(());
        let mut of_author = |found: Found| {
            asked = sink(by_author(found, &author, &name));
            asked
        };
        match source.read(limits, &mut of_author) {
            Ok(()) => asked,
            Err(error) => sink(Found::Skip { path: name, reason: words::unread(&error) }),
        }
    }
}

/// Whose an entry of this name is: the name without what a platform adds, and without the endings of archives.
pub(crate) fn author_of(entry: &str) -> String {
    platform_author(entry).unwrap_or_else(|| project_of(Path::new(entry)))
}

/// The author in names as learning platforms make them: `Ada Lovelace_123_assignsubmission_file` of Moodle, and of Canvas
/// `lovelaceada_123_456_name.py`, with `LATE_` before the numbers where it came late. Of Canvas the first number stays: it tells
/// authors of one name apart.
fn platform_author(entry: &str) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((before, _)) = entry.split_once("_assignsubmission") {
        let (author, number) = before.rsplit_once('_')?;
        return (is_number(number) && !author.is_empty()).then(|| author.to_owned());
    }
    let (author, rest) = entry.split_once('_')?;
    let mut parts = rest.strip_prefix("LATE_").unwrap_or(rest).splitn(3, '_');
    let (user, submission, name) = (parts.next()?, parts.next()?, parts.next()?);
    (!author.is_empty() && is_number(user) && is_number(submission) && !name.is_empty())
        .then(|| format!("{author}_{user}"))
}

/// Whether a skip at `path` of such a source is of this author.
pub fn is_of(author: &str, path: &str) -> bool {
    let entry = path.split_once('/').map_or(path, |(entry, _)| entry);
    entry == author || author_of(entry) == author
}

fn by_author(found: Found, author: &str, name: &str) -> Found {
    match found {
        Found::Item(mut item) => {
            author.clone_into(&mut item.occurrence.project);
            item.occurrence.author = Some(author.to_owned());
            Found::Item(item)
        }
        Found::Skip { path, reason } if path == name => Found::Skip { path, reason },
        Found::Skip { path, reason } => Found::Skip { path: format!("{name}/{path}"), reason },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compressed::tests::gzip;
    use crate::tree::tests::{all, summaries};

    #[test]
    fn every_entry_is_an_author() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path();
        std::fs::create_dir_all(root.join("ann/src")).expect("just made");
        std::fs::create_dir_all(root.join(".git")).expect("just made");
        std::fs::write(root.join(".git/hook.py"), "x").expect("just made");
        std::fs::write(root.join("ann/src/a.py"), "a").expect("just made");
        std::fs::write(root.join("bob.gz"), gzip(b"b")).expect("just made");
        std::fs::write(root.join("eve.py"), "e").expect("just made");
        let packed = gzip(&b"x".repeat(1000));
        std::fs::write(root.join("mal.gz"), &packed[..packed.len() / 2]).expect("just made");
        let found =
            all(&Submissions { root: root.to_owned(), walk: WalkOptions::default() }, &Limits::default());
        let summaries = summaries(&found);
        assert_eq!(summaries[..3], ["src/a.py=a", "bob=b", "eve.py=e"]);
        assert!(summaries[3].starts_with("mal.gz!") || summaries[3].starts_with("mal.gz/"), "{summaries:?}");
        let authors = found.iter().filter_map(|found| match found {
            Found::Item(item) => Some((item.occurrence.project.as_str(), item.occurrence.author.as_deref())),
            _ => None,
        });
        let expected = [("ann", Some("ann")), ("bob", Some("bob")), ("eve.py", Some("eve.py"))];
        assert_eq!(authors.collect::<Vec<_>>(), expected);
        assert!(is_of("mal", "mal.gz") && is_of("ann", "ann/src/x.bin") && is_of("eve.py", "eve.py"));
        assert!(!is_of("ann", "anna/ann") && !is_of("eve", "eve.py"));
    }

    #[test]
    fn what_platforms_export_names_the_authors() {
        for (entry, author) in [
            ("Ada Lovelace_1234567_assignsubmission_file_", "Ada Lovelace"),
            ("Ada_Lovelace_7_assignsubmission_onlinetext", "Ada_Lovelace"),
            ("lovelaceada_123_456_hw 1.py", "lovelaceada_123"),
            ("lovelaceada_LATE_123_456_hw.tar.gz", "lovelaceada_123"),
            ("ann.tar.gz", "ann"),
            ("a_b_c.py", "a_b_c.py"),
            ("x_assignsubmission_file", "x_assignsubmission_file"),
        ] {
            assert_eq!(author_of(entry), author, "{entry}");
        }
    }

    #[test]
    fn an_archive_has_authors_at_its_top_or_in_its_only_folder() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let read = |entries: &[(&str, &str)]| {
            let file = dir.path().join("all.tar");
            let mut tar = tar::Builder::new(std::fs::File::create(&file).expect("a new file"));
            for (path, text) in entries {
                let mut header = tar::Header::new_gnu();
                header.set_size(text.len() as u64);
                header.set_mode(0o644);
                tar.append_data(&mut header, path, text.as_bytes()).expect("it is written");
            }
            tar.into_inner().expect("it is written");
            let found = all(&Submissions { root: file, walk: WalkOptions::default() }, &Limits::default());
            let of = |found: &Found| match found {
                Found::Item(item) => format!("{}: {}", item.occurrence.project, item.occurrence.path),
                other => format!("{other:?}"),
            };
            found.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(read(&[("ann/src/a.py", "a"), ("bob/b.py", "b")]), ["ann: src/a.py", "bob: b.py"]);
        let mac = ["__MACOSX/hw/ann/._a.py", "hw/.DS_Store", ".DS_Store"].map(|path| (path, "\0"));
        let authors = read(&[&mac[..], &[("hw/ann/a.py", "a"), ("hw/bob/b.py", "b")]].concat());
        assert_eq!(authors, ["ann: a.py", "bob: b.py"]);
        let around = read(&[("hw/Ada L_7_assignsubmission_file_/a.py", "a"), ("hw/bob/b.py", "b")]);
        assert_eq!(around, ["Ada L: a.py", "bob: b.py"]);
        let flat = read(&[("lovelaceada_1_2_a.py", "a"), ("lovelaceada_1_3_b.py", "b"), ("x.py", "x")]);
        let expected =
            ["lovelaceada_1: lovelaceada_1_2_a.py", "lovelaceada_1: lovelaceada_1_3_b.py", "x.py: x.py"];
        assert_eq!(flat, expected);
    }

    #[test]
    fn a_missing_root_is_an_error() {
        let missing = Submissions { root: PathBuf::from("no/such"), walk: WalkOptions::default() };
        let error = missing.read(&Limits::default(), &mut |_| ControlFlow::Continue(())).expect_err("none");
        assert!(error.to_string().contains("no/such"));
    }
}

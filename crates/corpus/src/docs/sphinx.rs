//! What Sphinx takes the literal blocks of a project for: `highlight_language` of the `conf.py` above a document.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use familiar_source::Language;

use crate::LanguageHint;
use familiar_files::bounded::read_within;

/// Most bytes of a `conf.py`.
const MOST: u64 = 1 << 20;
/// Where no `conf.py` says otherwise, Sphinx tries Python.
const PYTHON: LanguageHint = LanguageHint::Block { likely: Some(Language::Python) };

/// The defaults of the folders below a root, each looked up once.
pub(super) struct Defaults<'r> {
    root: &'r Path,
    by_folder: HashMap<PathBuf, LanguageHint>,
}

impl<'r> Defaults<'r> {
    pub(super) fn new(root: &'r Path) -> Self {
        Self { root, by_folder: HashMap::new() }
    }

    /// The default for a document, of the nearest `conf.py` between it and the root.
    pub(super) fn of(&mut self, document: &Path) -> LanguageHint {
        let folders = || document.ancestors().skip(1).take_while(|folder| folder.starts_with(self.root));
        let known = folders().enumerate().find_map(|(depth, folder)| {
            let language =
                self.by_folder.get(folder).copied().or_else(|| configured(&folder.join("conf.py")))?;
            Some((depth, language))
        });
        let (depth, language) = known.unwrap_or((usize::MAX, PYTHON));
        let passed: Vec<PathBuf> = folders().take(depth.saturating_add(1)).map(Path::to_owned).collect();
        self.by_folder.extend(passed.into_iter().map(|folder| (folder, language)));
        language
    }
}

/// What a `conf.py` makes the default, if there is one.
fn configured(path: &Path) -> Option<LanguageHint> {
    // A pipe would have no end, and a link may lead out of the tree.
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let file = File::open(path).ok()?;
    let bytes = read_within(file, MOST).ok()??;
    let text = String::from_utf8_lossy(&bytes);
    let value = |line: &str| {
        let value = line.strip_prefix("highlight_language")?.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        value[1..].split(quote).next().map(str::to_owned)
    };
    Some(match text.lines().rev().find_map(value).as_deref() {
        None | Some("default") => PYTHON,
        Some(name) => match LanguageHint::of_name(name) {
            LanguageHint::Language(language) => LanguageHint::Block { likely: Some(language) },
            other => other,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_configuration_counts() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let root = root.path();
        std::fs::create_dir_all(root.join("c/deep")).expect("just made");
        std::fs::create_dir_all(root.join("none")).expect("just made");
        std::fs::write(root.join("c/conf.py"), "x = 1\nhighlight_language = 'c++'  # so\n")
            .expect("just made");
        std::fs::write(root.join("none/conf.py"), "highlight_language=\"none\"\n").expect("just made");
        let mut defaults = Defaults::new(root);
        let likely = |language| LanguageHint::Block { likely: Some(language) };
        for (document, expected) in [
            ("a.rst", likely(Language::Python)),
            ("c/deep/a.rst", likely(Language::Cpp)),
            ("c/a.rst", likely(Language::Cpp)),
            ("none/a.rst", LanguageHint::Other),
        ] {
            assert_eq!(defaults.of(&root.join(document)), expected, "{document}");
        }
    }

    #[test]
    fn links_are_not_followed_and_pipes_not_waited_for() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let outside = dir.path().join("outside.py");
        std::fs::write(&outside, "highlight_language = 'c'\n").expect("just made");
        let root = dir.path().join("root");
        for folder in ["link", "pipe"] {
            std::fs::create_dir_all(root.join(folder)).expect("just made");
        }
        std::os::unix::fs::symlink(&outside, root.join("link/conf.py")).expect("just made");
        let made = std::process::Command::new("mkfifo").arg(root.join("pipe/conf.py")).status();
        assert!(made.expect("every Unix has it").success());
        let mut defaults = Defaults::new(&root);
        for document in ["link/a.rst", "pipe/a.rst"] {
            assert_eq!(defaults.of(&root.join(document)), PYTHON, "{document}");
        }
    }
}

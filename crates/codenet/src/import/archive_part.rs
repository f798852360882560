//! Which part of CodeNet's layout a path of an archive is.

use std::ops::ControlFlow;
use std::path::Path;

use familiar_corpus::archive::Archive;
use familiar_corpus::{Found, Limits, Source as _, SourceError};

/// Most bytes of a name in a path. A file system takes 255, and an ending may come behind.
const NAME_BYTES: usize = 200;

/// What a path below the root says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'p> {
    /// `data/pNNNNN/LANGUAGE/sNNNNNNNNN.EXT`
    Text { problem: &'p str, language: &'p str, file: &'p str },
    /// `metadata/NAME.csv`, without the ending.
    Table(&'p str),
    /// `problem_descriptions/pNNNNN.html`
    Statement(&'p str),
    /// `derived/input_output/data/pNNNNN/input.txt`, or `output.txt`.
    Sample { problem: &'p str, file: &'p str },
    /// It stands below `data`, but says nothing there; and why.
    Misplaced(&'static str),
    /// It belongs to no submission and no problem.
    Other,
}

impl<'p> Part<'p> {
    pub(super) fn of(path: &'p str) -> Self {
        let names: Vec<&str> = path.split('/').collect();
        let is_long = names.iter().any(|name| name.len() > NAME_BYTES);
        match names[..] {
            ["data" | "metadata" | "problem_descriptions", ..] if is_long => {
                Self::Misplaced("its name is too long")
            }
            ["data", problem, language, file] => Self::Text { problem, language, file },
            ["data", ..] => Self::Misplaced("its path is not data/PROBLEM/LANGUAGE/FILE"),
            ["metadata", file] => file.strip_suffix(".csv").map_or(Self::Other, Self::Table),
            ["problem_descriptions", file] => file.strip_suffix(".html").map_or(Self::Other, Self::Statement),
            ["derived", "input_output", "data", problem, file @ ("input.txt" | "output.txt")] if !is_long => {
                Self::Sample { problem, file }
            }
            _ => Self::Other,
        }
    }

    /// Whether the ids are those of CodeNet, so that one path is enough to know the layout.
    fn has_own_ids(&self) -> bool {
        match *self {
            Self::Text { problem, file, .. } => {
                is_id(problem, 'p', 5) && is_id(file.split('.').next().unwrap_or_default(), 's', 9)
            }
            Self::Table(name) => name == "problem_list" || is_id(name, 'p', 5),
            _ => false,
        }
    }
}

fn is_id(text: &str, letter: char, digits: usize) -> bool {
    let number = text.strip_prefix(letter).unwrap_or_default();
    number.len() == digits && number.bytes().all(|digit| digit.is_ascii_digit())
}

/// The folder of an archive in which CodeNet's layout begins: empty, or with a `/` at its end. `None` where the archive has another
/// layout. Reads no further than it must.
pub(super) fn root_of(archive: &Path) -> Result<Option<String>, SourceError> {
    let (mut data, mut tables, mut root) = (None, None, None);
    // Archives inside this one say nothing about it.
    let limits = Limits { archive_depth: 0, archive_entries: u64::MAX, ..Limits::default() };
    Archive { file: archive.to_owned(), exclude: Vec::new() }.read(&limits, &mut |found| {
        let Found::Item(item) = found else { return ControlFlow::Continue(()) };
        let path = item.occurrence.path;
        let Some((above, below)) = apart(&path) else { return ControlFlow::Continue(()) };
        let part = Part::of(below);
        let (of_kind, other) = match part {
            Part::Text { .. } => (&mut data, &tables),
            Part::Table(_) => (&mut tables, &data),
            _ => return ControlFlow::Continue(()),
        };
        let of_kind = of_kind.get_or_insert_with(|| above.to_owned());
        if part.has_own_ids() || other.as_ref() == Some(of_kind) {
            root = Some(above.to_owned());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(root)
}

/// What stands above a text or a table, and the path below that.
fn apart(path: &str) -> Option<(&str, &str)> {
    let starts = path.rmatch_indices('/').map(|(at, _)| at + 1).chain([0]);
    let at = |depth: usize| starts.clone().nth(depth);
    [(1, "metadata/"), (3, "data/")].into_iter().find_map(|(depth, folder)| {
        let start = at(depth)?;
        path[start..].starts_with(folder).then(|| path.split_at(start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_what_they_are() {
        let text = Part::Text { problem: "p00001", language: "C++", file: "s000000001.cpp" };
        let long = format!("data/p00001/C/{}.c", "s".repeat(300));
        for (path, part) in [
            ("data/p00001/C++/s000000001.cpp", text),
            ("metadata/p00001.csv", Part::Table("p00001")),
            ("problem_descriptions/p00001.html", Part::Statement("p00001")),
            (
                "derived/input_output/data/p00001/input.txt",
                Part::Sample { problem: "p00001", file: "input.txt" },
            ),
            ("derived/input_output/data/README.md", Part::Other),
            ("data/p00001/s000000001.cpp", Part::Misplaced("its path is not data/PROBLEM/LANGUAGE/FILE")),
            (long.as_str(), Part::Misplaced("its name is too long")),
            ("set.json", Part::Other),
        ] {
            assert_eq!(Part::of(path), part, "{path}");
        }
    }

    #[test]
    fn a_path_is_taken_apart_where_the_layout_begins() {
        assert_eq!(apart("Project_CodeNet/metadata/a.csv"), Some(("Project_CodeNet/", "metadata/a.csv")));
        assert_eq!(apart("x/y/data/p/C/s.c"), Some(("x/y/", "data/p/C/s.c")));
        assert_eq!(apart("data/p/C/s.c"), Some(("", "data/p/C/s.c")));
        assert_eq!(apart("mydata/p/C/s.c"), None);
        assert_eq!(apart("sum/ann/main.py"), None);
        assert_eq!(apart("main.py"), None);
    }
}

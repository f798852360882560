//! Functions that packages of several languages have under one name, where the packages are translations of one another.

use std::path::Path;

use familiar_source::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::TrainError;
use crate::packages::{Function, functions_of_package};
use crate::recipe::SourceRecipe;
use crate::row::Row;

/// Least letters of a name that says by itself, in whatever file it stands, that two functions do the same.
const TELLING: usize = 7;

/// Most functions of one language in a group: what is overloaded more often is not told apart by its name.
const OF_LANGUAGE: usize = 3;

/// Most times that a function may be longer or shorter than the middle one of its group, and still be its translation.
const TIMES: usize = 4;

/// The functions of each family that `source` names, those of one name in a group; only groups of several languages.
pub(crate) fn rows(source: &SourceRecipe, folder: &Path) -> Result<Vec<Row>, TrainError> {
    let mut rows = Vec::new();
    for (number, family) in source.families.iter().enumerate() {
        let mut seen = FxHashSet::default();
        let mut functions = Vec::new();
        for package in family {
            functions.extend(functions_of_package(&folder.join(package), &mut seen)?);
        }
        let groups = groups(&functions);
        let every = groups.len().div_ceil(source.functions_of_package.max(1)).max(1);
        let mut of: FxHashMap<usize, usize> = FxHashMap::default();
        for (group, members) in groups.into_iter().step_by(every).enumerate() {
            of.extend(members.into_iter().map(|member| (member, group)));
        }
        for (at, function) in functions.into_iter().enumerate() {
            if let Some(group) = of.get(&at) {
                rows.push(Row { group: format!("{number}:{group}"), ..function.row });
            }
        }
    }
    Ok(rows)
}

/// Numbers of functions that belong together: those of one name in files of one name, then those of one telling name.
fn groups(functions: &[Function]) -> Vec<Vec<usize>> {
    let beside = |at: &usize| (stem(&functions[*at].path), joined(&functions[*at].name));
    let all: Vec<usize> = (0..functions.len()).filter(|&at| !functions[at].name.is_empty()).collect();
    let mut groups = grouped(functions, &all, beside);
    let taken: FxHashSet<usize> = groups.iter().flatten().copied().collect();
    let rest: Vec<usize> = all.into_iter().filter(|at| !taken.contains(at)).collect();
    let mut languages: FxHashMap<String, FxHashSet<Language>> = FxHashMap::default();
    for &at in &rest {
        languages.entry(joined(&functions[at].name)).or_default().insert(functions[at].row.language);
    }
    // `yaml_parser_fetch_value` is `fetchValue` where another language has a function of that name.
    let telling = |at: &usize| {
        let function = &functions[*at];
        let elsewhere = |end: &String| {
            languages.get(end).is_some_and(|of| of.iter().any(|other| *other != function.row.language))
        };
        ends(&function.name)
            .find(|end| end.len() >= TELLING && elsewhere(end))
            .unwrap_or_else(|| joined(&function.name))
    };
    let telling_groups = grouped(functions, &rest, telling);
    groups.extend(
        telling_groups
            .into_iter()
            .filter(|group| group.iter().any(|&at| joined(&functions[at].name).len() >= TELLING)),
    );
    groups
}

/// Those of `numbers` that have one key, where they are of several languages and of about one length; in the order of their first.
fn grouped<Key: std::hash::Hash + Eq>(
    functions: &[Function],
    numbers: &[usize],
    key: impl Fn(&usize) -> Key,
) -> Vec<Vec<usize>> {
    let mut places: FxHashMap<Key, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in numbers {
        let place = *places.entry(key(at)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(*at);
    }
    for group in &mut groups {
        let mut lengths: Vec<usize> = group.iter().map(|&at| functions[at].tokens).collect();
        lengths.sort_unstable();
        let middle = lengths[lengths.len() / 2];
        let like = |&at: &usize| {
            let length = functions[at].tokens;
            length <= middle * TIMES && middle <= length * TIMES
        };
        group.retain(like);
    }
    groups.retain(|group| {
        let mut of: FxHashMap<Language, usize> = FxHashMap::default();
        for &at in group {
            *of.entry(functions[at].row.language).or_default() += 1;
        }
        of.len() > 1 && of.values().all(|&count| count <= OF_LANGUAGE)
    });
    groups
}

/// The letters and digits of a name, small: `fetch_value` and `FetchValue` are one.
fn joined(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A file's name without its endings.
fn stem(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    joined(file.split('.').next().unwrap_or(file))
}

/// The name, then what is left of it from each of its later words on.
fn ends(name: &str) -> impl Iterator<Item = String> {
    let bytes = name.as_bytes();
    let begins = |at: &usize| {
        *at == 0
            || bytes[at - 1] == b'_' && bytes[*at] != b'_'
            || bytes[at - 1].is_ascii_lowercase() && bytes[*at].is_ascii_uppercase()
    };
    (0..bytes.len()).filter(begins).map(|at| joined(&name[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(path: &str, name: &str, language: Language, tokens: usize) -> Function {
        let row = Row { group: String::new(), language, code: String::new(), author: None };
        Function { path: path.to_owned(), name: name.to_owned(), tokens, form: 0, row }
    }

    #[test]
    fn functions_of_one_name_in_several_languages_belong_together() {
        let functions = [
            function("scanner.c", "yaml_parser_fetch_value", Language::C, 100),
            function("c/Line.java", "scale", Language::Java, 90),
            function("Scanner.java", "fetchValue", Language::Java, 110),
            function("line.py", "scale", Language::Python, 70),
            function("other.py", "scale", Language::Python, 70),
            function("scanner.py", "fetch_value", Language::Python, 80),
            function("far.go", "FetchValue", Language::Go, 500),
            function("a.java", "run", Language::Java, 80),
            function("b.py", "run", Language::Python, 80),
        ];
        assert_eq!(groups(&functions), [vec![1, 3], vec![2, 5],]);
    }
}

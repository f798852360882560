//! Recipes that say only in what they differ from another one.

use std::path::Path;

use toml::{Table, Value};

use crate::TrainError;

/// Most recipes that build on one another.
const LONGEST: usize = 8;

/// The table of the recipe at `path`, laid over that of the recipe that its `base` names, which stands beside it.
///
/// A table changes the keys that it names. A `source` changes the one with the same `name`, and another one is added. Paths in
/// `start` are relative to the recipe that names them.
pub(crate) fn table(path: &Path) -> Result<Table, TrainError> {
    nested(path, LONGEST)
}

fn nested(path: &Path, left: usize) -> Result<Table, TrainError> {
    let wrong = |reason: String| TrainError::Recipe { path: path.to_owned(), reason };
    let text =
        std::fs::read_to_string(path).map_err(|source| TrainError::Read { path: path.to_owned(), source })?;
    let mut table: Table = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    if let Some(Value::Array(start)) = table.get_mut("start") {
        for value in start {
            if let Value::String(start) = value {
                *start = folder.join(&start).to_string_lossy().into_owned();
            }
        }
    }
    let Some(base) = table.remove("base") else { return Ok(table) };
    let Some(base) = base.as_str() else { return Err(wrong("base is no path of a recipe".to_owned())) };
    if left == 0 {
        return Err(wrong(format!(
            "more than {LONGEST} recipes build on one another: check what each names as its base"
        )));
    }
    let mut under = nested(&folder.join(base), left - 1)?;
    lay_over(&mut under, table);
    Ok(under)
}

fn lay_over(under: &mut Table, over: Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(under)), Value::Table(over)) => lay_over(under, over),
            (Some(Value::Array(sources)), Value::Array(changed)) if key == "source" => {
                for source in changed {
                    change(sources, source);
                }
            }
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Changes the source of the same name, or adds one.
fn change(sources: &mut Vec<Value>, changed: Value) {
    let name = |source: &Value| source.get("name").and_then(Value::as_str).map(str::to_owned);
    let known = name(&changed);
    let same = sources.iter_mut().find(|source| known.is_some() && name(source) == known);
    match (same, changed) {
        (Some(Value::Table(under)), Value::Table(over)) => lay_over(under, over),
        (_, changed) => sources.push(changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) {
        std::fs::write(folder.join(name), text).expect("a temporary folder can be written");
    }

    #[test]
    fn a_recipe_changes_what_it_names_of_its_base() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("in")).expect("a temporary folder can be written");
        let base = "name = \"a\"\nseed = 1\nstart = [\"w.bin\"]\n[training]\nsteps = 1\nrate = 0.5\n\
                    [[source]]\nname = \"x\"\ngroups = 1\nrows = 2\n[[source]]\nname = \"y\"\ngroups = 3\n";
        write(folder.path(), "base.toml", base);
        let over = "base = \"../base.toml\"\nname = \"b\"\n[training]\nsteps = 9\n\
                    [[source]]\nname = \"x\"\ngroups = 7\n[[source]]\nname = \"z\"\ngroups = 5\n";
        write(&folder.path().join("in"), "over.toml", over);
        let table = table(&folder.path().join("in/over.toml")).expect("both can be read");
        assert_eq!((table["name"].as_str(), table["seed"].as_integer()), (Some("b"), Some(1)));
        assert_eq!(
            (table["training"]["steps"].as_integer(), table["training"]["rate"].as_float()),
            (Some(9), Some(0.5))
        );
        let groups: Vec<_> =
            (0..3).map(|at| table["source"][at]["groups"].as_integer().expect("a number")).collect();
        assert_eq!((groups, table["source"][0]["rows"].as_integer()), (vec![7, 3, 5], Some(2)));
        let start = table["start"][0].as_str().expect("a path");
        assert!(Path::new(start).starts_with(folder.path()) && start.ends_with("w.bin"), "{start}");
    }

    #[test]
    fn a_recipe_that_builds_on_itself_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), "a.toml", "base = \"b.toml\"\n");
        write(folder.path(), "b.toml", "base = \"a.toml\"\n");
        let error = table(&folder.path().join("a.toml")).expect_err("it has no end");
        assert!(error.to_string().contains("recipes build on one another"), "{error}");
    }
}

//! Trees made of strings, and the command run on them.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use familiar_store::Corpus;
use familiar_store::tables::{Blobs, Fragments, LicenseFiles, LicenseTexts, Occurrences, Skips, Texts};
use serde_json::Value;

/// A function of 64 tokens on nine lines, with names of its own.
pub(crate) fn function(name: &str, items: &str, start: u32) -> String {
    format!(
        "def {name}({items}):\n    \"\"\"Adds up.\"\"\"\n    result = {start}\n    for item in {items}:\n        \
         if item.price > 10 and item.count > 0:\n            result += item.price * item.count\n        \
         elif item.free:\n            result -= 1\n    return round(result, 2) if result else None\n\n\n"
    )
}

/// Another function, which is no clone of [`function`].
pub(crate) fn other_function(name: &str) -> String {
    format!(
        "def {name}(path, encoding='utf-8'):\n    with open(path, encoding=encoding) as file:\n        \
         lines = [line.rstrip() for line in file if not line.startswith('#')]\n    while lines and not lines[-1]:\n        \
         lines.pop()\n    return {{'path': path, 'lines': lines, 'size': len(lines), 'last': lines[-1:]}}\n\n\n"
    )
}

/// A temporary folder.
pub(crate) struct Tree {
    dir: tempfile::TempDir,
}

impl Tree {
    /// A folder with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self { dir: tempfile::tempdir().expect("the temporary folder can be written") };
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// Two files with a Type-1, and one with a Type-2 clone of the same function.
    pub(crate) fn with_clones() -> Self {
        Self::new(&[
            ("a.py", &function("total", "items", 0)),
            ("b/copy.py", &function("total", "items", 0)),
            ("c.py", &(other_function("read") + &function("sum_all", "values", 5))),
        ])
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("can be written");
        std::fs::write(path, text).expect("can be written");
    }

    /// `familiar clones` with these words, run in the folder.
    pub(crate) fn clones(&self, arguments: &str) -> Run {
        self.run(&format!("clones {arguments}"))
    }

    pub(crate) fn run(&self, arguments: &str) -> Run {
        self.run_words(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// As `run`, with arguments that may hold blanks.
    pub(crate) fn run_words(&self, arguments: &[&str]) -> Run {
        let mut command = familiar();
        command.current_dir(self.path()).args(arguments);
        Run(command.output().expect("the command was built"))
    }

    /// The result of `familiar clones … --format json`.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        self.clones(&format!("{arguments} --format json")).success().json()
    }

    pub(crate) fn git(&self, arguments: &str) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let output = std::process::Command::new("git")
            .current_dir(self.path())
            .args(identity)
            .args(arguments.split_whitespace())
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

pub(crate) fn familiar() -> Command {
    let mut command = Command::cargo_bin("familiar").expect("cargo built it");
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("FAMILIAR_DATA");
    command
}

/// What a run of the command gave.
pub(crate) struct Run(pub(crate) Output);

impl Run {
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().expect("no signal ended it")
    }

    #[track_caller]
    pub(crate) fn success(self) -> Self {
        assert_eq!(self.code(), 0, "{}", self.stderr());
        self
    }

    /// Checks that it failed with a message that holds all of `parts`.
    #[track_caller]
    pub(crate) fn fails_with(&self, parts: &[&str]) {
        let message = self.stderr();
        assert_eq!(self.code(), 2, "{message}");
        for part in parts {
            assert!(message.contains(part), "{part} is missing in: {message}");
        }
    }

    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("results are UTF-8")
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.0.stdout).expect("the result is JSON")
    }
}

/// The `path:start` of every fragment of a JSON result.
pub(crate) fn places(result: &Value) -> Vec<String> {
    let place = |fragment: &Value| {
        format!("{}:{}", fragment["path"].as_str().expect("a path is text"), fragment["start_line"])
    };
    result["fragments"].as_array().expect("a list").iter().map(place).collect()
}

/// How many classes and pairs a JSON result holds.
pub(crate) fn counts(result: &Value) -> (usize, usize) {
    let length = |key: &str| result[key].as_array().expect("a list").len();
    (length("classes"), length("pairs"))
}

/// The skipped files of a JSON result, as `path: reason`.
pub(crate) fn skips(result: &Value) -> Vec<String> {
    let skip = |skip: &Value| {
        format!("{}: {}", skip["path"].as_str().unwrap_or(""), skip["reason"].as_str().unwrap_or(""))
    };
    result["summary"]["skipped"].as_array().expect("a list").iter().map(skip).collect()
}

/// All that a corpus says, in order: its sources, and the rows that count.
pub(crate) fn rows(folder: &Path) -> Vec<String> {
    let corpus = Corpus::open(folder).expect("it was made");
    let mut rows: Vec<String> =
        corpus.manifest().sources.iter().map(|entry| format!("{} {}", entry.source, entry.base)).collect();
    corpus.read::<Blobs>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read::<Fragments>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read::<Texts>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read_latest::<Occurrences>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read_latest::<Skips>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    let files = corpus.read_latest::<LicenseFiles>(|_, row| rows.push(format!("license file {row:?}")));
    files.expect("it is whole");
    let texts = corpus.read::<LicenseTexts>(|_, row| rows.push(format!("license text {row:?}")));
    texts.expect("it is whole");
    rows.sort();
    rows
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    let output = std::process::Command::new("cp").arg("-r").args([from, to]).output().expect("there is cp");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A JSON Schema of the repository, by its path; `part` names one of its `$defs`.
pub(crate) fn schema(path: &str, part: Option<&str>) -> jsonschema::Validator {
    let read = |path: &str| -> Value {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let text = std::fs::read_to_string(file).expect("part of the repository");
        serde_json::from_str(&text).expect("a schema is JSON")
    };
    let mut registry = jsonschema::Registry::new();
    for name in ["spdx", "jsf-0.82"] {
        let file = format!("{name}.schema.json");
        let uri = format!("http://cyclonedx.org/schema/{file}");
        registry = registry.add(uri, read(&format!("crates/cli/tests/schemas/{file}"))).expect("a schema");
    }
    let mut whole = read(path);
    if let Some(part) = part {
        whole = serde_json::json!({ "$ref": format!("#/$defs/{part}"), "$defs": whole["$defs"] });
    }
    let registry = registry.prepare().expect("schemas are whole");
    jsonschema::options().with_registry(&registry).build(&whole).expect("the schema is one")
}

#[track_caller]
pub(crate) fn assert_valid(schema: &jsonschema::Validator, value: &Value) {
    let error = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
    let errors: Vec<String> = schema.iter_errors(value).map(error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

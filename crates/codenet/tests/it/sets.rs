//! Small sets, and what is in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use familiar_codenet::import::{self, ImportOptions, SetSummary};
use familiar_codenet::problems::ProblemDecisions;
use familiar_source::Silent;

pub(crate) fn options(source: PathBuf, output: PathBuf) -> ImportOptions {
    ImportOptions {
        source,
        output,
        columns: Vec::new(),
        statuses: Vec::new(),
        paths: None,
        problems: None,
        memory: 256 << 20,
        threads: 2,
    }
}

pub(crate) fn import(options: &ImportOptions) -> SetSummary {
    import::run(options, &Silent).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a temporary folder");
    fs::write(path, text).expect("a temporary folder");
}

/// All files below a folder by their paths.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it lies below").display().to_string();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// What somebody decided about pairs of problems.
pub(crate) fn decisions(folder: &Path, decided: &[(&str, &str, &str)]) -> ProblemDecisions {
    let line = |(one, two, decision): &(&str, &str, &str)| {
        let row = serde_json::json!({"problems": [one, two], "decision": decision, "author": "ada", "decided": "2026-01-31T12:00:00Z"});
        format!("{row}\n")
    };
    let file = folder.join("decisions.jsonl");
    write(&file, decided.iter().map(line).collect::<String>());
    ProblemDecisions::read(&file).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn skips(set: &Path) -> Vec<String> {
    let text = fs::read_to_string(set.join("metadata/skipped.jsonl")).expect("a set has it");
    text.lines().map(str::to_owned).collect()
}

pub(crate) const ROW: &str = "submission_id,problem_id,user_id,date,language,original_language,filename_ext,status,cpu_time,memory,code_size,accuracy";

/// A small set in CodeNet's layout, with what can be wrong in one.
pub(crate) fn codenet(root: &Path) {
    write(
        &root.join("metadata/problem_list.csv"),
        "id,name,dataset,time_limit,memory_limit,rating,tags,complexity\np00001,\"Sum, twice\",AIZU,1000,131072,,,\np00002,Empty,AtCoder,2000,1048576,,,\n",
    );
    let rows = [
        "s000000001,p00001,u000000001,1500000000,C++,C++14,cpp,Accepted,10,3000,13,4/4",
        "s000000002,p00001,u000000002,1500000100,Python,Python3,py,Wrong Answer,20,7000,9,1/4",
        // Accepted, with a time that no program has.
        "s000000003,p00001,u000000002,1500000200,Python,Python3,py,Accepted,-1,7000,9,",
        // There is no such text.
        "s000000004,p00001,u000000002,1500000200,Python,Python3,py,Accepted,1,7000,9,",
        // It lies elsewhere.
        "s000000005,p00001,u000000002,1500000200,Java,Java,java,Accepted,1,7000,9,",
        // The same id again.
        "s000000001,p00001,u000000002,1500000200,C++,C++14,cpp,Accepted,1,7000,9,",
        // It passed more tests than there are.
        "s000000006,p00001,u000000002,1500000200,Python,Python3,py,Wrong Answer,1,7000,9,5/4",
    ];
    write(&root.join("metadata/p00001.csv"), format!("{ROW}\n{}\n", rows.join("\n")));
    let data = root.join("data/p00001");
    write(&data.join("C++/s000000001.cpp"), "\u{feff}int main(){}\r\n");
    write(&data.join("Python/s000000002.py"), "print(1)\r");
    write(&data.join("Python/s000000003.py"), "print(2)\n");
    write(&data.join("Python/s000000005.java"), "class Main {}\n");
    write(&data.join("Python/s000000006.py"), "print(3)\n");
    // No row names these.
    write(&data.join("Python/s000000007.py"), "print(4)\n");
    write(&data.join("Python/s000000008.py"), "");
    write(&root.join("problem_descriptions/p00001.html"), "<p>Add.</p>");
    write(&root.join("derived/input_output/data/p00001/input.txt"), "1 2\n");
    write(&root.join("derived/input_output/data/p00001/output.txt"), "3\n");
}

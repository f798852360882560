//! Functions that corpora have, too.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_corpus::{Limits, spec};
use familiar_editor::Ended;
use familiar_files::dir::WalkOptions;
use familiar_library::{AddOptions, Reading, add};
use familiar_source::Silent;
use serde_json::json;

use super::client::{Client, TOTAL, folder, uri};

/// A corpus with one project, whose license stands in a file.
fn corpus() -> (tempfile::TempDir, std::path::PathBuf) {
    let all = folder(&[]);
    let corpus = all.path().join("corpus");
    grow(&all.path().join("shop"), &corpus);
    (all, corpus)
}

/// Adds a project to a corpus.
fn grow(project: &Path, folder: &Path) {
    let notice = "# SPDX-License-Identifier: Apache-2.0\n";
    std::fs::create_dir(project).expect("it can be made");
    std::fs::write(project.join("prices.py"), format!("{notice}\n{TOTAL}")).expect("it can be written");
    let name = spec::canonical(&project.to_string_lossy()).expect("it is a folder");
    let source = spec::source(&name, &WalkOptions::default()).expect("it is a folder");
    let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
    let (base, exclude, sources) = (BTreeSet::default(), Vec::new(), vec![(name, source)]);
    add(&AddOptions { folder: folder.to_owned(), sources, base, exclude, text: true, reading }, &Silent)
        .expect("it can be read");
}

/// Waits until a file shows this, among other things.
fn wait_for(client: &mut Client, file: &Path, part: &str) {
    client.notification("textDocument/publishDiagnostics", |params| {
        params["uri"] == uri(file) && params["diagnostics"].to_string().contains(part)
    });
}

#[test]
fn a_corpus_that_comes_grows_and_goes_is_followed() {
    let all = folder(&[]);
    let corpus = all.path().join("corpus");
    let folder = folder(&[("a.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), vec![("world".to_owned(), corpus.clone())]);
    client.open(&a, TOTAL);
    assert!(client.diagnostics(&a, 1).is_empty());
    for (project, places) in [("shop", "1 place in world"), ("store", "2 places in world")] {
        grow(&all.path().join(project), &corpus);
        std::thread::sleep(std::time::Duration::from_millis(600));
        client.save(&a, TOTAL);
        wait_for(&mut client, &a, places);
    }
    let settings = json!({"settings": {"familiar": {"corpora": false}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.notification("textDocument/publishDiagnostics", |params| params["diagnostics"] == json!([]));
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn a_function_that_a_corpus_has_is_shown_with_its_origin_and_license() {
    let (_all, corpus) = corpus();
    let folder = folder(&[("a.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), vec![("world".to_owned(), corpus)]);
    client.open(&a, TOTAL);
    let diagnostics = loop {
        let diagnostics = client.diagnostics(&a, 1);
        if !diagnostics.is_empty() {
            break diagnostics;
        }
    };
    let message = diagnostics[0]["message"].as_str().expect("a text");
    assert!(message.starts_with("this function exists elsewhere: 1 place in world;"), "{message}");
    assert!(message.contains("prices.py (Apache-2.0)"), "{message}");
    let params = json!({"textDocument": {"uri": uri(&a)}, "position": {"line": 3, "character": 0}});
    let hover = client.request("textDocument/hover", params).expect("it is right");
    let value = hover["contents"]["value"].as_str().expect("a text");
    for part in ["Path: prices.py", "License: Apache-2.0", "1 place in the corpus world", "Project: "] {
        assert!(value.contains(part), "{part}: {value}");
    }
    client.change(&a, 2, &json!([{"text": "x = 1\n"}]));
    // What the corpora say follows what is found in the folder.
    while !client.diagnostics(&a, 2).is_empty() {}
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn a_corpus_that_is_not_there_is_told_and_the_rest_goes_on() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client =
        Client::in_folder(folder.path(), vec![("world".to_owned(), folder.path().join("no-corpus"))]);
    client.open(&a, TOTAL);
    client.notification("window/showMessage", |params| {
        params["message"].as_str().is_some_and(|message| message.contains("the corpus world cannot be asked"))
    });
    assert_eq!(client.diagnostics(&a, 1).len(), 1);
    assert_eq!(client.end(), Ended::Orderly);
}

//! What is shown while somebody edits.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::client::{Client, TOTAL, folder, shown, uri};
use familiar_editor::{Ended, Incoming};

const OTHER: &str = "def width(text, least):
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    width = max(map(len, lines), default=least)
    return [line.ljust(width) for line in lines]
";

fn at(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

#[test]
fn a_clone_is_shown_with_its_other_place_and_goes_when_it_is_edited_away() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", &format!("import sys\n\n{TOTAL}"))]);
    let (a, b) = (folder.path().join("a.py"), folder.path().join("b.py"));
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, TOTAL);
    let diagnostics = client.diagnostics(&a, 1);
    let message = "8 lines are the same as in b.py, lines 3 to 10".to_owned();
    assert_eq!(shown(&diagnostics), [(0, 7, "type-1".to_owned(), message)]);
    assert_eq!((&diagnostics[0]["severity"], &diagnostics[0]["source"]), (&json!(4), &json!("familiar")));
    let related = &diagnostics[0]["relatedInformation"][0]["location"];
    assert_eq!(*related, json!({"uri": uri(&b), "range": {"start": at(2, 0), "end": at(10, 0)}}));
    // The other side is open, too: it is told of what happens here.
    client.open(&b, &format!("import sys\n\n{TOTAL}"));
    assert_eq!(client.diagnostics(&b, 1).len(), 1);
    let renamed = json!([{"range": {"start": at(1, 4), "end": at(1, 10)}, "text": "sum"}]);
    client.change(&a, 2, &renamed);
    let diagnostics = client.diagnostics(&a, 2);
    assert_eq!(diagnostics.len(), 1, "it is an edited copy now");
    assert_ne!(diagnostics[0]["code"], "type-1");
    let other = client.diagnostics(&b, 1);
    assert_eq!(other[0]["code"], diagnostics[0]["code"]);
    client.change(&a, 3, &json!([{"text": OTHER}]));
    assert!(client.diagnostics(&a, 3).is_empty() && client.diagnostics(&b, 1).is_empty());
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn edits_that_do_not_follow_are_ignored_until_the_file_is_saved() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, OTHER);
    assert!(client.diagnostics(&a, 1).is_empty());
    client.change(&a, 3, &json!([{"text": TOTAL}]));
    assert_eq!(client.diagnostics(&a, 3).len(), 1);
    for (version, changes) in [
        (2, json!([{"text": OTHER}])),
        (4, json!([{"range": {"start": at(99, 0), "end": at(99, 1)}, "text": "x"}])),
        (5, json!([{"range": {"start": at(5, 0), "end": at(4, 1)}, "text": "x"}])),
        (6, json!([{"range": {"start": at(0, 0), "end": at(0, 0)}, "text": "x"}])),
    ] {
        client.change(&a, version, &changes);
        client.notification("window/logMessage", |params| {
            params["message"].as_str().is_some_and(|message| message.contains("is ignored"))
        });
    }
    client.save(&a, OTHER);
    assert!(client.diagnostics(&a, 6).is_empty());
    // What could not be read may have been an edit.
    client.send(Incoming::Broken(-32600, "a message of 70 MB was skipped".to_owned()));
    assert_eq!(client.refusal(), -32600);
    client.change(&a, 8, &json!([{"range": {"start": at(0, 0), "end": at(0, 0)}, "text": "x"}]));
    client.notification("window/logMessage", |params| {
        params["message"].as_str().is_some_and(|message| message.contains("an edit before it was lost"))
    });
    client.save(&a, TOTAL);
    assert_eq!(client.diagnostics(&a, 8).len(), 1);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn files_that_come_and_go_beside_the_editor_count() {
    let folder = folder(&[("a.py", TOTAL)]);
    let (a, b) = (folder.path().join("a.py"), folder.path().join("b.py"));
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, TOTAL);
    assert!(client.diagnostics(&a, 1).is_empty());
    let changed = |kind: u8| json!({"changes": [{"uri": uri(&b), "type": kind}]});
    std::fs::write(&b, TOTAL).expect("it can be written");
    client.notify("workspace/didChangeWatchedFiles", changed(1));
    assert_eq!(client.diagnostics(&a, 1).len(), 1);
    std::fs::remove_file(&b).expect("it is there");
    client.notify("workspace/didChangeWatchedFiles", changed(3));
    assert!(client.diagnostics(&a, 1).is_empty());
    // One that is not on the disk yet counts, too.
    client.open(&b, TOTAL);
    assert_eq!(client.diagnostics(&b, 1).len(), 1);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&b)}}));
    assert_eq!(client.end(), Ended::Orderly);
}

/// Waits until a file that is not open shows these findings.
fn closed(client: &mut Client, file: &Path, findings: &[(u64, u64, &str, &str)]) {
    let uri = uri(file);
    client.notification("textDocument/publishDiagnostics", |params| {
        let found = shown(params["diagnostics"].as_array().expect("a list"));
        let found = found.iter().map(|(start, end, code, text)| (*start, *end, code.as_str(), text.as_str()));
        params["uri"] == uri && params.get("version").is_none() && found.eq(findings.iter().copied())
    });
}

/// A client that shows the whole workspace.
fn in_workspace(folder: &Path) -> Client {
    let mut client = Client::start(Vec::new());
    let options = json!({"scope": "workspace"});
    let greeting = json!({"rootUri": uri(folder), "capabilities": {}, "initializationOptions": options});
    client.request("initialize", greeting).expect("the greeting is right");
    client.notify("initialized", json!({}));
    client
}

#[test]
fn a_workspace_shows_the_files_that_are_not_open() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", &format!("import sys\n\n{TOTAL}")), ("c.py", OTHER)]);
    let [a, b, c] = ["a.py", "b.py", "c.py"].map(|name| folder.path().join(name));
    let mut client = in_workspace(folder.path());
    let in_a = [(0, 8, "type-1", "8 lines are the same as in b.py, lines 3 to 10")];
    let in_b = [(2, 10, "type-1", "8 lines are the same as in a.py, lines 1 to 8")];
    let in_c = [(0, 6, "type-1", "6 lines are the same as in a.py, lines 1 to 6")];
    closed(&mut client, &a, &in_a);
    closed(&mut client, &b, &in_b);
    // An open file shows its own lines, and what it has no more goes from the other one.
    client.open(&a, TOTAL);
    assert_eq!(client.diagnostics(&a, 1).len(), 1);
    client.change(&a, 2, &json!([{"text": OTHER}]));
    assert_eq!(client.diagnostics(&a, 2).len(), 1);
    closed(&mut client, &b, &[]);
    closed(&mut client, &c, &in_c);
    // What was not saved does not count once the file is closed.
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&a)}}));
    closed(&mut client, &a, &in_a);
    closed(&mut client, &b, &in_b);
    closed(&mut client, &c, &[]);
    // A file that goes takes what it showed with it.
    std::fs::remove_file(&a).expect("it was there");
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri(&a), "type": 3}]}));
    closed(&mut client, &a, &[]);
    closed(&mut client, &b, &[]);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn a_workspace_follows_folders_and_decisions() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let below = folder.path().join("below");
    let [a, b, c] = [folder.path().join("a.py"), folder.path().join("b.py"), below.join("c.py")];
    let mut client = in_workspace(folder.path());
    let in_a = [(0, 8, "type-1", "8 lines are the same as in b.py, lines 1 to 8")];
    closed(&mut client, &a, &in_a);
    let changed = |file: &Path, kind: u8| json!({"changes": [{"uri": uri(file), "type": kind}]});
    // Of a folder that comes or goes, an editor may name nothing else.
    std::fs::create_dir(&below).expect("it can be made");
    std::fs::write(&c, TOTAL).expect("it can be written");
    client.notify("workspace/didChangeWatchedFiles", changed(&below, 1));
    let more = "8 lines are the same as in b.py, lines 1 to 8, and in 1 more place";
    closed(&mut client, &a, &[(0, 8, "type-1", more)]);
    std::fs::remove_dir_all(&below).expect("it was there");
    client.notify("workspace/didChangeWatchedFiles", changed(&below, 3));
    closed(&mut client, &c, &[]);
    closed(&mut client, &a, &in_a);
    // What is accepted goes from files that are not open, and comes back without the decision.
    client.open(&a, TOTAL);
    client.diagnostics(&a, 1);
    let range = json!({"start": at(0, 0), "end": at(0, 0)});
    let asked = json!({"textDocument": {"uri": uri(&a)}, "range": range, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", asked).expect("it is open");
    let mut commands = actions.as_array().expect("a list").iter().map(|action| &action["command"]);
    let accept = commands.find(|command| command["command"] == "familiar.accept").expect("one accepts");
    client.request("workspace/executeCommand", accept.clone()).expect("it can be accepted");
    closed(&mut client, &b, &[]);
    let decisions = folder.path().join("decisions.json");
    std::fs::remove_file(&decisions).expect("it was written");
    client.notify("workspace/didChangeWatchedFiles", changed(&decisions, 3));
    closed(&mut client, &b, &[(0, 8, "type-1", "8 lines are the same as in a.py, lines 1 to 8")]);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn actions_open_compare_and_accept() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let (a, b) = (folder.path().join("a.py"), folder.path().join("b.py"));
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, TOTAL);
    client.diagnostics(&a, 1);
    let asked = |line: u32| {
        let range = json!({"start": at(line, 0), "end": at(line, 0)});
        json!({"textDocument": {"uri": uri(&a)}, "range": range, "context": {"diagnostics": []}})
    };
    let actions = client.request("textDocument/codeAction", asked(3)).expect("it is right");
    let actions = actions.as_array().expect("a list").clone();
    let command = |start: &str| {
        let starts = |action: &&Value| action["title"].as_str().is_some_and(|title| title.starts_with(start));
        let command = &actions.iter().find(starts).expect(start)["command"];
        json!({"command": command["command"], "arguments": command["arguments"]})
    };
    assert_eq!(client.request("textDocument/codeAction", asked(20)).expect("right"), json!([]));
    client.request("workspace/executeCommand", command("Open b.py, lines 1 to 8")).expect("it opens");
    let shows = client.asked.pop().expect("the editor is asked");
    assert_eq!((shows.method.as_str(), &shows.params["uri"]), ("window/showDocument", &json!(uri(&b))));
    let page = client.request("workspace/executeCommand", command("Compare with b.py")).expect("it compares");
    let page = page["uri"].as_str().expect("a page").to_owned();
    let (file, address) = page.split_once('#').expect("it names what it shows");
    assert_eq!(address, "/compare/0/1");
    let file = file.strip_prefix("file://").expect("a file").to_owned();
    assert!(std::fs::read_to_string(&file).expect("it is written").contains("<html"));
    client.request("workspace/executeCommand", command("Accept this clone: kept alike")).expect("it accepts");
    assert!(client.diagnostics(&a, 1).is_empty());
    let decisions = std::fs::read_to_string(folder.path().join("decisions.json")).expect("it is written");
    assert!(decisions.contains("kept alike on purpose") && decisions.contains("\"ada\""), "{decisions}");
    assert_eq!(client.end(), Ended::Orderly);
    assert!(!std::path::Path::new(&file).exists(), "pages go with the server");
    // The next server knows what was accepted.
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, TOTAL);
    assert!(client.diagnostics(&a, 1).is_empty());
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn a_hover_lists_the_places_of_a_clone() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, TOTAL);
    client.diagnostics(&a, 1);
    let mut hover = |line: u32| {
        let params = json!({"textDocument": {"uri": uri(&a)}, "position": at(line, 2)});
        client.request("textDocument/hover", params).expect("it is right")
    };
    let value = hover(3)["contents"]["value"].as_str().expect("a text").to_owned();
    assert!(value.contains("b.py") && value.contains("lines 1 to 8: the same code"), "{value}");
    assert_eq!(hover(30), Value::Null);
    assert_eq!(client.end(), Ended::Orderly);
}

/// Texts that a file may have.
fn texts() -> impl Strategy<Value = String> {
    let renamed = TOTAL.replace("amount", "sum").replace("price", "cost");
    let edited = TOTAL.replace("    amount -= discount\n", "    amount -= discount\n    print(amount)\n");
    let apart = |part: &str| [part, "\n\n"].concat();
    let parts = [TOTAL.to_owned(), OTHER.to_owned(), renamed, edited, "x = 1\n".to_owned()];
    prop::collection::vec(0..parts.len(), 0..4)
        .prop_map(move |chosen| chosen.into_iter().map(|part| apart(&parts[part])).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn after_edits_and_a_save_a_new_server_shows_the_same(
        first in prop::collection::vec(texts(), 3),
        edits in prop::collection::vec((0usize..3, texts()), 1..6),
    ) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = |number: usize| folder.path().join(format!("f{number}.py"));
        let mut texts = first;
        for (number, text) in texts.iter().enumerate() {
            std::fs::write(file(number), text).expect("it can be written");
        }
        let mut client = Client::in_folder(folder.path(), Vec::new());
        texts.iter().enumerate().for_each(|(number, text)| client.open(&file(number), text));
        let mut versions = [1; 3];
        for (number, text) in edits {
            versions[number] += 1;
            client.change(&file(number), versions[number], &json!([{"text": text}]));
            texts[number] = text;
        }
        texts.iter().enumerate().for_each(|(number, text)| client.save(&file(number), text));
        let after = settled(&mut client, &versions, &file);
        let mut again = Client::in_folder(folder.path(), Vec::new());
        texts.iter().enumerate().for_each(|(number, text)| again.open(&file(number), text));
        let afresh = settled(&mut again, &[1; 3], &file);
        prop_assert_eq!(after, afresh);
        prop_assert_eq!((client.end(), again.end()), (Ended::Orderly, Ended::Orderly));
    }
}

/// What is shown of each file when all is done.
fn settled(
    client: &mut Client,
    versions: &[i32; 3],
    file: &dyn Fn(usize) -> std::path::PathBuf,
) -> Vec<Vec<(u64, u64, String, String)>> {
    let mut last = vec![Vec::new(); 3];
    client.wait_until_idle();
    for (number, last) in last.iter_mut().enumerate() {
        let uri = uri(&file(number));
        let of_file = |params: &Value| params["uri"] == uri && params["version"] == versions[number];
        for seen in client.seen.iter().filter(|seen| seen.method == "textDocument/publishDiagnostics") {
            if of_file(&seen.params) {
                *last = shown(seen.params["diagnostics"].as_array().expect("a list"));
            }
        }
    }
    last
}

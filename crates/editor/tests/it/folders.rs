//! The folders that an editor opens, and settings that it keeps.

use std::path::Path;

use familiar_editor::Ended;
use lsp_server::Notification;
use serde_json::{Value, json};

use super::client::{Client, TOTAL, folder, uri};

fn named(folders: &[&Path]) -> Value {
    folders.iter().map(|folder| json!({"uri": uri(folder), "name": "w"})).collect()
}

fn greeted(folders: &[&Path], capabilities: &Value, options: &Value) -> (Client, Value) {
    let mut client = Client::start(Vec::new());
    let folders = named(folders);
    let greeting = json!({"processId": null, "rootUri": null, "workspaceFolders": folders,
        "capabilities": capabilities, "initializationOptions": options});
    let answer = client.request("initialize", greeting).expect("the greeting is right");
    client.notify("initialized", json!({}));
    (client, answer)
}

/// How many findings a file shows when all is done.
fn findings(client: &mut Client, file: &Path) -> usize {
    client.wait_until_idle();
    let of_file = |seen: &&Notification| {
        seen.method == "textDocument/publishDiagnostics" && seen.params["uri"] == uri(file)
    };
    let last = client.seen.iter().rev().find(of_file);
    last.and_then(|seen| seen.params["diagnostics"].as_array()).map_or(0, Vec::len)
}

#[test]
fn folders_that_come_and_go_count() {
    let (first, second) = (folder(&[("a.py", TOTAL)]), folder(&[("b.py", TOTAL)]));
    let a = first.path().join("a.py");
    let (mut client, answer) = greeted(&[first.path()], &json!({}), &json!(null));
    assert_eq!(answer["capabilities"]["workspace"]["workspaceFolders"]["changeNotifications"], true);
    client.open(&a, TOTAL);
    assert_eq!(findings(&mut client, &a), 0);
    let mut change = |added: &[&Path], removed: &[&Path]| {
        let event = json!({"added": named(added), "removed": named(removed)});
        client.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
        findings(&mut client, &a)
    };
    assert_eq!(change(&[second.path()], &[]), 1);
    assert_eq!(change(&[], &[second.path()]), 0);
    assert_eq!(change(&[second.path()], &[]), 1);
    assert_eq!(change(&[], &[first.path(), second.path()]), 0, "nothing is open");
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn folders_within_one_another_make_no_clones_and_a_missing_one_is_told() {
    let all = folder(&[]);
    let [sub, gone] = ["sub", "gone"].map(|name| all.path().join(name));
    std::fs::create_dir(&sub).expect("it can be made");
    let a = sub.join("a.py");
    std::fs::write(&a, TOTAL).expect("it can be written");
    let (mut client, _) = greeted(&[all.path(), &sub, &gone], &json!({}), &json!(null));
    client.open(&a, TOTAL);
    assert_eq!(findings(&mut client, &a), 0);
    client.notification("window/showMessage", |params| params["message"].to_string().contains("gone"));
    // It counts as soon as it is there.
    std::fs::create_dir(&gone).expect("it can be made");
    std::fs::write(gone.join("b.py"), TOTAL).expect("it can be written");
    let came = json!({"changes": [{"uri": uri(&gone.join("b.py")), "type": 1}]});
    client.notify("workspace/didChangeWatchedFiles", came);
    assert_eq!(findings(&mut client, &a), 1);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn settings_of_a_section_count_and_are_read_anew_where_they_are_others() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let workspace = json!({"configuration": true, "didChangeConfiguration": {"dynamicRegistration": true}});
    let options = json!({"configuration-section": "familiar.settings"});
    let (mut client, _) = greeted(&[folder.path()], &json!({"workspace": workspace}), &options);
    client.open(&a, TOTAL);
    let section = client.asked_for("workspace/configuration")["items"][0]["section"].clone();
    assert_eq!(section, "familiar.settings");
    let registered = client.asked_for("client/registerCapability")["registrations"][0].clone();
    assert_eq!(registered["method"], "workspace/didChangeConfiguration");
    assert_eq!(registered["registerOptions"]["section"], "familiar.settings");
    client.answer("workspace/configuration", json!([{}]));
    assert_eq!(findings(&mut client, &a), 1);
    let read = |client: &Client| {
        let is_read = |message: &Value| message.to_string().contains("files of code were read");
        client.seen.iter().filter(|seen| is_read(&seen.params["message"])).count()
    };
    for (least, shown, times) in [(8, 1, 2), (8, 1, 2), (9, 0, 3)] {
        client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
        client.answer("workspace/configuration", json!([{"min-lines": least}]));
        assert_eq!((findings(&mut client, &a), read(&client)), (shown, times), "{least}");
    }
    assert_eq!(client.end(), Ended::Orderly);
}

//! Beginning and end of a conversation, and messages that are no part of one.

use familiar_editor::{Ended, Incoming};
use lsp_server::{Request, RequestId};
use serde_json::{Value, json};

use super::client::{Client, TOTAL, capabilities, folder, uri};

#[test]
fn nothing_is_answered_before_the_greeting_and_after_the_end() {
    let mut client = Client::start(Vec::new());
    let early = client.request("textDocument/hover", json!({})).expect_err("it is too early");
    assert!(early.starts_with("-32002"), "{early}");
    assert!(client.request("initialize", json!(7)).is_err());
    let greeting = json!({"processId": null, "rootUri": null, "capabilities": capabilities()});
    let answer = client.request("initialize", greeting.clone()).expect("it is right");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    assert!(client.request("initialize", greeting).is_err());
    client.notify("initialized", json!({}));
    let unknown = client.request("textDocument/unknown", Value::Null).expect_err("nobody knows it");
    assert!(unknown.starts_with("-32601"), "{unknown}");
    for method in ["textDocument/hover", "textDocument/codeAction", "workspace/executeCommand"] {
        let wrong = client.request(method, json!({"textDocument": 3})).expect_err("it is wrong");
        assert!(wrong.starts_with("-32602"), "{wrong}");
    }
    client.request("shutdown", Value::Null).expect("it shuts down");
    let late = client.request("textDocument/hover", json!({})).expect_err("it is too late");
    assert!(late.starts_with("-32600"), "{late}");
    client.notify("exit", Value::Null);
    assert_eq!(client.leave(), Ended::Orderly);
}

#[test]
fn whoever_leaves_without_a_word_ends_the_server() {
    assert_eq!(Client::start(Vec::new()).leave(), Ended::Abrupt);
    let folder = folder(&[("a.py", TOTAL)]);
    let client = Client::in_folder(folder.path(), Vec::new());
    client.notify("exit", Value::Null);
    assert_eq!(client.leave(), Ended::Abrupt);
}

#[test]
fn what_still_runs_at_the_end_is_answered() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let client = Client::in_folder(folder.path(), Vec::new());
    let idle = json!({"command": "familiar.idle"});
    for (id, method, params) in [(70, "workspace/executeCommand", idle), (71, "shutdown", Value::Null)] {
        let request = Request { id: RequestId::from(id), method: method.to_owned(), params };
        client.send(Incoming::Message(request.into()));
    }
    client.notify("exit", Value::Null);
    assert_eq!(client.answered_to_the_end(), [70, 71].map(RequestId::from));
    assert_eq!(client.leave(), Ended::Orderly);
}

#[test]
fn broken_messages_are_refused_and_the_conversation_goes_on() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.send(Incoming::Broken(-32700, "no JSON".to_owned()));
    assert_eq!(client.refusal(), -32700);
    for (method, params) in [
        ("textDocument/didOpen", json!(null)),
        (
            "textDocument/didOpen",
            json!({"textDocument": {"uri": "untitled:1", "languageId": "python", "version": 1, "text": ""}}),
        ),
        (
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri(&a), "version": 2}, "contentChanges": [{"text": ""}]}),
        ),
        ("textDocument/didClose", json!({"textDocument": {"uri": uri(&a)}})),
        ("$/setTrace", json!({"value": "off"})),
    ] {
        client.notify(method, params);
    }
    client.open(&a, TOTAL);
    assert_eq!(client.diagnostics(&a, 1).len(), 1);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn a_document_of_100_mb_is_told_and_searched_no_more() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::in_folder(folder.path(), Vec::new());
    client.open(&a, &"x = 1\n".repeat(100 << 20 >> 2));
    assert!(client.diagnostics(&a, 1).is_empty());
    let note = client.notification("window/logMessage", |params| {
        params["message"].as_str().is_some_and(|message| message.contains("not searched"))
    });
    assert!(note["message"].as_str().expect("a text").contains("a.py"), "{note}");
    client.change(&a, 2, &json!([{"text": TOTAL}]));
    assert_eq!(client.diagnostics(&a, 2).len(), 1);
    assert_eq!(client.end(), Ended::Orderly);
}

#[test]
fn wrong_settings_are_told_and_right_ones_count_when_they_come() {
    let folder = folder(&[("a.py", TOTAL), ("b.py", TOTAL)]);
    let a = folder.path().join("a.py");
    let mut client = Client::start(Vec::new());
    let root = json!([{"uri": uri(folder.path()), "name": "w"}]);
    let greeting = json!({"processId": null, "rootUri": null, "workspaceFolders": root,
        "capabilities": {"workspace": {"configuration": true}}});
    let answer = client.request("initialize", greeting).expect("it is right");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    client.notify("initialized", json!({}));
    client.answer("workspace/configuration", json!([{"wrong": 1}]));
    client.notification("window/showMessage", |params| {
        params["message"].as_str().is_some_and(|message| message.contains("is wrong"))
    });
    client.open(&a, TOTAL);
    for (least, shown) in [(8, 1), (9, 0)] {
        client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
        client.answer("workspace/configuration", json!([{"min-lines": least}]));
        // The settings are read after the answer; what is waited for comes after that.
        client.wait_until_idle();
        let last = client.seen.iter().rev().find(|one| one.method == "textDocument/publishDiagnostics");
        let diagnostics = &last.expect("something is shown").params["diagnostics"];
        assert_eq!(diagnostics.as_array().map(Vec::len), Some(shown), "{least}");
    }
    assert_eq!(client.end(), Ended::Orderly);
}

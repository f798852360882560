//! What an agent hears, by the client of the protocol's own makers.

use std::path::Path;

use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};

use super::server::{CODE, Server, familiar, told};

/// A home with a corpus, and a project beside it that holds the same code and something else.
fn home() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (project, name, text) in [
        ("theirs", "mean.py", CODE),
        ("ours", "copied.py", CODE),
        ("theirs", "LICENSE", "SPDX-License-Identifier: GPL-3.0-only\n"),
    ] {
        std::fs::create_dir_all(folder.path().join(project)).expect("just made");
        std::fs::write(folder.path().join(project).join(name), text).expect("just made");
    }
    told(folder.path(), &["corpus", "add", "world", "theirs", "--quiet"]);
    folder
}

async fn agent(home: &Path) -> RunningService<RoleClient, ()> {
    let command = familiar(home, &["serve", "--mcp"]);
    let process = TokioChildProcess::new(tokio::process::Command::from(command)).expect("the program runs");
    ().serve(process).await.expect("both speak the same protocol")
}

async fn call(client: &RunningService<RoleClient, ()>, tool: &str, arguments: Value) -> (bool, String) {
    let arguments: JsonObject = arguments.as_object().expect("an object").clone();
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let result: CallToolResult = client.call_tool(request).await.expect("an answer");
    let texts = result.content.iter().filter_map(|content| content.as_text().map(|text| text.text.clone()));
    (result.is_error.unwrap_or(false), texts.collect())
}

#[tokio::test]
async fn an_agent_checks_what_it_wrote() {
    let home = home();
    let client = agent(home.path()).await;
    let tools = client.list_all_tools().await.expect("a list");
    let mut names: Vec<_> = tools.iter().map(|tool| tool.name.to_string()).collect();
    names.sort();
    assert_eq!(names, ["audit_path", "check_snippet", "explain_verdict", "find_code", "list_corpora"]);
    assert_eq!(call(&client, "list_corpora", json!({})).await, (false, "world".to_owned()));
    let renamed = CODE.replace("total", "sum_of_all");
    let (failed, said) = call(&client, "check_snippet", json!({"code": renamed, "language": "Python"})).await;
    assert!(!failed && said.contains("mean.py") && said.contains("theirs"), "{said}");
    let (failed, said) =
        call(&client, "check_snippet", json!({"code": "print(1)", "language": "python"})).await;
    assert!(!failed && said.contains("no code like"), "{said}");
    let (failed, said) = call(&client, "find_code", json!({"code": CODE, "language": "klingon"})).await;
    assert!(failed && said.contains("klingon"), "{said}");
    let (failed, said) =
        call(&client, "find_code", json!({"code": CODE, "language": "python", "corpus": "moon"})).await;
    assert!(failed && said.contains("there are world"), "{said}");
    let (failed, said) = call(&client, "audit_path", json!({"path": "ours"})).await;
    assert!(!failed && said.contains("copied.py"), "{said}");
    for outside in ["..", "/etc", "ours/../.."] {
        let (failed, said) = call(&client, "audit_path", json!({"path": outside})).await;
        assert!(failed && said.contains("is not below"), "{said}");
    }
    let (failed, said) =
        call(&client, "explain_verdict", json!({"project": "MIT", "code": "GPL-3.0-only"})).await;
    assert!(!failed && said.starts_with("GPL-3.0-only in MIT: conflict"), "{said}");
    let (failed, said) = call(&client, "explain_verdict", json!({"project": "MIT", "code": "my own"})).await;
    assert!(failed && said.contains("SPDX"), "{said}");
    client.cancel().await.expect("it ends");
}

/// As an agent does that reaches a server by HTTP: one request, one answer.
#[test]
fn a_server_answers_agents_too_but_reads_no_files_for_them() {
    let home = home();
    let server = Server::start_in(home.path(), &[]);
    let ask = |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        server.send("POST", "/mcp", &headers, body.as_bytes())
    };
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let hello = ask("initialize", client);
    assert_eq!(hello.json()["result"]["serverInfo"]["name"], "familiar", "{}", hello.text());
    let tools = ask("tools/list", json!({})).text();
    assert!(tools.contains("check_snippet") && !tools.contains("audit_path"), "{tools}");
    let found = ask(
        "tools/call",
        json!({"name": "check_snippet", "arguments": {"code": CODE, "language": "python"}}),
    );
    assert!(found.text().contains("mean.py"), "{}", found.text());
    let audit = ask("tools/call", json!({"name": "audit_path", "arguments": {"path": "/etc"}}));
    assert!(!audit.text().contains("\"result\""), "{}", audit.text());
    told(home.path(), &["serve", "token", "create", "first"]);
    assert_eq!(ask("tools/list", json!({})).status, 401);
}

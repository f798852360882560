//! Who may do what: tokens, scopes, other people's things, other sites' pages.

use serde_json::{Value, json};

use super::server::{CODE, Server, familiar, token, told};

/// Every route that the server describes, with something in the place of its parameters.
fn routes(server: &Server, secret: &str) -> Vec<(String, String)> {
    let description = server.get("/api/v1/openapi.json", secret).json();
    let paths = description["paths"].as_object().expect("paths").clone();
    let mut routes = Vec::new();
    for (path, methods) in paths {
        let path =
            path.replace("{id}", &"0".repeat(26)).replace("{name}", "world").replace("{format}", "json");
        routes.extend(methods.as_object().expect("methods").keys().map(|m| (m.to_uppercase(), path.clone())));
    }
    routes
}

#[test]
fn without_a_token_nothing_is_told() {
    let (server, [read, ..]) = Server::with_tokens(&[]);
    let public = ["/health", "/ready"];
    let mut seen = 0;
    for (method, path) in routes(&server, &read) {
        let is_sign_in = (method.as_str(), path.as_str()) == ("POST", "/api/v1/session");
        if public.contains(&path.as_str()) || is_sign_in {
            continue;
        }
        for authorization in
            ["", "Bearer ", "Bearer fam_wrong", "Basic YWRtaW46YWRtaW4=", "Bearer ' OR 1=1 --"]
        {
            let headers = [("Authorization", authorization)];
            let headers = if authorization.is_empty() { &headers[..0] } else { &headers[..] };
            let reply = server.send(&method, &path, headers, b"");
            assert!([401, 429].contains(&reply.status), "{method} {path} {authorization}: {}", reply.head);
            assert_eq!(reply.header("content-type"), Some("application/problem+json"));
            seen += 1;
        }
    }
    assert!(seen >= 75, "{seen}");
    let in_query = server.send("GET", &format!("/api/v1/corpora?token={read}"), &[], b"");
    assert!([401, 429].contains(&in_query.status));
    assert_eq!(server.send("GET", &format!("/reports/{}/index.html", "0".repeat(26)), &[], b"").status, 401);
}

#[test]
fn tokens_cannot_be_guessed_at_will() {
    let (server, [read, ..]) = Server::with_tokens(&[]);
    let wrong = format!("fam_{}", "0".repeat(52));
    let statuses: Vec<u16> = (0..40).map(|_| server.get("/api/v1/corpora", &wrong).status).collect();
    assert!(statuses.contains(&401) && statuses.contains(&429), "{statuses:?}");
    // Who has a token is not kept out by who has none.
    assert_eq!(server.get("/api/v1/corpora", &read).status, 200);
    // Part of a token is none, nor is one in other letters.
    for near in [&read[..read.len() - 1], &read.to_uppercase(), &format!("{read}0")] {
        assert_ne!(server.get("/api/v1/corpora", near).status, 200);
    }
}

#[test]
fn tokens_expire_and_are_taken_back_and_are_kept_as_hashes() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let home = folder.path();
    let (stays, goes) = (token(home, "stays", "read"), token(home, "goes", "read"));
    // No command makes a token that is over at once.
    let store = familiar_service::Store::open(&home.join("service")).expect("it was made");
    let over =
        store.create_token("over", None, familiar_service::tokens::Scope::Read, Some(0)).expect("it is new");
    drop(store);
    let server = Server::start_in(home, &[]);
    let status = |secret: &str| server.get("/api/v1/corpora", secret).status;
    assert_eq!((status(&stays), status(&goes), status(&over)), (200, 200, 401));
    told(home, &["serve", "token", "revoke", "goes"]);
    assert_eq!((status(&stays), status(&goes)), (200, 401));
    let list = told(home, &["serve", "token", "list"]);
    assert!(list.contains("stays\tread") && !list.contains("fam_"), "{list}");
    for entry in std::fs::read_dir(home.join("service")).expect("a folder").flatten() {
        if let Ok(bytes) = std::fs::read(entry.path()) {
            assert!(
                !bytes.windows(stays.len()).any(|window| window == stays.as_bytes()),
                "{:?}",
                entry.path()
            );
        }
    }
    let again = familiar(home, &["serve", "token", "create", "stays"]).output().expect("the program runs");
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn scopes_hold() {
    let (server, [read, upload, admin]) = Server::with_tokens(&[]);
    let raw = |secret: &str| {
        let value = format!("Bearer {secret}");
        server.send("POST", "/api/v1/uploads?name=a.py", &[("Authorization", &value)], CODE.as_bytes()).status
    };
    assert_eq!((raw(&read), raw(&upload)), (403, 201));
    let clones = |secret: &str| server.post("/api/v1/clones", secret, &json!({"corpora": ["world"]})).status;
    assert_eq!((clones(&read), clones(&upload)), (403, 404));
    let add = |secret: &str| {
        server
            .post(
                "/api/v1/corpora/world/sources",
                secret,
                &json!({"sources": ["git:https://evil.example/a"]}),
            )
            .status
    };
    assert_eq!((add(&read), add(&upload), add(&admin)), (403, 403, 422));
    let id = "0".repeat(26);
    for path in
        [format!("/api/v1/jobs/{id}"), format!("/api/v1/results/{id}"), format!("/api/v1/uploads/{id}")]
    {
        assert_eq!(
            (server.delete(&path, &read).status, server.delete(&path, &upload).status),
            (403, 404),
            "{path}"
        );
    }
    let update = |secret: &str| server.post("/api/v1/corpora/world/update", secret, &Value::Null).status;
    assert_eq!((update(&read), update(&upload), update(&admin)), (403, 403, 404));
}

#[test]
fn what_is_somebody_elses_is_not_there() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let [ann, bob] = ["ann", "bob"].map(|name| token(folder.path(), name, "upload"));
    let admin = token(folder.path(), "root", "admin");
    let server = Server::start_in(folder.path(), &[]);
    let upload = server.upload("a.py", &ann, CODE.as_bytes());
    let job = server.clones(&ann, &json!({"uploads": [upload]}));
    let (id, result) = (job["id"].as_str().expect("one"), job["result"].as_str().expect("one"));
    for path in [
        format!("/api/v1/jobs/{id}"),
        format!("/api/v1/jobs/{id}/events"),
        format!("/api/v1/results/{result}"),
        format!("/api/v1/results/{result}/files/json"),
        format!("/reports/{result}/index.html"),
        format!("/reports/{result}/data/head.js"),
    ] {
        assert_eq!((server.get(&path, &bob).status, server.get(&path, &ann).status), (404, 200), "{path}");
        assert_eq!(server.get(&path, &admin).status, 200, "{path}");
    }
    for path in [
        format!("/api/v1/uploads/{upload}"),
        format!("/api/v1/jobs/{id}"),
        format!("/api/v1/results/{result}"),
    ] {
        assert_eq!(server.delete(&path, &bob).status, 404, "{path}");
    }
    for field in ["uploads", "base"] {
        let own = server.upload("b.py", &bob, CODE.as_bytes());
        let mut body = json!({"uploads": [own]});
        body[field] = json!([upload]);
        assert_eq!(server.post("/api/v1/clones", &bob, &body).status, 404, "{field}");
    }
    for list in ["uploads", "jobs", "results"] {
        let seen = server.get(&format!("/api/v1/{list}"), &bob).text();
        assert!(!seen.contains(&upload) && !seen.contains(id) && !seen.contains(result), "{list}: {seen}");
    }
    // What there is not and what is somebody else's look the same.
    let missing = server.get(&format!("/api/v1/results/{}", "0".repeat(26)), &bob);
    assert_eq!(missing.text(), server.get(&format!("/api/v1/results/{result}"), &bob).text());
}

#[test]
fn without_tokens_this_machine_alone_is_answered() {
    let server = Server::start(&[]);
    let asked = |headers: &[(&str, &str)]| server.send("GET", "/api/v1/corpora", headers, b"").status;
    assert_eq!(asked(&[]), 200);
    assert_eq!(asked(&[("Host", "localhost:7420")]), 200);
    // Another name for this address: DNS rebinding.
    assert_eq!(asked(&[("Host", "evil.example")]), 403);
    assert_eq!(asked(&[("Host", "127.0.0.1.evil.example")]), 403);
    // A proxy in front: whoever asks is elsewhere.
    for header in ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"] {
        assert_eq!(asked(&[(header, "10.0.0.1")]), 401, "{header}");
    }
    // A header that nobody told the server to believe.
    assert_eq!(
        server.send("GET", "/api/v1/session", &[("X-Forwarded-User", "root")], b"").json()["name"],
        "everybody"
    );
    let home = server.home();
    let open = familiar(home, &["serve", "--listen", "0.0.0.0:0", "--data", "elsewhere"])
        .output()
        .expect("the program runs");
    let complaint = String::from_utf8_lossy(&open.stderr);
    assert_eq!(open.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("familiar serve token create"), "{complaint}");
    let second = familiar(home, &["serve", "--listen", "127.0.0.1:0"]).output().expect("the program runs");
    assert!(String::from_utf8_lossy(&second.stderr).contains("another server"));
    let never =
        familiar(home, &["serve", "token", "create", "ada", "--days", "0"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&never.stderr);
    assert!(!never.status.success() && said.contains("give 1 or more days"), "{said}");
    // The first token closes it.
    token(home, "first", "read");
    assert_eq!(asked(&[]), 401);
    // Whoever takes it back wants to let nobody in.
    let revoked = familiar(home, &["serve", "token", "revoke", "first"]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&revoked.stderr);
    assert!(revoked.status.success() && said.contains("familiar serve token create"), "{said}");
    assert_eq!(asked(&[]), 401);
}

#[test]
fn pages_of_other_sites_can_do_nothing() {
    let (server, [_, upload, _]) = Server::with_tokens(&[]);
    let signed = server.send(
        "POST",
        "/api/v1/session",
        &[("Content-Type", "application/json")],
        json!({"token": upload}).to_string().as_bytes(),
    );
    let cookie = signed.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    let with = |more: &[(&str, &str)], method: &str| {
        let headers = [&[("Cookie", cookie.as_str())], more].concat();
        server
            .send(
                method,
                "/api/v1/uploads?name=a.py",
                &headers,
                if method == "POST" { b"x = 1" } else { b"" },
            )
            .status
    };
    let here = format!("http://{}", server.address);
    assert_eq!((with(&[("Origin", &here)], "POST"), with(&[], "GET")), (201, 200));
    for foreign in [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost:1"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        assert_eq!((with(&[foreign], "POST"), with(&[foreign], "GET")), (403, 403), "{foreign:?}");
    }
    // Nobody is signed in as somebody else.
    let foreign = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "cross-site")];
    let body = json!({"token": upload}).to_string();
    assert_eq!(server.send("POST", "/api/v1/session", &foreign, body.as_bytes()).status, 403);
    // No answer may be read by another origin, framed by one, or taken for something else.
    let reply = server.send("GET", "/", &[("Origin", "http://evil.example")], b"");
    assert!(reply.header("access-control-allow-origin").is_none());
    let policy = reply.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
    assert_eq!(server.send("DELETE", "/api/v1/session", &[("Cookie", &cookie)], b"").status, 204);
}

#[test]
fn a_proxy_is_believed_where_the_server_is_told_so() {
    let server = Server::start(&["--proxy-header", "X-Forwarded-User"]);
    let who = |headers: &[(&str, &str)]| server.send("GET", "/api/v1/session", headers, b"");
    assert_eq!(who(&[]).status, 401);
    let ann = who(&[("X-Forwarded-User", "ann")]).json();
    assert_eq!((&ann["name"], &ann["scopes"]), (&json!("proxy:ann"), &json!(["read", "upload"])));
    assert_eq!(who(&[("X-Forwarded-User", " ")]).status, 401);
    // What the proxy asked for comes along, and the server has another name for the page.
    let basic = [("X-Forwarded-User", "ann"), ("Authorization", "Basic YW5uOnNlY3JldA==")];
    assert_eq!(who(&basic).json()["name"], "proxy:ann");
    let page =
        [("X-Forwarded-User", "ann"), ("Origin", "https://code.example"), ("Sec-Fetch-Site", "same-origin")];
    assert_eq!(server.send("POST", "/api/v1/uploads?name=a.py", &page, b"x = 1").status, 201);
}

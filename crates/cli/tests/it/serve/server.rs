//! A server for a test, and a client that says exactly what it is told to say.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A running server with a home of its own.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    home: PathBuf,
    /// Removed with the server.
    #[allow(dead_code)]
    folder: Option<TempDir>,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// A schema of `docs/formats`.
pub(crate) fn schema(name: &str) -> jsonschema::Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats").join(name);
    let text = std::fs::read_to_string(file).expect("part of the repository");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("a schema is JSON"))
        .expect("the schema is one")
}

/// A call of the program with this home.
pub(crate) fn familiar(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_familiar"));
    command.env("FAMILIAR_HOME", home).current_dir(home).args(arguments);
    command
}

/// Standard output of a call that must succeed.
pub(crate) fn told(home: &Path, arguments: &[&str]) -> String {
    let output = familiar(home, arguments).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

impl Server {
    /// A server in a new home.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let mut server = Self::start_in(folder.path(), arguments);
        server.folder = Some(folder);
        server
    }

    /// A server in a new home, with a token of each scope: read, upload, admin.
    pub(crate) fn with_tokens(arguments: &[&str]) -> (Self, [String; 3]) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let token = |scope| token(folder.path(), scope, scope);
        let tokens = ["read", "upload", "admin"].map(token);
        let mut server = Self::start_in(folder.path(), arguments);
        server.folder = Some(folder);
        (server, tokens)
    }

    pub(crate) fn start_in(home: &Path, arguments: &[&str]) -> Self {
        Self::start_with(home, &[&["--listen", "127.0.0.1:0"], arguments].concat())
    }

    /// A server that is told where to listen.
    pub(crate) fn start_with(home: &Path, arguments: &[&str]) -> Self {
        let mut command = familiar(home, &["serve"]);
        let log = std::fs::File::create(home.join("log")).expect("the home can be written");
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(log).spawn().expect("the program runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("the server says where it listens");
        let address = line.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line:?} {}", log_of(home))).to_owned();
        Self { child, address, home: home.to_owned(), folder: None }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn log(&self) -> String {
        log_of(&self.home)
    }

    /// Ends the server at once, as a crash does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is ours");
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        stream
    }

    /// Sends these bytes and nothing else, and gives what comes back until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        parsed(&all)
    }

    /// A request with these headers and this body.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let length = body.len().to_string();
        let mut all = vec![("Connection", "close")];
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            all.push(("Host", &self.address));
        }
        if !body.is_empty() {
            all.push(("Content-Length", &length));
        }
        all.extend(headers);
        let lines = all.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect::<String>();
        let request = format!("{method} {path} HTTP/1.0\r\n{lines}\r\n");
        let bytes = [request.as_bytes(), body].concat();
        self.raw(&bytes).unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> Reply {
        self.send("GET", path, &bearer(token), b"")
    }

    pub(crate) fn delete(&self, path: &str, token: &str) -> Reply {
        self.send("DELETE", path, &bearer(token), b"")
    }

    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> Reply {
        let mut headers = bearer(token);
        headers.push(("Content-Type", "application/json"));
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// The identifier of a new upload.
    pub(crate) fn upload(&self, name: &str, token: &str, body: &[u8]) -> String {
        let mut headers = bearer(token);
        headers.push(("Content-Type", "application/octet-stream"));
        let reply = self.send("POST", &format!("/api/v1/uploads?name={name}"), &headers, body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["id"].as_str().expect("an identifier").to_owned()
    }

    /// A job that has ended.
    pub(crate) fn ended(&self, id: &str, token: &str) -> Value {
        let start = Instant::now();
        loop {
            let job = self.get(&format!("/api/v1/jobs/{id}"), token).json();
            if ["done", "failed", "cancelled"].contains(&job["state"].as_str().unwrap_or_default()) {
                return job;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "{job} {}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Compares uploads, and gives the job when it has ended.
    pub(crate) fn clones(&self, token: &str, body: &Value) -> Value {
        let reply = self.post("/api/v1/clones", token, body);
        assert_eq!(reply.status, 202, "{}", reply.text());
        self.ended(reply.json()["id"].as_str().expect("an identifier"), token)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A new token of a scope.
pub(crate) fn token(home: &Path, name: &str, scope: &str) -> String {
    told(home, &["serve", "token", "create", name, "--scope", scope])
}

/// What a request says who asks by.
pub(crate) fn bearer(token: &str) -> Vec<(&'static str, &str)> {
    if token.is_empty() {
        Vec::new()
    } else {
        vec![("Authorization", Box::leak(format!("Bearer {token}").into_boxed_str()))]
    }
}

fn log_of(home: &Path) -> String {
    std::fs::read_to_string(home.join("log")).unwrap_or_default()
}

fn parsed(bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head, body: bytes[end + 4..].to_vec() })
}

/// A tar archive of these files.
pub(crate) fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut all = Vec::new();
    for (path, text) in files {
        all.extend(tar_entry(path.as_bytes(), b'0', text.as_bytes(), b""));
    }
    all.extend([0; 1024]);
    all
}

/// One entry of a tar archive, as POSIX lays it out, whatever its name is.
pub(crate) fn tar_entry(path: &[u8], kind: u8, content: &[u8], link: &[u8]) -> Vec<u8> {
    let mut head = [0u8; 512];
    head[..path.len().min(100)].copy_from_slice(&path[..path.len().min(100)]);
    head[100..107].copy_from_slice(b"0000644");
    head[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    head[136..147].copy_from_slice(b"14371573142");
    head[156] = kind;
    head[157..157 + link.len()].copy_from_slice(link);
    head[257..265].copy_from_slice(b"ustar\x0000");
    head[148..156].fill(b' ');
    let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut entry = head.to_vec();
    entry.extend(content);
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// A function that is long enough to be found again.
pub(crate) const CODE: &str = "def mean_of(values, weights):
    total = 0.0
    weight = 0.0
    for value, factor in zip(values, weights):
        if factor < 0:
            raise ValueError('negative weight')
        total += value * factor
        weight += factor
    if weight == 0:
        return None
    result = total / weight
    print('mean', result, 'of', len(values))
    return result
";

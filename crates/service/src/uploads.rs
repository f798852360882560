//! Files that clients gave, each in a folder of its own under a name that is safe.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use serde::Serialize;
use tokio::io::AsyncWriteExt;

use crate::identifier;
use crate::problem::{Answer, Problem};
use crate::store::now;

/// A file that a client gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Upload {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) bytes: u64,
    /// Seconds since 1970.
    pub(crate) created: i64,
}

/// How long a client may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// Most bytes of a file's name.
const LONGEST: usize = 120;

impl Upload {
    /// Where its content lies, in the server's folder.
    pub(crate) fn path(&self, data: &Path) -> PathBuf {
        self.folder(data).join(&self.name)
    }

    pub(crate) fn folder(&self, data: &Path) -> PathBuf {
        data.join("uploads").join(&self.id)
    }
}

/// A name that a file can have here: the last part of what the client calls it, without what a terminal or a file system might
/// take for something else.
pub(crate) fn safe_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| {
        if c.is_control()
            || "<>:\"|?*\u{202a}\u{202b}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".contains(c)
        {
            '_'
        } else {
            c
        }
    };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches(['.', ' ', '-']);
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    // The ending says the language: of a long name it stays.
    let short = match name.rsplit_once('.') {
        Some((_, ending)) if name.len() > LONGEST && ending.len() < 12 => {
            let mut cut = LONGEST - ending.len() - 1;
            while !name.is_char_boundary(cut) {
                cut -= 1;
            }
            format!("{}.{ending}", &name[..cut])
        }
        _ => name[..end].to_owned(),
    };
    if short.is_empty() { "upload".to_owned() } else { short }
}

/// Writes the body of a request to a file, of at most `most` bytes.
pub(crate) async fn receive(body: Body, name: &str, owner: &str, most: u64, data: &Path) -> Answer<Upload> {
    let mut upload = Upload {
        id: identifier::random(),
        owner: owner.to_owned(),
        name: safe_name(name),
        bytes: 0,
        created: now(),
    };
    let folder = upload.folder(data);
    let written = async {
        tokio::fs::create_dir_all(&folder).await.map_err(|error| Problem::of_writing(&error))?;
        upload.bytes = write(body, &upload.path(data), most).await?;
        Answer::Ok(())
    };
    // A client that goes away drops this; the folder is removed all the same.
    let mut guard = Unfinished(Some(folder.clone()));
    written.await?;
    guard.0 = None;
    Ok(upload)
}

/// A folder that goes unless it is finished.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(folder) = self.0.take() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

async fn write(body: Body, path: &Path, most: u64) -> Answer<u64> {
    let failed = |error: std::io::Error| Problem::of_writing(&error);
    let mut file = tokio::fs::File::create(path).await.map_err(failed)?;
    let mut stream = body.into_data_stream();
    let mut bytes = 0;
    loop {
        let next = tokio::time::timeout(SILENCE, stream.next()).await;
        let Ok(next) = next else {
            return Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "no data arrived for 30 seconds; send the file again",
            ));
        };
        let Some(chunk) = next else { break };
        let chunk = chunk.map_err(|_| Problem::bad("the body was cut off or is malformed; send it again"))?;
        bytes += chunk.len() as u64;
        if bytes > most {
            return Err(too_large(most));
        }
        file.write_all(&chunk).await.map_err(failed)?;
    }
    file.sync_all().await.map_err(failed)?;
    Ok(bytes)
}

pub(crate) fn too_large(most: u64) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!(
            "the file is larger than the {most} bytes that this token has left; delete uploads or send a smaller file"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        for (given, safe) in [
            ("a.py", "a.py"),
            ("../../etc/passwd", "passwd"),
            ("C:\\work\\b.java", "b.java"),
            ("..", "upload"),
            ("", "upload"),
            (".bashrc", "bashrc"),
            ("a\0b\n.py", "a_b_.py"),
            ("\u{202e}yp.exe", "_yp.exe"),
            ("-rf", "rf"),
        ] {
            assert_eq!(safe_name(given), safe, "{given:?}");
        }
        let long = safe_name(&format!("{}é.tar", "é".repeat(200)));
        assert!(long.len() <= LONGEST && long.ends_with("é.tar"), "{long}");
    }
}

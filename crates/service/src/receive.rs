//! Receives the files that clients send.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;

use crate::identifier;
use crate::problem::{Answer, Problem};
use crate::rooms::Room;
use crate::store::now;
use crate::upload::{Upload, safe_name};

/// How long a client may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// Writes the body of a request to a file, as far as there is room for it.
pub(crate) async fn receive(
    body: Body,
    name: &str,
    owner: &str,
    room: &mut Room<'_>,
    data: &Path,
) -> Answer<Upload> {
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
        upload.bytes = write(body, &upload.path(data), room).await?;
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

async fn write(body: Body, path: &Path, room: &mut Room<'_>) -> Answer<u64> {
    let left = room.left();
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
        if !room.take(bytes) {
            return Err(too_large(left));
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

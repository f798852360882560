//! Warm servers for Python: each confines itself once, and makes a process for each program.

use crate::Limits;
use crate::error::SandboxError;
use crate::jail::Role;
use crate::program::{Program, Test};
use crate::protocol::{self, Reply};
use crate::setup::{Cell, Needs, Setup};
use crate::toolchain::Found;
use nix::poll::{PollFd, PollFlags, PollTimeout};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The text of the server.
const SERVER: &str = include_str!("python/server.py");

/// How much longer than a program's time a server may be silent.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that waits for programs.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    requests: Option<ChildStdin>,
    replies: ChildStdout,
    limits: Limits,
    /// Goes last: the folders are deleted after the process has ended.
    _cell: Cell,
}

impl Server {
    pub(crate) fn start(setup: &Setup, python: &Found) -> Result<Self, SandboxError> {
        let cell = setup.cell()?;
        let limits = setup.limits;
        let told = serde_json::json!({
            "wall": limits.wall.as_secs_f64(),
            "cpu": limits.cpu_seconds,
            "output": limits.output,
            "scratch": limits.scratch,
            "namespaces": setup.layers.namespaces,
            "confined": setup.layers.seccomp,
        });
        let mut command = Command::new(&python.executable);
        command.args(["-I", "-B", "-c", SERVER, &told.to_string()]).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        setup.confine(&mut command, &cell, (Role::Server, Needs::default()), &python.folders, None)?;
        command.env("PYTHONHASHSEED", "0");
        let mut process = command.spawn().map_err(SandboxError::Start)?;
        let (requests, replies) = (process.stdin.take(), process.stdout.take());
        let replies = replies.ok_or_else(|| SandboxError::Start(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Self { process, requests, replies, limits, _cell: cell })
    }

    /// Runs `jobs`: one in a process of its own, several in one process. After an error the server is of no more use.
    pub(crate) fn ask(&mut self, jobs: &[(&Program, &Test)]) -> Result<Reply, SandboxError> {
        let answer = self.exchange(jobs);
        answer.map_err(|error| SandboxError::ServerDied { error, said: self.last_words() })
    }

    fn exchange(&mut self, jobs: &[(&Program, &Test)]) -> io::Result<Reply> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        protocol::write_request(requests, jobs)?;
        let patience = self.limits.wall + PATIENCE;
        let timeout = PollTimeout::try_from(patience).unwrap_or(PollTimeout::MAX);
        let mut waited = [PollFd::new(self.replies.as_fd(), PollFlags::POLLIN)];
        if nix::poll::poll(&mut waited, timeout)? == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        protocol::read_reply(&protocol::read_frame(&mut self.replies)?)
    }

    /// Ends the server and gives what it wrote to standard error.
    fn last_words(&mut self) -> String {
        let _ = self.process.kill();
        let mut words = Vec::new();
        if let Some(stderr) = self.process.stderr.take() {
            let _ = stderr.take(4096).read_to_end(&mut words);
        }
        String::from_utf8_lossy(&words).trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // At the end of its requests the server ends by itself. If it hangs, it is killed, and its namespace with it.
        self.requests = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

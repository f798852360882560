//! Warm servers for Python: each confines itself once, and makes a process for each program.

use crate::Limits;
use crate::error::SandboxError;
use crate::jail::Role;
use crate::process::in_memory;
use crate::program::{End, Program, Test};
use crate::protocol::{self, Seen};
use crate::setup::{Cell, Needs, Setup};
use crate::streams::{Stop, Streams};
use crate::toolchain::Found;
use nix::fcntl::OFlag;
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, send, sendmsg, socketpair,
};
use nix::unistd::Uid;
use std::fs::File;
use std::io::{self, IoSlice, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The text of the server.
const SERVER: &str = include_str!("python/server.py");

/// How long a server may take to end a program and to clean up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A message of the server, in bytes.
const MESSAGE: usize = 8;

/// A server that waits for programs.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    socket: OwnedFd,
    limits: Limits,
    /// Goes last: the folders are deleted after the process has ended.
    cell: Cell,
}

impl Server {
    pub(crate) fn start(setup: &Setup, python: &Found) -> Result<Self, SandboxError> {
        let cell = setup.cell()?;
        let limits = setup.limits;
        let told = serde_json::json!({
            "cpu": limits.cpu_seconds,
            "scratch": limits.scratch,
            "namespaces": setup.layers.namespaces,
            "confined": setup.layers.seccomp,
        });
        let packets = SockFlag::SOCK_CLOEXEC;
        let (socket, theirs) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, packets)
            .map_err(|error| SandboxError::Start(error.into()))?;
        let mut command = Command::new(&python.executable);
        command.args(["-I", "-B", "-c", SERVER, &told.to_string()]).current_dir("/");
        command.stdin(theirs).stdout(Stdio::piped()).stderr(Stdio::piped());
        let role = (Role::Server, Needs::default());
        setup.confine(&mut command, &cell, &limits, role, &python.folders, None)?;
        command.env("PYTHONHASHSEED", "0");
        // Otherwise each process of a program binds the functions that it calls once more.
        command.env("LD_BIND_NOW", "1");
        let process = command.spawn().map_err(SandboxError::Start)?;
        Ok(Self { process, socket, limits, cell })
    }

    /// Runs `jobs`: one in a process of its own, several in one process. After an error the server is of no more use.
    pub(crate) fn ask(&mut self, jobs: &[(&Program, &Test)]) -> Result<Seen, SandboxError> {
        let answer = self.exchange(jobs);
        answer.map_err(|error| SandboxError::ServerDied { error, said: self.last_words() })
    }

    fn exchange(&mut self, jobs: &[(&Program, &Test)]) -> io::Result<Seen> {
        let text = protocol::request(jobs)?;
        let input = match jobs {
            [(_, Test::Stdio { input })] if !input.is_empty() => in_memory(input)?,
            _ => File::open("/dev/null")?,
        };
        let pipes = [(); 3].map(|()| nix::unistd::pipe2(OFlag::O_CLOEXEC));
        let [(out, out_end), (err, err_end), (said, said_end)] = match pipes {
            [Ok(out), Ok(err), Ok(said)] => [out, err, said],
            [Err(error), ..] | [_, Err(error), _] | [.., Err(error)] => return Err(error.into()),
        };
        if let Some(user) = self.cell.user {
            // As for a program of its own: its pipes belong to it.
            for end in [&out_end, &err_end] {
                nix::unistd::fchown(end, Some(Uid::from_raw(user)), None)?;
            }
        }
        let handed =
            [in_memory(&text)?, input, File::from(out_end), File::from(err_end), File::from(said_end)];
        self.send(text.len() as u64, &handed)?;
        drop(handed);
        let mut streams = Streams::new([out, err, said], self.limits.output)?;
        let deadline = Instant::now() + self.limits.wall;
        let mut over = match streams.read_until(&self.socket, deadline)? {
            Stop::Other => None,
            stop => {
                self.send(0, &[])?;
                Some(if stop == Stop::TooMuch { End::TooMuchOutput } else { End::TimedOut })
            }
        };
        let (status, too_much_on_disk) = self.reply()?;
        if over.is_none() && !streams.read_rest()? {
            over = Some(End::TooMuchOutput);
        }
        if over.is_none() && too_much_on_disk {
            over = Some(End::TooMuchOnDisk);
        }
        let [stdout, stderr, said] = streams.into_held();
        Ok(Seen { over, status, stdout, stderr, said })
    }

    fn send(&self, length: u64, files: &[File]) -> io::Result<()> {
        let bytes = length.to_le_bytes();
        if files.is_empty() {
            send(self.socket.as_raw_fd(), &bytes, MsgFlags::MSG_NOSIGNAL)?;
            return Ok(());
        }
        let numbers: Vec<_> = files.iter().map(AsRawFd::as_raw_fd).collect();
        let handed = [ControlMessage::ScmRights(&numbers)];
        let parts = [IoSlice::new(&bytes)];
        sendmsg::<()>(self.socket.as_raw_fd(), &parts, &handed, MsgFlags::MSG_NOSIGNAL, None)?;
        Ok(())
    }

    /// The status of the program, and whether its scratch folder held too much.
    fn reply(&self) -> io::Result<(i32, bool)> {
        let mut none = Streams::new([], 0)?;
        if none.read_until(&self.socket, Instant::now() + PATIENCE)? == Stop::Time {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let mut message = [0; MESSAGE];
        if recv(self.socket.as_raw_fd(), &mut message, MsgFlags::empty())? != MESSAGE {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let [a, b, c, d, too_much, ..] = message;
        Ok((i32::from_le_bytes([a, b, c, d]), too_much != 0))
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
        // Its namespace ends with it, and so do all processes in there.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

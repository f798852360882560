//! What a process writes, read within limits on bytes and time.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How much is read at a time.
const PART: usize = 1 << 14;

/// The read ends of pipes, and what came out of them.
#[derive(Debug)]
pub(crate) struct Streams<const N: usize> {
    ends: [OwnedFd; N],
    held: [Vec<u8>; N],
    open: [bool; N],
    most: u64,
}

/// Why reading stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Stop {
    /// The other descriptor has something to read.
    Other,
    /// Some stream has more bytes than it may.
    TooMuch,
    /// The time is over.
    Time,
}

impl<const N: usize> Streams<N> {
    /// Reads from `ends` at most `most` bytes each.
    pub(crate) fn new(ends: [OwnedFd; N], most: u64) -> Result<Self, Errno> {
        for end in &ends {
            nix::fcntl::fcntl(end, nix::fcntl::FcntlArg::F_SETFL(nix::fcntl::OFlag::O_NONBLOCK))?;
        }
        Ok(Self { ends, held: std::array::from_fn(|_| Vec::new()), open: [true; N], most })
    }

    /// Reads until `other` is ready, the time is over, or there is too much.
    pub(crate) fn read_until(&mut self, other: impl AsFd, deadline: Instant) -> Result<Stop, Errno> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Stop::Time);
            }
            let mut waited = vec![PollFd::new(other.as_fd(), PollFlags::POLLIN)];
            let open: Vec<usize> = (0..N).filter(|place| self.open[*place]).collect();
            waited.extend(open.iter().map(|place| PollFd::new(self.ends[*place].as_fd(), PollFlags::POLLIN)));
            let timeout = PollTimeout::try_from(left + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
            match nix::poll::poll(&mut waited, timeout) {
                Err(Errno::EINTR) | Ok(0) => continue,
                Err(error) => return Err(error),
                Ok(_) => {}
            }
            let ready: Vec<bool> = waited.iter().map(|file| file.any().unwrap_or(true)).collect();
            for (place, _) in open.iter().zip(&ready[1..]).filter(|(_, ready)| **ready) {
                if !self.read(*place)? {
                    return Ok(Stop::TooMuch);
                }
            }
            if ready[0] {
                return Ok(Stop::Other);
            }
        }
    }

    /// Reads what is left, without waiting. False if there was too much.
    pub(crate) fn read_rest(&mut self) -> Result<bool, Errno> {
        for place in 0..N {
            if self.open[place] && !self.read(place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads one stream as far as it goes. False if that is too far.
    fn read(&mut self, place: usize) -> Result<bool, Errno> {
        let mut part = [0; PART];
        loop {
            match nix::unistd::read(&self.ends[place], &mut part) {
                Ok(0) => {
                    self.open[place] = false;
                    return Ok(true);
                }
                Ok(read) => self.held[place].extend(&part[..read]),
                Err(Errno::EAGAIN) => return Ok(true),
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error),
            }
            let most = usize::try_from(self.most).unwrap_or(usize::MAX);
            if self.held[place].len() > most {
                self.held[place].truncate(most);
                return Ok(false);
            }
        }
    }

    /// What was read of each stream.
    pub(crate) fn into_held(self) -> [Vec<u8>; N] {
        self.held
    }
}

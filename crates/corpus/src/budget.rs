//! How many bytes may still be read, shared by all readers that draw on the same budget.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// A number of bytes. Copies share it.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Rc<Account>);

#[derive(Debug)]
struct Account {
    left: Cell<u64>,
    overdrawn: Cell<bool>,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Account { left: Cell::new(bytes), overdrawn: Cell::new(false) }))
    }

    /// Sets what is left.
    pub(crate) fn grant(&self, bytes: u64) {
        self.0.left.set(bytes);
    }

    /// Whether a reader wanted more than was left.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.0.overdrawn.get()
    }

    /// A reader that draws on the budget; it fails where there is more to read than is left.
    pub(crate) fn meter<R: Read>(&self, reader: R) -> Metered<R> {
        Metered { reader, budget: self.clone() }
    }
}

/// See [`Budget::meter`].
#[derive(Debug)]
pub(crate) struct Metered<R> {
    reader: R,
    budget: Budget,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let account = &self.budget.0;
        let left = account.left.get();
        if left == 0 && !buffer.is_empty() {
            if self.reader.read(&mut [0])? == 0 {
                return Ok(0);
            }
            account.overdrawn.set(true);
            return Err(io::Error::other("there is more data than the limit allows"));
        }
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.reader.read(&mut buffer[..most])?;
        account.left.set(left - read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_one_budget() {
        let budget = Budget::new(5);
        let mut all = Vec::new();
        budget.meter(&b"abc"[..]).read_to_end(&mut all).expect("three of five");
        budget.meter(&b"de"[..]).read_to_end(&mut all).expect("just enough");
        assert!(!budget.is_overdrawn());
        budget.meter(&b"f"[..]).read_to_end(&mut all).expect_err("nothing left");
        assert!(budget.is_overdrawn());
        assert_eq!(all, b"abcde");
    }
}

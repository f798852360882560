//! A body that is read up to a limit.

use std::io::{self, Read};

use crate::error::RequestError;

/// The body of a response, of which at most a number of bytes is read. What comes after them is an error.
pub struct Body {
    inner: Box<dyn Read + Send>,
    left: u64,
    is_exceeded: bool,
}

/// Why a body is not whole.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    #[error(transparent)]
    Transfer(#[from] RequestError),
}

impl Body {
    pub(crate) fn new(inner: impl Read + Send + 'static, limit: u64) -> Self {
        Self { inner: Box::new(inner), left: limit, is_exceeded: false }
    }

    /// Reads all of it.
    pub fn bytes(mut self) -> Result<Vec<u8>, BodyError> {
        let limit = self.left;
        let mut bytes = Vec::new();
        match self.read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(_) if self.is_exceeded => Err(BodyError::TooLarge(limit)),
            Err(error) => Err(BodyError::Transfer(RequestError::of_reading(error))),
        }
    }

    /// Whether there was more than the limit, which is why reading failed.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) if !self.is_exceeded => self.left = left,
            _ => {
                self.is_exceeded = true;
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "there is more than the limit"));
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_the_limit() {
        assert_eq!(Body::new(&b"abc"[..], 3).bytes().expect("as much as there may be"), b"abc");
        assert!(matches!(Body::new(&b"abcd"[..], 3).bytes(), Err(BodyError::TooLarge(3))));
        assert!(matches!(Body::new(io::repeat(0), 3).bytes(), Err(BodyError::TooLarge(3))));
        let mut body = Body::new(&b"abcd"[..], 3);
        let mut buffer = [0; 2];
        assert_eq!(body.read(&mut buffer).expect("within the limit"), 2);
        assert!(body.read(&mut buffer).is_err() && body.read(&mut buffer).is_err() && body.is_exceeded());
    }
}

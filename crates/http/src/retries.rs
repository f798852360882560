//! Asking again where a failure may pass.

use std::time::Duration;

/// Longest pause between two tries, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How often something is tried, and with which pauses.
#[derive(Clone, Copy, Debug)]
pub struct Retries {
    /// How often it is tried before it counts as failed.
    pub tries: u32,
    /// The pause before the second try. Each further pause is twice as long.
    pub pause: Duration,
}

/// Why a try failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// Trying again may help, after the time that the server asks for.
    Passing { error: E, after: Option<Duration> },
    /// Trying again does not help.
    Final(E),
}

impl<E> Failure<E> {
    /// A failure after which the server asked for no pause.
    pub fn passing(error: E) -> Self {
        Self::Passing { error, after: None }
    }
}

impl Retries {
    /// Tries until an attempt succeeds or fails for good, or until there was the last try.
    pub fn run<T, E>(self, attempt: impl Fn() -> Result<T, Failure<E>>) -> Result<T, Failure<E>> {
        let mut pause = self.pause;
        for _ in 1..self.tries {
            match attempt() {
                Err(Failure::Passing { after, .. }) => {
                    std::thread::sleep(after.unwrap_or(pause).min(LONGEST_PAUSE));
                    pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
                }
                done => return done,
            }
        }
        attempt()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let retries = Retries { tries: 3, pause: Duration::ZERO };
        let count = Cell::new(0);
        let attempt = |failure: fn(i32) -> Result<i32, Failure<i32>>| {
            count.set(0);
            retries.run(|| {
                count.set(count.get() + 1);
                failure(count.get())
            })
        };
        assert_eq!((attempt(Ok), count.get()), (Ok(1), 1));
        assert_eq!((attempt(|n| Err(Failure::Final(n))), count.get()), (Err(Failure::Final(1)), 1));
        assert_eq!((attempt(|n| Err(Failure::passing(n))), count.get()), (Err(Failure::passing(3)), 3));
        // Pauses do not grow without end: with a server that asks for none, a hundred tries take no time here.
        let many = Retries { tries: 200, pause: Duration::from_secs(1) };
        let attempt_at_once = || Err::<(), _>(Failure::Passing { error: (), after: Some(Duration::ZERO) });
        assert!(many.run(attempt_at_once).is_err());
        let second = attempt(|n| if n == 2 { Ok(n) } else { Err(Failure::passing(n)) });
        assert_eq!((second, count.get()), (Ok(2), 2));
    }
}

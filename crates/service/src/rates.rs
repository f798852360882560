//! How often somebody may ask, and how often somebody may guess a token.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::http::StatusCode;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::problem::{Answer, Problem};

/// How often somebody may ask, and how often from one address with a wrong token.
pub(crate) struct Rates {
    callers: RateLimiter<String, HashMapStateStore<String>, DefaultClock>,
    guesses: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>,
}

/// Wrong tokens from one address in a minute.
const GUESSES: NonZeroU32 = NonZeroU32::new(20).expect("not zero");

impl Rates {
    /// So many requests of one caller in a second, and five times as many at once.
    pub(crate) fn new(a_second: NonZeroU32) -> Self {
        let quota = Quota::per_second(a_second)
            .allow_burst(a_second.saturating_mul(NonZeroU32::new(5).expect("not zero")));
        Self {
            callers: RateLimiter::hashmap(quota),
            guesses: RateLimiter::hashmap(Quota::per_minute(GUESSES)),
        }
    }

    /// Forgets those who have not asked for a while.
    pub(crate) fn tidy(&self) {
        self.callers.retain_recent();
        self.guesses.retain_recent();
    }

    pub(crate) fn caller(&self, name: &str) -> Answer<()> {
        self.callers.check_key(&name.to_owned()).map_err(|until| {
            let seconds = until.wait_time_from(DefaultClock::default().now()).as_secs() as u32 + 1;
            Problem::too_many("this token has sent too many requests; wait a moment", seconds)
        })
    }

    /// Counts a wrong token from `address`, which is told to wait where it sends many.
    pub(crate) fn wrong(&self, address: IpAddr) -> Problem {
        match self.guesses.check_key(&address) {
            Ok(()) => Problem::new(StatusCode::UNAUTHORIZED, "the token is not known or has expired"),
            Err(_) => Problem::too_many("this address has sent too many wrong tokens; wait a minute", 60),
        }
    }
}

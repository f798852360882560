//! A page on which people judge pairs, with sign-in by token.
//!
//! `desk` is what has the pairs and keeps the judgements; whoever starts the server gives it. `sign_in` says who asks, `routes` answer,
//! and `page` is what the browser gets. `serving` starts and ends the server.

mod desk;
mod page;
mod routes;
mod serving;
mod sign_in;

pub use desk::{Desk, Refused};
pub use serving::serve;
pub use sign_in::{Judges, hashed, new_token};

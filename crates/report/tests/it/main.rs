//! Reports of one small result with names that no one would want.

mod explanation;
mod formats;
mod html;

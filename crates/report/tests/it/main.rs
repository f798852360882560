//! Reports of one small result with names that no one would want.

mod formats;
mod html;

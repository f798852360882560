//! Functions of rows that the library computes slowly on a processor. On a GPU, they are the library's.

mod columns;
mod largest;
mod messages;
mod normalized;
mod numbers;
mod shares;
#[cfg(test)]
mod tests;
mod windows;

pub(crate) use columns::{scaled, shifted};
pub(crate) use largest::largest;
pub(crate) use messages::Edges;
pub(crate) use normalized::normalized;
pub(crate) use shares::Attention;
pub(crate) use windows::windows;

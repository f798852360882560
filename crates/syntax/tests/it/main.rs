//! Every language: what its fixtures give, and what bad input does to it.

mod fixtures;
mod formats;
mod hostile;

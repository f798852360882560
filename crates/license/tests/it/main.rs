//! Copyright statements, by a table.

mod copyrights;

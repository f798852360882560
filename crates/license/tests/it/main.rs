//! Copyrights and judgements, by tables and properties.

mod copyrights;
mod judgement;

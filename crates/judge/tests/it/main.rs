//! Judgements, by a table and by properties.

mod judgement;

//! The index, asked from outside: it answers as what was put in, in whatever order that came; limits hold; damage is an
//! error and never another answer.

mod bags;
mod damage;
mod places;
mod sampling;
mod segments;
mod tokens;
mod vectors;

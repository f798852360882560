//! Tests of the C and C++ front end.

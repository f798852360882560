//! Bytes of a file to bytes that a front end reads.

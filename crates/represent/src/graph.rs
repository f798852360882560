//! Code graphs: which instruction runs after which, and which value comes from which.

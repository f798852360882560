//! Maximal repeated runs of tokens that respect no fragment boundary, as jscpd, PMD CPD and arid report them.

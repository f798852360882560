//! Tests of the measure.

//! The twenty transformations that a language model designed in Auto-SPT (Table 1).
//!
//! The paper gives their names alone. What each does follows from its name, and each is built so that it cannot be
//! undone cheaply: values flow through what is inserted, and what is inserted has no value before the program runs.

pub(crate) mod arithmetic_decomposition;
pub(crate) mod circular_buffer_iteration;
pub(crate) mod circular_buffer_mapping;
pub(crate) mod conditional_aggregation;
pub(crate) mod conditional_vectorization;
pub(crate) mod cyclic_rotation;
pub(crate) mod deferred_queue;
pub(crate) mod delayed_resolution;
pub(crate) mod dictionary_encoding;
pub(crate) mod dimensional_flattening;
pub(crate) mod generator_chaining;
pub(crate) mod index_obfuscation;

pub(crate) mod modular_distribution;
pub(crate) mod nested_function;
pub(crate) mod positional_encoding;
pub(crate) mod probabilistic_flow;
pub(crate) mod radix_chaining;
pub(crate) mod recursive_flattening;
pub(crate) mod state_accumulation;
pub(crate) mod state_machine;

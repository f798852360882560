//! Simplified parse trees (Aroma: Luan et al. 2019, Section 3.1).

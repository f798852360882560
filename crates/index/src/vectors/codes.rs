//! Vectors in a byte for each dimension, with one scale for each vector.
//!
//! The scale is not that which gives the bytes their length back but that with which a vector's cosine with itself comes out
//! as 1, as in RaBitQ (Gao and Long 2024): what rounding adds along the vector is taken out, and only what it adds across is
//! left. Queries are rounded to fourteen bits, so that their own rounding does not count.

/// Most dimensions: sums of products stay within 32 bits.
pub(super) const MOST_DIMENSIONS: usize = 4096;

/// The greatest number of a query; that of a stored vector is 127.
const MOST_OF_QUERY: f32 = 16_383.0;

/// Vectors other than zero, by place. What is stored at a place has a number in the order of pushing.
#[derive(Debug, Default)]
pub(super) struct Codes {
    pub(super) dimensions: usize,
    pub(super) numbers: Vec<u32>,
    /// By place; all are finite and above zero.
    pub(super) scales: Vec<f32>,
    /// `dimensions` of each place.
    pub(super) bytes: Vec<i8>,
}

/// What is compared with stored vectors.
#[derive(Debug)]
pub(super) struct Query {
    values: Vec<i16>,
    pub(super) scale: f32,
}

impl Codes {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn memory(&self) -> usize {
        self.numbers.capacity() * 4 + self.scales.capacity() * 4 + self.bytes.capacity()
    }

    /// Gives back what was reserved for more vectors.
    pub(super) fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
        self.scales.shrink_to_fit();
        self.bytes.shrink_to_fit();
    }

    /// Adds a vector, unless it has no direction.
    pub(super) fn push(&mut self, number: u32, vector: &[f32]) {
        let Some((values, scale)) = rounded(vector, 127.0) else { return };
        self.numbers.push(number);
        self.scales.push(scale);
        self.bytes.extend(values.iter().map(|&value| value as i8));
    }

    /// Adds a vector that is coded already.
    pub(super) fn push_coded(&mut self, number: u32, bytes: &[i8], scale: f32) {
        self.numbers.push(number);
        self.scales.push(scale);
        self.bytes.extend_from_slice(bytes);
    }

    /// The same vectors, those of the places `order` one after another.
    pub(super) fn in_order(&self, order: &[u32]) -> Self {
        let mut bytes = Vec::with_capacity(order.len() * self.dimensions);
        for &place in order {
            bytes.extend_from_slice(self.at(place));
        }
        let numbers = order.iter().map(|&place| self.numbers[place as usize]).collect();
        let scales = order.iter().map(|&place| self.scales[place as usize]).collect();
        Self { dimensions: self.dimensions, numbers, scales, bytes }
    }

    #[inline]
    pub(super) fn at(&self, place: u32) -> &[i8] {
        let start = place as usize * self.dimensions;
        &self.bytes[start..start + self.dimensions]
    }

    /// A vector as a query; none where it has no direction or other dimensions.
    pub(super) fn query(&self, vector: &[f32]) -> Option<Query> {
        let (values, scale) = rounded(vector, MOST_OF_QUERY)?;
        (vector.len() == self.dimensions).then_some(Query { values, scale })
    }

    /// A stored vector as a query.
    pub(super) fn query_at(&self, place: u32) -> Query {
        let values = self.at(place).iter().map(|&value| i16::from(value)).collect();
        Query { values, scale: self.scales[place as usize] }
    }

    /// A stored vector, scaled to length 1.
    pub(super) fn unit(&self, place: u32) -> Vec<f32> {
        let values = self.at(place);
        let length = values.iter().map(|&value| f32::from(value).powi(2)).sum::<f32>().sqrt();
        values.iter().map(|&value| f32::from(value) / length).collect()
    }

    /// The cosine of a query and a stored vector, but for the query's scale.
    #[inline]
    pub(super) fn score(&self, query: &Query, place: u32) -> f32 {
        dot(&query.values, self.at(place)) as f32 * self.scales[place as usize]
    }

    /// The cosine of a query and a stored vector, which is the same with their places exchanged.
    #[inline]
    pub(super) fn cosine(&self, query: &Query, place: u32) -> f32 {
        let scale = query.scale * self.scales[place as usize];
        dot(&query.values, self.at(place)) as f32 * scale
    }
}

/// A vector in whole numbers up to `most` and the scale of its direction; none for zero and what is not finite.
fn rounded(vector: &[f32], most: f32) -> Option<(Vec<i16>, f32)> {
    let largest = vector.iter().fold(0.0, |largest: f32, value| largest.max(value.abs()));
    let norm = vector.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
    if largest == 0.0 || !norm.is_finite() {
        return None;
    }
    let step = f64::from(most) / f64::from(largest);
    let round = |&value: &f32| (f64::from(value) * step).round() as i16;
    let values: Vec<i16> = vector.iter().map(round).collect();
    let along: f64 = vector.iter().zip(&values).map(|(&it, &value)| f64::from(it) * f64::from(value)).sum();
    Some((values, (norm / along) as f32))
}

/// In chunks of this size, and with these widths, the compiler multiplies and adds in pairs.
#[inline]
fn dot(left: &[i16], right: &[i8]) -> i32 {
    fn sum(left: &[i16], right: &[i8]) -> i32 {
        left.iter().zip(right).map(|(&left, &right)| i32::from(left) * i32::from(right)).sum()
    }
    let (left, right) = (left.as_chunks::<32>(), right.as_chunks::<32>());
    let chunks: i32 = left.0.iter().zip(right.0).map(|(left, right)| sum(left, right)).sum();
    chunks + sum(left.1, right.1)
}

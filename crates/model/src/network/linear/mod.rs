//! Matrices of eight-bit numbers and their products, which are exact: every processor gives the same bits, each in the way that is
//! fastest on it.
//!
//! `packed` is how numbers stand in memory, and what all ways have in common. `portable`, `avx2` and `vnni` are the ways.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod packed;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vnni;

use packed::{GROUP, Line, Rounded, Task, grouped, pack};

/// How products are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// SSE2 or NEON, which are always there.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 VNNI.
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Kernel {
    /// Those that this processor has, the fastest last.
    fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Self::Avx2);
            }
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if wide && is_x86_feature_detected!("avx512vnni") {
                all.push(Self::Vnni);
            }
        }
        all
    }
}

/// A matrix of eight-bit numbers with one scale for each row, and what is added to the product.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    inputs: usize,
    outputs: usize,
    weights: Weights,
    scales: Box<[[f32; GROUP]]>,
    bias: Box<[[f32; GROUP]]>,
}

/// The numbers of a matrix, as the processor takes them. There is none of a kind that it does not have.
#[derive(Clone, Debug)]
enum Weights {
    Portable(Box<[Line<i16, 2>]>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<[Line<i16, 2>]>),
    #[cfg(target_arch = "x86_64")]
    Vnni(Box<[Line<u8, 4>]>),
}

/// Room for rows that are rounded to eight bits.
#[derive(Debug, Default)]
pub(crate) struct Quantized {
    pairs: Rounded<i16, 2>,
    #[cfg(target_arch = "x86_64")]
    quads: Rounded<i8, 4>,
}

impl Linear {
    /// `rows` are the rows of the matrix, one after another, of `inputs` numbers each.
    pub(crate) fn new(inputs: usize, rows: &[i8], scales: &[f32], bias: &[f32]) -> Self {
        let kernel = Kernel::all().pop().unwrap_or(Kernel::Portable);
        Self::computed_by(kernel, inputs, rows, scales, bias)
    }

    fn computed_by(kernel: Kernel, inputs: usize, rows: &[i8], scales: &[f32], bias: &[f32]) -> Self {
        debug_assert_eq!(rows.len(), inputs * scales.len());
        debug_assert_eq!(bias.len(), scales.len());
        let weights = match kernel {
            Kernel::Portable => Weights::Portable(pack(inputs, rows, i16::from)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Weights::Avx2(pack(inputs, rows, i16::from)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vnni => {
                Weights::Vnni(pack(inputs, rows, |value| value.cast_unsigned().wrapping_add(vnni::OFFSET)))
            }
        };
        Self { inputs, outputs: scales.len(), weights, scales: grouped(scales), bias: grouped(bias) }
    }

    /// Numbers in a product.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// The product for each row of `x`, in `out`, which is replaced.
    pub(crate) fn apply(&self, x: &[f32], scratch: &mut Quantized, out: &mut Vec<f32>) {
        out.clear();
        out.resize(x.len() / self.inputs * self.outputs(), 0.0);
        match &self.weights {
            Weights::Portable(weights) => {
                portable::round(&mut scratch.pairs, x, self.inputs);
                portable::apply(&self.task(&scratch.pairs, weights), out);
            }
            #[cfg(target_arch = "x86_64")]
            Weights::Avx2(weights) => {
                // SAFETY: weights of this kind are made only where the processor has AVX2.
                unsafe {
                    avx2::round(&mut scratch.pairs, x, self.inputs);
                    avx2::apply(&self.task(&scratch.pairs, weights), out);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Weights::Vnni(weights) => {
                // SAFETY: weights of this kind are made only where the processor has AVX-512 with VNNI.
                unsafe {
                    vnni::round(&mut scratch.quads, x, self.inputs);
                    vnni::apply(&self.task(&scratch.quads, weights), out);
                }
            }
        }
    }

    fn task<'t, T, W, const N: usize>(
        &'t self,
        rows: &'t Rounded<T, N>,
        weights: &'t [W],
    ) -> Task<'t, T, N, W> {
        Task { rows, weights, scales: &self.scales, bias: &self.bias, outputs: self.outputs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_of_rounded_numbers_is_near_the_exact_one() {
        let linear = Linear::new(3, &[127, 0, -127, 64, 64, 64], &[1.0 / 127.0; 2], &[0.5, 0.0]);
        let (mut scratch, mut out) = (Quantized::default(), Vec::new());
        linear.apply(&[1.0, 2.0, -3.0, 0.0, 0.0, 0.0], &mut scratch, &mut out);
        let expected = [4.5, 0.0, 0.5, 0.0];
        assert!(out.iter().zip(expected).all(|(out, expected)| (out - expected).abs() < 0.03), "{out:?}");
    }

    /// Numbers of no order, from 0 up to 2³².
    fn numbers() -> impl FnMut() -> u32 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        }
    }

    /// What is computed one by one, without any vector.
    fn expected(inputs: usize, rows: &[i8], scales: &[f32], bias: &[f32], x: &[f32]) -> Vec<f32> {
        let mut all = Vec::new();
        for x in x.chunks_exact(inputs) {
            let greatest = x.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs()));
            let scale = if greatest > 0.0 { 127.0 / greatest } else { 0.0 };
            let rounded: Vec<i32> = x.iter().map(|x| (x * scale + 0.5f32.copysign(*x)) as i32).collect();
            for ((weights, scale), bias) in rows.chunks_exact(inputs).zip(scales).zip(bias) {
                let sum: i32 = weights.iter().zip(&rounded).map(|(w, x)| i32::from(*w) * x).sum();
                all.push(sum as f32 * (greatest / 127.0 * scale) + bias);
            }
        }
        all
    }

    #[test]
    fn every_kernel_of_this_processor_gives_the_same_bits() {
        let mut next = numbers();
        for (inputs, outputs, count) in [
            (1, 1, 1),
            (3, 2, 5),
            (16, 16, 8),
            (17, 33, 9),
            (64, 8, 20),
            (130, 40, 3),
            (512, 256, 17),
            (641, 7, 2),
        ] {
            let rows: Vec<i8> = (0..inputs * outputs)
                .map(|_| [-128, 127, 0, next() as i8, next() as i8][next() as usize % 5])
                .collect();
            let mut number = || (f64::from(next()) / f64::from(u32::MAX) - 0.5) as f32;
            let scales: Vec<f32> = (0..outputs).map(|_| number()).collect();
            let bias: Vec<f32> = (0..outputs).map(|_| number()).collect();
            let mut x: Vec<f32> = (0..inputs * count).map(|_| number() * 40.0).collect();
            // A row of zeros, and one of the greatest numbers.
            x[..inputs].fill(0.0);
            x[inputs * (count - 1)..].fill(-20.0);
            let expected = expected(inputs, &rows, &scales, &bias, &x);
            for kernel in Kernel::all() {
                let linear = Linear::computed_by(kernel, inputs, &rows, &scales, &bias);
                let (mut scratch, mut out) = (Quantized::default(), vec![7.0; 3]);
                // Twice with the same room: nothing of the first time remains.
                for _ in 0..2 {
                    linear.apply(&x, &mut scratch, &mut out);
                    let same = out.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same && out.len() == expected.len(), "{kernel:?} {inputs} {outputs} {count}");
                }
            }
        }
    }
}

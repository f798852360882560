//! Functions of rows against those of the library.

use candle_core::{Device, Result, Tensor, Var};

use super::columns::{scaled, shifted};
use super::largest::{largest, library_largest};
use super::messages::Edges;
use super::normalized::{library_normalized, normalized};
use super::shares::Attention;
use super::windows::{library_windows, windows};

#[test]
fn windows_and_their_gradient() {
    let rows = Var::from_vec(vec![1_f32, 2.0, 3.0, 4.0], (4, 1), &Device::Cpu).expect("there are four");
    // Two programs of two rows each.
    let windows = windows(rows.as_tensor(), 3, 2).expect("they fit");
    let wanted = [[0.0, 1.0, 2.0], [1.0, 2.0, 0.0], [0.0, 3.0, 4.0], [3.0, 4.0, 0.0]];
    assert_eq!(windows.to_vec2::<f32>().expect("there are rows"), wanted);
    let factors = Tensor::new(&[[1_f32, 10.0, 100.0]; 4], &Device::Cpu).expect("there are twelve");
    let gradients = windows.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
    let gradients = gradients.expect("it has a gradient");
    let gradient = gradients.get(rows.as_tensor()).expect("it depends on the rows");
    assert_eq!(gradient.to_vec2::<f32>().expect("rows"), [[11.0], [110.0], [11.0], [110.0]]);
}

#[test]
fn the_library_computes_the_same() {
    let values: Vec<f32> = (0..60_u16).map(|at| f32::from(at * 37 % 61)).collect();
    let rows = Tensor::from_vec(values, (12, 5), &Device::Cpu).expect("there are sixty");
    let numbers = |it: Result<Tensor>| it.and_then(|it| it.to_vec2::<f32>()).expect("rows");
    for width in [1, 3, 5, 15] {
        assert_eq!(
            numbers(windows(&rows, width, 4)),
            numbers(library_windows(&rows, width, 4)),
            "{width} rows"
        );
    }
    let spans = vec![(0, 4), (4, 1), (5, 7)];
    assert_eq!(numbers(largest(&rows, spans.clone())), numbers(library_largest(&rows, &spans)));
}

/// The numbers of `made`, and its gradients by both inputs where each of its numbers counts differently.
fn with_gradients(one: &Var, two: &Var, made: &Tensor) -> [Vec<f32>; 3] {
    let count = made.elem_count() as u16;
    let factors: Vec<f32> = (0..count).map(|at| f32::from(at % 7) - 2.5).collect();
    let factors = Tensor::from_vec(factors, made.shape(), &Device::Cpu).expect("there are as many");
    let gradients = made.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
    let gradients = gradients.expect("it has a gradient");
    let flat = |it: &Tensor| it.flatten_all().and_then(|it| it.to_vec1::<f32>()).expect("numbers");
    let of = |it: &Var| gradients.get(it.as_tensor()).map(flat).unwrap_or_default();
    [flat(made), of(one), of(two)]
}

#[test]
fn functions_of_rows_are_those_of_the_library() {
    let values: Vec<f32> = (0..24_u16).map(|at| f32::from(at * 5 % 17) / 8.0).collect();
    let rows = Var::from_vec(values, (6, 4), &Device::Cpu).expect("there are 24");
    let shift = Var::from_vec(vec![1_f32, -2.0, 0.5, 3.0], 4, &Device::Cpu).expect("there are four");
    let ours = shifted(rows.as_tensor(), shift.as_tensor()).expect("they fit");
    let theirs = rows.as_tensor().broadcast_add(shift.as_tensor()).expect("they fit");
    assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
    let ours = scaled(rows.as_tensor(), shift.as_tensor()).expect("they fit");
    let theirs = rows.as_tensor().broadcast_mul(shift.as_tensor()).expect("they fit");
    assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
    let ours = normalized(rows.as_tensor()).expect("there are rows");
    let theirs = library_normalized(rows.as_tensor()).expect("there are rows");
    let both = [&ours, &theirs].map(|it| with_gradients(&rows, &shift, it).concat());
    assert!(both[0].iter().zip(&both[1]).all(|(one, two)| (one - two).abs() < 1e-4), "{both:?}");
    let edges =
        Edges::new(vec![0, 1, 1, 5, 2], vec![1, 0, 5, 1, 2], vec![1.0, 1.0, 0.5, 0.5, 2.0], 6, &Device::Cpu)
            .expect("they fit");
    let ours = edges.messages(rows.as_tensor()).expect("they fit");
    let theirs = edges.library_messages(rows.as_tensor()).expect("they fit");
    assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
}

#[test]
fn the_largest_and_its_gradient() {
    let values = vec![1_f32, 9.0, 5.0, 2.0, -3.0, -4.0];
    let rows = Var::from_vec(values, (3, 2), &Device::Cpu).expect("there are six");
    let spans = vec![(0, 2), (2, 1)];
    let library = library_largest(rows.as_tensor(), &spans).expect("they fit");
    for largest in [largest(rows.as_tensor(), spans).expect("they fit"), library] {
        assert_eq!(largest.to_vec2::<f32>().expect("rows"), [[5.0, 9.0], [-3.0, -4.0]]);
        let factors = Tensor::new(&[[1_f32, 10.0], [100.0, 1000.0]], &Device::Cpu).expect("there are four");
        let gradients = largest.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
        let gradients = gradients.expect("it has a gradient");
        let gradient = gradients.get(rows.as_tensor()).expect("it depends on the rows");
        let wanted = [[0.0, 10.0], [1.0, 0.0], [100.0, 1000.0]];
        assert_eq!(gradient.to_vec2::<f32>().expect("rows"), wanted);
    }
}

#[test]
fn shares_are_those_of_the_library() {
    let attention = Attention { spans: vec![5, 3], length: 5, heads: 2, scale: 0.5, reach: 2 };
    let of = |count: u16, shape: &[usize]| {
        let values: Vec<f32> = (0..count).map(|at| f32::from(at * 29 % 23) / 4.0 - 2.0).collect();
        Var::from_vec(values, shape, &Device::Cpu).expect("there are as many")
    };
    let (scores, distances) = (of(100, &[2, 2, 5, 5]), of(10, &[5, 2]));
    // Behind the end of a program shares say nothing.
    let there: Vec<f32> = (0..100).map(|at| f32::from(u8::from(at < 50 || at / 5 % 5 < 3))).collect();
    let there = Tensor::from_vec(there, (2, 2, 5, 5), &Device::Cpu).expect("there are a hundred");
    let ours = attention.shares(scores.as_tensor(), distances.as_tensor());
    let theirs = attention.library_shares(scores.as_tensor(), distances.as_tensor());
    let both = [ours, theirs].map(|it| {
        let seen = it.and_then(|it| it.mul(&there)).expect("they fit");
        with_gradients(&scores, &distances, &seen)
    });
    for (ours, theirs) in both[0].iter().zip(&both[1]) {
        assert_eq!(ours.len(), theirs.len());
        assert!(ours.iter().zip(theirs).all(|(one, two)| (one - two).abs() < 1e-5), "{ours:?} {theirs:?}");
    }
}

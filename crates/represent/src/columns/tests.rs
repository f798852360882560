//! What columns are, read back as the format says.

use super::*;

/// Reads what [`pack`] wrote.
fn unpack(bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
    let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
    let width = width as usize;
    (0..count).map(|at| (0..width).map(|low| bit(at * width + low) << low).sum()).collect()
}

fn read_varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

fn read_zigzag(bytes: &mut &[u8]) -> i32 {
    let number = read_varint(bytes) as u32;
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

fn read_numbers(mut bytes: &[u8]) -> Vec<u32> {
    assert_eq!((read_varint(&mut bytes), read_varint(&mut bytes)), (128, 4));
    let count = read_varint(&mut bytes) as usize;
    let mut value = read_zigzag(&mut bytes).cast_unsigned();
    let mut values = if count > 0 { vec![value] } else { Vec::new() };
    while values.len() < count {
        let least = read_zigzag(&mut bytes);
        let (widths, rest) = bytes.split_at(4);
        bytes = rest;
        for &width in widths {
            if values.len() == count {
                break;
            }
            let (part, rest) = bytes.split_at(usize::from(width) * 4);
            bytes = rest;
            for difference in unpack(part, u32::from(width), 32) {
                if values.len() < count {
                    value = value.wrapping_add(difference.cast_signed().wrapping_add(least).cast_unsigned());
                    values.push(value);
                }
            }
        }
    }
    assert!(bytes.is_empty());
    values
}

#[test]
fn numbers_come_back() {
    let mixed: Vec<u32> = (0..1000_u32).map(|n| n.wrapping_mul(0x9E37_79B9) >> (n % 31)).collect();
    for values in [vec![], vec![7], vec![u32::MAX, 0, u32::MAX], (0..300).collect(), vec![5; 129], mixed] {
        let mut column = Numbers(values.clone());
        let taken = column.take_rows();
        assert_eq!((taken.values as usize, read_numbers(&taken.page)), (values.len(), values));
        assert!(column.0.is_empty());
    }
}

#[test]
fn strings_come_back() {
    let text = "a bc a defghijk defghijl  defghijk_and_more defghijk_and_morf bc \u{1f600}";
    let mut strings = Strings::default();
    for round in 0..2 {
        let mut words = Vec::new();
        for word in text.split(' ') {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            strings.add(text.as_bytes(), start, start + word.len());
            words.push(word);
        }
        let many: Vec<String> = (0..5000 * round).map(|n| format!("word {}", n % 3000)).collect();
        for word in &many {
            strings.add(word.as_bytes(), 0, word.len());
            words.push(word);
        }
        let column = strings.take_rows();
        let (dictionary, count) = column.dictionary.expect("it has one");
        let (mut known, mut bytes) = (Vec::new(), &dictionary[..]);
        while let Some((length, rest)) = bytes.split_first_chunk() {
            let (word, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
            known.push(str::from_utf8(word).expect("text"));
            bytes = rest;
        }
        let mut unique = known.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!((known.len(), unique.len()), (count as usize, known.len()));
        let (width, mut page) = (u32::from(column.page[0]), &column.page[1..]);
        assert_eq!(read_varint(&mut page), (words.len().div_ceil(8) as u64) << 1 | 1);
        assert_eq!(page.len(), words.len().div_ceil(8) * width as usize);
        let read: Vec<&str> = unpack(page, width, words.len()).iter().map(|&at| known[at as usize]).collect();
        assert_eq!(read, words);
    }
}

#[test]
fn lists_have_levels() {
    let mut lengths = Lengths::default();
    for length in [2, 0, 0, 3, 1] {
        lengths.add(length);
    }
    let levels = lengths.take();
    assert_eq!((levels.rows, levels.values), (5, 8));
    let repetitions = [2, 0, 2, 1, 2, 0, 2, 0, 2, 0, 4, 1, 2, 0];
    let definitions = [4, 1, 2, 0, 2, 0, 8, 1];
    assert_eq!(levels.bytes, [&[14, 0, 0, 0][..], &repetitions, &[8, 0, 0, 0], &definitions].concat());
    let mut flags = Flags::default();
    for flag in [true, false, true, true, false, false, false, false, true] {
        flags.add(flag);
    }
    assert_eq!(flags.take(&lengths.take()).page[8..], [0b1101, 1]);
    flags.add_false(9);
    flags.add(true);
    flags.add_false(7);
    assert_eq!(flags.take(&lengths.take()).page[8..], [0, 2, 0]);
}

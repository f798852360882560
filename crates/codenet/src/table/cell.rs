//! A cell of Parquet as JSON.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType,
    IntervalMonthDayNanoType, IntervalYearMonthType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use familiar_source::time;
use serde_json::{Map, Value};

const DAY: i64 = 24 * 60 * 60;

/// The value of a cell; `None` where it has none, or is of a kind that JSON has no form for.
pub(super) fn value(column: &dyn Array, at: usize) -> Option<Value> {
    if column.is_null(at) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(at).into(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(at).into(),
        DataType::Utf8View => column.as_string_view().value(at).into(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            text(bytes(column, at)?)
        }
        DataType::Boolean => column.as_boolean().value(at).into(),
        DataType::Int8 => column.as_primitive::<Int8Type>().value(at).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(at).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(at).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(at).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(at).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(at).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(at).into(),
        DataType::Float16 => f64::from(column.as_primitive::<Float16Type>().value(at)).into(),
        DataType::Float32 => f64::from(column.as_primitive::<Float32Type>().value(at)).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(at).into(),
        DataType::Decimal32(..) => decimal(column.as_primitive::<Decimal32Type>().value_as_string(at)),
        DataType::Decimal64(..) => decimal(column.as_primitive::<Decimal64Type>().value_as_string(at)),
        DataType::Decimal128(..) => decimal(column.as_primitive::<Decimal128Type>().value_as_string(at)),
        DataType::Decimal256(..) => decimal(column.as_primitive::<Decimal256Type>().value_as_string(at)),
        DataType::Date32 => day(i64::from(column.as_primitive::<Date32Type>().value(at))),
        DataType::Date64 => day(column.as_primitive::<Date64Type>().value(at).div_euclid(1000 * DAY)),
        DataType::Time32(_) | DataType::Time64(_) => time_of_day(column, at)?,
        DataType::Duration(unit) => duration(column, at, *unit),
        DataType::Interval(unit) => interval(column, at, *unit),
        DataType::Timestamp(unit, zone) => timestamp(column, at, *unit, zone.is_some()),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary_opt()?;
            let key = value(dictionary.keys(), at)?.as_u64()?;
            return value(dictionary.values().as_ref(), usize::try_from(key).ok()?);
        }
        DataType::List(_) => list(column.as_list::<i32>().value(at).as_ref()),
        DataType::LargeList(_) => list(column.as_list::<i64>().value(at).as_ref()),
        DataType::FixedSizeList(..) => list(column.as_fixed_size_list().value(at).as_ref()),
        DataType::Map(..) => {
            let entries = column.as_map().value(at);
            let [keys, values] = [entries.column(0), entries.column(1)];
            let entry = |at| match value(keys.as_ref(), at)? {
                Value::String(key) => Some((key, value(values.as_ref(), at).unwrap_or_default())),
                key => Some((key.to_string(), value(values.as_ref(), at).unwrap_or_default())),
            };
            Value::Object((0..entries.len()).filter_map(entry).collect())
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(column.as_struct().columns());
            let field = |(field, column): (&arrow_schema::FieldRef, &arrow_array::ArrayRef)| {
                Some((field.name().clone(), value(column.as_ref(), at)?))
            };
            Value::Object(columns.filter_map(field).collect::<Map<_, _>>())
        }
        _ => return None,
    })
}

/// The bytes of a cell that holds bytes.
pub(super) fn bytes(column: &dyn Array, at: usize) -> Option<&[u8]> {
    if column.is_null(at) {
        return None;
    }
    match column.data_type() {
        DataType::Binary => Some(column.as_binary::<i32>().value(at)),
        DataType::LargeBinary => Some(column.as_binary::<i64>().value(at)),
        DataType::BinaryView => Some(column.as_binary_view().value(at)),
        DataType::FixedSizeBinary(_) => Some(column.as_fixed_size_binary().value(at)),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary_opt()?;
            let key = value(dictionary.keys(), at)?.as_u64()?;
            bytes(dictionary.values().as_ref(), usize::try_from(key).ok()?)
        }
        _ => None,
    }
}

/// Bytes as text; in Base64 where they are none, so that none is lost.
fn text(bytes: &[u8]) -> Value {
    let text = std::str::from_utf8(bytes);
    Value::String(text.map_or_else(|_| BASE64_STANDARD.encode(bytes), str::to_owned))
}

/// All values of a list; those that are not there are null.
fn list(items: &dyn Array) -> Value {
    (0..items.len()).map(|at| value(items, at).unwrap_or_default()).collect()
}

/// A number where JSON's programs keep all its digits, and a text otherwise.
fn decimal(text: String) -> Value {
    const DIGITS: usize = 15;
    if let Ok(number) = text.parse::<i64>() {
        return number.into();
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match text.parse::<f64>() {
        Ok(number) if digits <= DIGITS => number.into(),
        _ => text.into(),
    }
}

fn day(days: i64) -> Value {
    let text = time::utc(days.saturating_mul(DAY));
    text.split_once('T').map_or(text.as_str(), |(day, _)| day).into()
}

/// As programs write it. Where the column has a time zone it is an instant, which UTC tells.
fn timestamp(column: &dyn Array, at: usize, unit: TimeUnit, is_instant: bool) -> Value {
    let value = match unit {
        TimeUnit::Second => column.as_primitive::<TimestampSecondType>().value(at),
        TimeUnit::Millisecond => column.as_primitive::<TimestampMillisecondType>().value(at),
        TimeUnit::Microsecond => column.as_primitive::<TimestampMicrosecondType>().value(at),
        TimeUnit::Nanosecond => column.as_primitive::<TimestampNanosecondType>().value(at),
    };
    let parts = parts(unit);
    let mut text = time::utc(value.div_euclid(parts)).trim_end_matches('Z').to_owned();
    text += &fraction(value.rem_euclid(parts), parts);
    if is_instant {
        text.push('Z');
    }
    text.into()
}

/// Hours, minutes and seconds: `12:00:12.05`.
fn time_of_day(column: &dyn Array, at: usize) -> Option<Value> {
    let (value, unit) = match column.data_type() {
        DataType::Time32(TimeUnit::Second) => {
            (i64::from(column.as_primitive::<Time32SecondType>().value(at)), TimeUnit::Second)
        }
        DataType::Time32(TimeUnit::Millisecond) => {
            (i64::from(column.as_primitive::<Time32MillisecondType>().value(at)), TimeUnit::Millisecond)
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            (column.as_primitive::<Time64MicrosecondType>().value(at), TimeUnit::Microsecond)
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            (column.as_primitive::<Time64NanosecondType>().value(at), TimeUnit::Nanosecond)
        }
        _ => return None,
    };
    let parts = parts(unit);
    let (seconds, rest) = (value.div_euclid(parts), value.rem_euclid(parts));
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    Some(format!("{hours:02}:{minutes:02}:{:02}{}", seconds % 60, fraction(rest, parts)).into())
}

/// As ISO 8601 writes it, in seconds: `PT90.5S`.
fn duration(column: &dyn Array, at: usize, unit: TimeUnit) -> Value {
    let value = match unit {
        TimeUnit::Second => column.as_primitive::<DurationSecondType>().value(at),
        TimeUnit::Millisecond => column.as_primitive::<DurationMillisecondType>().value(at),
        TimeUnit::Microsecond => column.as_primitive::<DurationMicrosecondType>().value(at),
        TimeUnit::Nanosecond => column.as_primitive::<DurationNanosecondType>().value(at),
    };
    iso_8601(0, 0, value, parts(unit))
}

/// As ISO 8601 writes it, in months, days and seconds: `P14M3DT90.5S`.
fn interval(column: &dyn Array, at: usize, unit: IntervalUnit) -> Value {
    match unit {
        IntervalUnit::YearMonth => {
            let months = column.as_primitive::<IntervalYearMonthType>().value(at);
            iso_8601(months, 0, 0, 1)
        }
        IntervalUnit::DayTime => {
            let value = column.as_primitive::<IntervalDayTimeType>().value(at);
            iso_8601(0, value.days, value.milliseconds.into(), parts(TimeUnit::Millisecond))
        }
        IntervalUnit::MonthDayNano => {
            let value = column.as_primitive::<IntervalMonthDayNanoType>().value(at);
            iso_8601(value.months, value.days, value.nanoseconds, parts(TimeUnit::Nanosecond))
        }
    }
}

/// `time` is in parts of a second, of which one has so many.
fn iso_8601(months: i32, days: i32, time: i64, parts: i64) -> Value {
    let part = |value: i32, unit| if value == 0 { String::new() } else { format!("{value}{unit}") };
    let (months, days) = (part(months, 'M'), part(days, 'D'));
    if time == 0 && !(months.is_empty() && days.is_empty()) {
        return format!("P{months}{days}").into();
    }
    let sign = if time < 0 { "-" } else { "" };
    // Each part is taken by itself, since the least number has no opposite.
    let (seconds, rest) = ((time / parts).unsigned_abs(), (time % parts).abs());
    format!("P{months}{days}T{sign}{seconds}{}S", fraction(rest, parts)).into()
}

/// How many of the unit a second has.
fn parts(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// What stands behind the seconds; nothing where there is no rest.
fn fraction(rest: i64, parts: i64) -> String {
    if rest == 0 {
        return String::new();
    }
    let digits = parts.ilog10() as usize;
    format!(".{rest:0digits$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{
        ArrayRef, BinaryArray, Date32Array, Decimal128Array, DictionaryArray, DurationMillisecondArray,
        Int32Array, IntervalYearMonthArray, ListArray, StringArray, StructArray, Time32SecondArray,
        Time64NanosecondArray, TimestampMicrosecondArray, TimestampSecondArray,
    };
    use arrow_schema::Field;
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_numbers_and_lists_have_a_form() {
        let decimal = |value| Decimal128Array::from(vec![value]).with_precision_and_scale(38, 2);
        let sample = StructArray::from(vec![(
            Arc::new(Field::new("in", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec!["1 2"])) as ArrayRef,
        )]);
        let columns: Vec<(ArrayRef, Value)> = vec![
            (Arc::new(Date32Array::from(vec![19_497])), json!("2023-05-20")),
            (Arc::new(TimestampSecondArray::from(vec![1_684_584_012])), json!("2023-05-20T12:00:12")),
            (
                Arc::new(
                    TimestampMicrosecondArray::from(vec![1_684_584_012_050_000]).with_timezone("Asia/Tokyo"),
                ),
                json!("2023-05-20T12:00:12.05Z"),
            ),
            (Arc::new(Time32SecondArray::from(vec![43_212])), json!("12:00:12")),
            (Arc::new(Time64NanosecondArray::from(vec![61_050_000_000])), json!("00:01:01.05")),
            (Arc::new(DurationMillisecondArray::from(vec![-90_500])), json!("PT-90.5S")),
            (Arc::new(IntervalYearMonthArray::from(vec![14])), json!("P14M")),
            (Arc::new(BinaryArray::from(vec![&b"text"[..]])), json!("text")),
            (Arc::new(BinaryArray::from(vec![&b"\xff\x00\xfe"[..]])), json!("/wD+")),
            (Arc::new(decimal(1250).expect("it fits")), json!(12.5)),
            (Arc::new(decimal(12_345_678_901_234_567_890).expect("it fits")), json!("123456789012345678.90")),
            (
                Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1), None])])),
                json!([1, null]),
            ),
            (Arc::new(sample), json!({"in": "1 2"})),
        ];
        for (column, expected) in columns {
            assert_eq!(value(column.as_ref(), 0), Some(expected));
        }
    }

    #[test]
    fn a_dictionary_without_values_has_nothing() {
        let keys = Int32Array::from(vec![None, None]);
        let none = DictionaryArray::new(keys, Arc::new(StringArray::from(Vec::<&str>::new())));
        assert_eq!(value(&none, 1), None);
        let some: DictionaryArray<Int32Type> = ["c", "java", "c"].into_iter().collect();
        assert_eq!(value(&some, 2), Some(json!("c")));
    }
}

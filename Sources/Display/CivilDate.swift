/// A day of the Gregorian calendar.
package typealias YearMonthDay = (year: Int, month: Int, day: Int)

/// Converts between days since 1970 and dates of the proleptic Gregorian calendar, without a calendar object.
package enum CivilDate {
  /// Counts in 400-year eras of years that begin in March, so that the leap day is the last of its year.
  package static func number(of day: YearMonthDay) -> Int {
    let year = day.month <= 2 ? day.year - 1 : day.year
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (day.month + (day.month > 2 ? -3 : 9)) + 2) / 5 + day.day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func day(_ number: Int) -> YearMonthDay {
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}

/// Division that rounds down, so that times before 1970 fall on the right day.
func floorDivide<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}

/// A wall-clock time with the UTC offset for displaying it; the reducer reads no clock.
package struct Timestamp: Hashable, Sendable, Comparable {
  /// The milliseconds since 1970-01-01 00:00 UTC.
  package var milliseconds: Int64
  /// The seconds east of UTC.
  package var utcOffset: Int32

  package init(milliseconds: Int64, utcOffset: Int32 = 0) {
    self.milliseconds = milliseconds
    self.utcOffset = utcOffset
  }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// The local days since 1970-01-01.
  var day: Int64 {
    (milliseconds.flooredQuotient(1000) + Int64(utcOffset)).flooredQuotient(86_400)
  }

  /// The local date: "2026-11-21", by Howard Hinnant's `civil_from_days` (proleptic Gregorian).
  package var date: String {
    // Days since 0000-03-01: these years end with the leap day.
    let days = day + 719_468
    let era = days.flooredQuotient(146_097)
    let inEra = days - era * 146_097
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let dayOfYear = inEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let inMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let isNextYear = month >= 10
    return [
      "\(year + era * 400 + (isNextYear ? 1 : 0))", twoDigits(isNextYear ? month - 9 : month + 3),
      twoDigits(inMonth),
    ].joined(separator: "-")
  }

  /// The local time of day: "14:03:22"; a change of summer time does not move older lines.
  package var clock: String {
    let day: Int64 = 86_400
    let local = (milliseconds.flooredQuotient(1000) + Int64(utcOffset)) % day
    let seconds = local < 0 ? local + day : local
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

package struct Reading<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  package var seenAt: Timestamp

  package init(_ value: Value, seenAt: Timestamp) {
    self.value = value
    self.seenAt = seenAt
  }
}

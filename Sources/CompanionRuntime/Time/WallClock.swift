public import Companion
internal import Glibc

extension Moment {
  /// Now, in the local time zone.
  public static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var seconds = time.tv_sec
    var local = tm()
    localtime_r(&seconds, &local)
    return Moment(
      milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
      utcOffset: Int32(truncatingIfNeeded: local.tm_gmtoff))
  }

  /// "2026-11-21 14:03:22.123", local.
  var stamp: String {
    var seconds = time_t(milliseconds / 1000) + Int(utcOffset)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = [
      padded(parts.tm_year + 1900, 4), padded(parts.tm_mon + 1, 2), padded(parts.tm_mday, 2),
    ]
    return date.joined(separator: "-") + " \(clock).\(padded(milliseconds % 1000, 3))"
  }
}

package import Companion
internal import Glibc

extension Duration {
  /// The total time that the computer has been suspended since boot.
  package static var asleep: Duration {
    func time(_ clock: clockid_t) -> Duration {
      var time = timespec()
      clock_gettime(clock, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    return time(CLOCK_BOOTTIME) - time(CLOCK_MONOTONIC)
  }
}

extension Timestamp {
  /// The current time in the local zone; `tzset` notices a replaced /etc/localtime.
  package static var now: Timestamp {
    tzset()
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var seconds = time.tv_sec
    var local = tm()
    localtime_r(&seconds, &local)
    return Timestamp(
      milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
      utcOffset: Int32(truncatingIfNeeded: local.tm_gmtoff))
  }

  var stamp: String {
    let thousandths = "\(milliseconds % 1000)"
    let zeros = String(repeating: "0", count: max(0, 3 - thousandths.count))
    return "\(date) \(clock).\(zeros)\(thousandths)"
  }
}

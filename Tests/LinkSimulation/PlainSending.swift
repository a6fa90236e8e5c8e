/// The sending strategies of apps without flow control, for comparison.
package enum PlainSending: Hashable, Sendable {
  /// A write with response for each value.
  case withResponse
  /// A write without response at each interval.
  case paced(every: Duration)

  /// The result of sending without flow control.
  package struct Result: Hashable, Sendable {
    /// The time from the first value to the arrival of the last.
    package var time: Duration
    /// The number of values that the send buffer dropped.
    package var lost: Int
  }

  /// Sends values of one length over a link in simulated time.
  package func send(count: Int, bytes: Int, over parameters: LinkModel.Parameters) -> Result {
    let value = [UInt8](repeating: 0, count: bytes)[...]
    var link = LinkModel(parameters)
    var now: Duration = .zero
    var last: Duration = .zero
    var sent = 0
    var hasResponse = true
    while true {
      while sent < count, hasResponse, due(sent) <= now {
        link.send(LinkModel.Parcel(.data, value), at: now)
        sent += 1
        hasResponse = self != .withResponse
      }
      let upcoming = sent < count && hasResponse ? due(sent) : nil
      guard let next = [link.nextExchange, upcoming].compactMap({ $0 }).min() else { break }
      now = max(now, next)
      guard link.nextExchange == next else { continue }
      for parcel in link.exchange() {
        if parcel.kind == .event {
          hasResponse = true
        } else {
          last = now
          if self == .withResponse { link.push([], at: now) }
        }
      }
    }
    return Result(time: last, lost: link.dropped)
  }

  /// Returns the earliest time at which a value may be sent.
  private func due(_ index: Int) -> Duration {
    if case .paced(let pause) = self { pause * index } else { .zero }
  }
}

package import BluetoothCodec
package import BluetoothRadio

/// The policy for a link's connection interval: short while in use, restored afterwards.
///
/// The interval is short from the first command until 10 s after the last one, and during an
/// update. Then the former timing is restored, unless the headphone has requested another one.
package struct LinkPacing: Hashable, Sendable {
  /// The time after the last use for which the interval stays short.
  package static let calm: Duration = .seconds(10)

  private enum Pace: Hashable, Sendable {
    case ordinary
    /// A short interval is about to be requested, perhaps again with the values of `quick`.
    case quickening(before: LEConnectionTiming?, isAsked: Bool)
    /// The interval is short, requested here if `isAsked`; `before` is the former timing.
    case quick(before: LEConnectionTiming?, isAsked: Bool)
    /// The request was refused or not permitted, and is not repeated.
    case refused
  }

  private var pace = Pace.ordinary
  package private(set) var isUpdating = false

  package init() {}

  /// Records a command; returns whether to read the timing, and then call ``quicken(from:)``.
  package mutating func use() -> Bool {
    guard pace == .ordinary else { return false }
    pace = .quickening(before: nil, isAsked: false)
    return true
  }

  /// Begins an update, which may need a short interval again; returns the same as ``use()``.
  package mutating func beginUpdate() -> Bool {
    isUpdating = true
    guard case .quick(let before, let isAsked) = pace else { return use() }
    pace = .quickening(before: before, isAsked: isAsked)
    return true
  }

  /// Records that the update has ended, or continues over another link.
  package mutating func endUpdate() { isUpdating = false }

  /// Returns the timing to request, given the current one, or nil if none.
  package mutating func quicken(from timing: LEConnectionTiming?) -> TimingRange? {
    guard case .quickening(let before, let isAsked) = pace else { return nil }
    let isQuick = timing.map { $0.interval <= TimingRange.quick.interval.upperBound } ?? false
    if isQuick {
      pace = .quick(before: isAsked ? before : timing, isAsked: isAsked)
      return nil
    }
    pace = .quick(before: timing ?? before, isAsked: true)
    return .quick
  }

  /// Whether to read the timing and call ``rest(from:)`` once the link is unused.
  package var isToRest: Bool {
    switch pace {
    // This request will come after the one for the short interval.
    case .quick, .quickening: !isUpdating
    case .ordinary, .refused: false
    }
  }

  /// Returns the timing to restore, given the current one, or nil if none.
  package mutating func rest(from timing: LEConnectionTiming?) -> TimingRange? {
    guard case .quick(let before, let isAsked) = pace, !isUpdating else { return nil }
    pace = .ordinary
    guard isAsked else { return nil }
    // The headphone has requested another timing meanwhile.
    if let timing, timing.interval > TimingRange.quick.interval.upperBound { return nil }
    return before.map(TimingRange.init) ?? .relaxed
  }

  package mutating func refuse() { pace = .refused }
}

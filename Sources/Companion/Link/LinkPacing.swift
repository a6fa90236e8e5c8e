public import Bluetooth
public import BluetoothCodec

/// The policy for a link's connection interval: short while in use, restored afterwards.
///
/// Short from the user's first command until 10 s after the last one, and during an update. Then
/// the link gets its earlier timing back, unless the headphone asked for another one meanwhile.
public struct LinkPacing: Hashable, Sendable {
  /// How long a link keeps the short interval after its last use.
  public static let calm: Duration = .seconds(10)

  private enum Pace: Hashable, Sendable {
    case ordinary
    /// It is about to be asked for; `before` and `isAsked` as below, if it was quick already.
    case quickening(before: LEConnectionTiming?, isAsked: Bool)
    /// `before`: nil where it is not known. `isAsked`: it was not quick by itself.
    case quick(before: LEConnectionTiming?, isAsked: Bool)
    /// The request was refused or not permitted: it is not repeated.
    case refused
  }

  private var pace = Pace.ordinary
  /// Whether an update is in progress.
  public private(set) var isUpdating = false

  public init() {}

  /// A command goes to the headphone.
  ///
  /// - Returns: whether the link is to be made quick, for which its timing is to be looked at.
  public mutating func use() -> Bool {
    guard pace == .ordinary else { return false }
    pace = .quickening(before: nil, isAsked: false)
    return true
  }

  /// An update begins; it must not be slowed by what the headphone has asked for since a command.
  ///
  /// - Returns: as of ``use()``.
  public mutating func beginUpdate() -> Bool {
    isUpdating = true
    guard case .quick(let before, let isAsked) = pace else { return use() }
    pace = .quickening(before: before, isAsked: isAsked)
    return true
  }

  /// The update has ended, or continues over another link.
  public mutating func endUpdate() { isUpdating = false }

  /// The timing to request, given the link's present one; nil: none.
  public mutating func quicken(from timing: LEConnectionTiming?) -> TimingRange? {
    guard case .quickening(let before, let isAsked) = pace else { return nil }
    let isQuick = timing.map { $0.interval <= TimingRange.quick.interval.upperBound } ?? false
    if isQuick {
      pace = .quick(before: isAsked ? before : timing, isAsked: isAsked)
      return nil
    }
    pace = .quick(before: timing ?? before, isAsked: true)
    return .quick
  }

  /// Whether the link's timing is to be looked at and given back, when nobody has used it for a
  /// while.
  public var isToRest: Bool {
    switch pace {
    // What is asked for then comes after what is about to be asked for.
    case .quick, .quickening: !isUpdating
    case .ordinary, .refused: false
    }
  }

  /// The timing to request, given the link's present one; nil: none.
  public mutating func rest(from timing: LEConnectionTiming?) -> TimingRange? {
    guard case .quick(let before, let isAsked) = pace, !isUpdating else { return nil }
    pace = .ordinary
    guard isAsked else { return nil }
    // The headphone has asked for another one meanwhile.
    if let timing, timing.interval > TimingRange.quick.interval.upperBound { return nil }
    return before.map(TimingRange.init) ?? .relaxed
  }

  /// The request was refused.
  public mutating func refuse() { pace = .refused }
}

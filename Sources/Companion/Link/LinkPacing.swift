public import Bluetooth
public import BluetoothCodec

/// When a link is to be quick, and what it gets back when it need not be any more.
///
/// Quick from a person's first command until 10 s after the last one, and during an update. Then
/// the link gets the timing that it had; what the headphone has asked for meanwhile wins over that.
public struct LinkPacing: Hashable, Sendable {
  /// How long a link stays quick after its last use.
  public static let calm: Duration = .seconds(10)

  private enum Pace: Hashable, Sendable {
    case ordinary
    /// It is about to be asked for; `before` and `isAsked` as below, if it was quick already.
    case quickening(before: LEConnectionTiming?, isAsked: Bool)
    /// `before`: nil where it is not known. `isAsked`: it was not quick by itself.
    case quick(before: LEConnectionTiming?, isAsked: Bool)
    /// Who decides does not want it, or this program may not ask: it is not asked again.
    case refused
  }

  private var pace = Pace.ordinary
  /// An update is under way.
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

  /// It has ended, or goes on over another link.
  public mutating func endUpdate() { isUpdating = false }

  /// What to ask for, given the timing that the link has; nil: nothing.
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

  /// What to ask for, given the timing that the link has; nil: nothing.
  public mutating func rest(from timing: LEConnectionTiming?) -> TimingRange? {
    guard case .quick(let before, let isAsked) = pace, !isUpdating else { return nil }
    pace = .ordinary
    guard isAsked else { return nil }
    // The headphone has asked for another one meanwhile.
    if let timing, timing.interval > TimingRange.quick.interval.upperBound { return nil }
    return before.map(TimingRange.init) ?? .relaxed
  }

  /// What was asked for is not to be had.
  public mutating func refuse() { pace = .refused }
}

public import BluetoothCodec
internal import Locking

/// The requests at which the links to one server have ended, so that later links omit them.
///
/// 30 s of silence cannot be a coincidence: the next link omits the request. A hang-up can be one,
/// as a headphone that goes into its case hangs up at any request. So two links must end at the
/// request, without a response in between.
public final class RequestHistory: Sendable {
  private let counts = Mutex<[ATTRequest: Int]>([:])

  /// The number of links that may end at a request before it is omitted.
  static let mostEnds = 2

  public init() {}

  /// The number of links that ended at each request since its last response.
  public var ends: [ATTRequest: Int] { counts.withLock(\.self) }

  /// Records a response, so that links which ended at the request before count as coincidence.
  public func answered(_ request: ATTRequest) {
    counts.withLock { counts in
      if !counts.isEmpty { counts[request] = nil }
    }
  }

  /// Records the end of a link.
  ///
  /// - Parameters:
  ///   - reason: counts only if the server ended the link, not distance or this host.
  ///   - request: the request that had no response, or nil if there was none.
  public func linkEnded(_ reason: BearerClosed.Reason, at request: ATTRequest?) {
    guard let request else { return }
    let count: Int
    switch reason {
    case .requestTimeout: count = Self.mostEnds
    case .peer, .protocolViolation: count = 1
    default: return
    }
    counts.withLock { $0[request, default: 0] += count }
  }
}

internal import BluetoothCodec

/// Where a kind of headphone puts what its events tell, as data.
///
/// docs/protocol.md section 4 numbers its events and orders their bytes; other headphones tell the
/// same under other numbers and in another order.
public struct EventLayout: Hashable, Sendable {
  /// Contents of an event, by the names of the configuration.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case wearing, battery, anc
    case firmwareProgress = "firmware-progress"
    case eq
    case caseLid = "case-lid"
    case touch
    case firmwareAcknowledged = "firmware-acknowledged"
    case error
  }

  /// How one kind of event stands in a value.
  public struct Event: Hashable, Sendable {
    /// The first byte of the value.
    public var code: UInt8
    /// For each byte of the protocol's payload, in its order, where it stands in the value, the
    /// code being at 0; nil: behind the code, as the protocol has it.
    public var places: [Int]?

    public init(code: UInt8, places: [Int]? = nil) {
      self.code = code
      self.places = places
    }
  }

  /// Events by kind; a missing kind is never reported.
  public var events: [Kind: Event]

  public init(events: [Kind: Event]) { self.events = events }

  /// As in docs/protocol.md.
  public static let standard = EventLayout(
    events: Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { ($0, Event(code: $0.standardCode.rawValue)) }))

  /// The value as the protocol has it; a value that is no event of this layout stays as it is.
  ///
  /// - Throws: for a value that is too short for its layout.
  func standardised(_ value: Bytes) throws(MalformedBytes) -> Bytes {
    guard self != .standard, let code = value.first else { return value }
    guard let (kind, event) = events.first(where: { $0.value.code == code }) else {
      throw MalformedBytes("event", at: 0, .unknownType(UInt64(code)))
    }
    let standard = kind.standardCode.rawValue
    guard let places = event.places else { return [standard] + value.dropFirst() }
    var bytes = [standard]
    for place in places {
      guard place < value.count else {
        throw MalformedBytes("event", at: value.count, .badLength(value.count))
      }
      bytes.append(value[value.startIndex + place])
    }
    return bytes[...]
  }
}

extension EventLayout.Kind {
  fileprivate var standardCode: WireEvent.Code {
    switch self {
    case .wearing: .wearing
    case .battery: .battery
    case .anc: .anc
    case .firmwareProgress: .firmwareProgress
    case .eq: .eq
    case .caseLid: .caseLid
    case .touch: .touch
    case .firmwareAcknowledged: .firmwareAcknowledged
    case .error: .error
    }
  }
}

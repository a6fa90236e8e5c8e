internal import BluetoothCodec

/// The numbers and byte orders of a headphone's events, which may differ from ``standard``.
public struct EventLayout: Hashable, Sendable {
  /// The kinds of events, by their names in the configuration.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case wearing, battery, anc
    case firmwareProgress = "firmware-progress"
    case eq
    case caseLid = "case-lid"
    case touch
    case firmwareAcknowledged = "firmware-acknowledged"
    case error
  }

  /// The number and byte order of one kind of event.
  public struct Event: Hashable, Sendable {
    /// The first byte of the value.
    public var code: UInt8
    /// The offsets of the payload's bytes in the value, where the code is at 0, in the protocol's
    /// order, or nil if the value has that order.
    public var places: [Int]?

    public init(code: UInt8, places: [Int]? = nil) {
      self.code = code
      self.places = places
    }
  }

  /// The events by kind; a missing kind is never reported.
  public var events: [Kind: Event]

  public init(events: [Kind: Event]) { self.events = events }

  /// The layout of docs/protocol.md section 4.
  public static let standard = EventLayout(
    events: Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { ($0, Event(code: $0.standardCode)) }))

  /// Returns the value in the layout of docs/protocol.md, or throws for an unknown or short one.
  func standardised(_ value: Bytes) throws(MalformedBytes) -> Bytes {
    guard self != .standard, let code = value.first else { return value }
    guard let (kind, event) = events.first(where: { $0.value.code == code }) else {
      throw MalformedBytes("event", at: 0, .unknownType(UInt64(code)))
    }
    let standard = kind.standardCode
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
  package var standardCode: UInt8 {
    switch self {
    case .wearing: 0x01
    case .battery: 0x02
    case .anc: 0x03
    case .firmwareProgress: 0x04
    case .eq: 0x05
    case .caseLid: 0x06
    case .touch: 0x07
    case .firmwareAcknowledged: 0x08
    case .error: 0x7F
    }
  }

  init?(standardCode code: UInt8) {
    guard let kind = Self.allCases.first(where: { $0.standardCode == code }) else { return nil }
    self = kind
  }
}

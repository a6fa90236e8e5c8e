/// The attributes of a headphone on the inspector's page.
///
/// Filled by the effect `inspect` and kept after the link has ended, for reading; ``isOfThisLink``
/// is false from then on, and nothing can be read or written before the attributes are discovered
/// again.
public struct Inspection: Hashable, Sendable {
  /// How far looking is.
  public enum Stage: Hashable, Sendable {
    case reading
    case known
    /// The reason as a sentence fragment.
    case failed(String)
  }

  /// How far looking is.
  public var stage: Stage = .reading
  /// The services in the order of their handles.
  public var services: [InspectedService] = []
  /// The values read or notified so far, by handle.
  public var values: [UInt16: InspectedValue] = [:]
  /// Characteristics with notifications or indications enabled by the inspector.
  public var subscribed: Set<UInt16> = []
  /// What has been asked and not been answered, by handle.
  public var pending: Set<UInt16> = []
  /// Whether the attributes are those of the present link.
  public var isOfThisLink = true

  public init() {}

  /// The characteristic whose value has this handle.
  public func characteristic(_ handle: UInt16) -> InspectedCharacteristic? {
    services.lazy.flatMap(\.characteristics).first { $0.handle == handle }
  }

  /// Whether the attributes are, or are about to be, those of the present link.
  var isUsable: Bool {
    if case .failed = stage { return false }
    return isOfThisLink
  }

  /// The link is gone: notifications end, and handles may differ next time.
  mutating func lose() {
    subscribed = []
    pending = []
    isOfThisLink = false
    if stage == .reading { stage = .failed("the link ended") }
  }
}

/// A service, in words and numbers.
public struct InspectedService: Hashable, Sendable {
  /// "Battery (180F)".
  public var title: String
  /// Handle of its declaration.
  public var start: UInt16
  /// Handle of its last attribute.
  public var end: UInt16
  /// The characteristics in the order of their handles.
  public var characteristics: [InspectedCharacteristic]

  public init(
    title: String, start: UInt16, end: UInt16, characteristics: [InspectedCharacteristic]
  ) {
    self.title = title
    self.start = start
    self.end = end
    self.characteristics = characteristics
  }
}

/// A characteristic, in words and numbers.
public struct InspectedCharacteristic: Hashable, Sendable {
  /// The operations that it allows.
  public struct Abilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Abilities(rawValue: 1)
    public static let write = Abilities(rawValue: 2)
    public static let writeWithoutResponse = Abilities(rawValue: 4)
    public static let subscribe = Abilities(rawValue: 8)
  }

  /// "Battery Level (2A19)".
  public var title: String
  /// Of the value, not of the declaration.
  public var handle: UInt16
  /// "read, notify".
  public var properties: String
  /// The machine-readable form of ``properties``.
  public var abilities: Abilities
  /// The descriptors in the order of their handles.
  public var descriptors: [InspectedDescriptor]

  public init(
    title: String, handle: UInt16, properties: String, abilities: Abilities,
    descriptors: [InspectedDescriptor] = []
  ) {
    self.title = title
    self.handle = handle
    self.properties = properties
    self.abilities = abilities
    self.descriptors = descriptors
  }
}

/// A descriptor, in words and numbers.
public struct InspectedDescriptor: Hashable, Sendable {
  /// "Client Characteristic Configuration (2902)".
  public var title: String
  /// Of the descriptor itself.
  public var handle: UInt16

  public init(title: String, handle: UInt16) {
    self.title = title
    self.handle = handle
  }
}

/// The last known value of an attribute.
public struct InspectedValue: Hashable, Sendable {
  /// Bytes, or why there are none.
  public enum Content: Hashable, Sendable {
    /// `displayText`: what the bytes mean, or say as text; unsanitised; nil: that is not known.
    case bytes([UInt8], displayText: String?)
    /// Why not.
    case unreadable(String)
  }

  /// The value last read, notified or written.
  public var content: Content
  /// When it was received.
  public var seenAt: Timestamp
  /// Number of notifications received for it.
  public var reported: Int

  public init(_ content: Content, seenAt: Timestamp, reported: Int = 0) {
    self.content = content
    self.seenAt = seenAt
    self.reported = reported
  }
}

/// Bytes that are to be written by hand.
public struct AttributeWrite: Hashable, Sendable {
  /// The headphone that they are for.
  public var headphone: HeadphoneID
  /// Of the value.
  public var handle: UInt16
  /// As they go over the air; empty: an empty value.
  public var bytes: [UInt8]
  /// Whether the headphone is to say that it took them.
  public var withResponse: Bool

  public init(headphone: HeadphoneID, handle: UInt16, bytes: [UInt8] = [], withResponse: Bool) {
    self.headphone = headphone
    self.handle = handle
    self.bytes = bytes
    self.withResponse = withResponse
  }
}

/// A result of the GATT inspector.
public enum InspectionEvent: Hashable, Sendable {
  /// All services, as they were discovered, in handle order.
  case surveyed([InspectedService])
  /// Why the attributes cannot be looked at, in words.
  case failed(String)
  /// A value; `isReported`: received as a notification.
  case value(UInt16, InspectedValue.Content, isReported: Bool)
  /// How a write ended; nil: well.
  case written(UInt16, bytes: [UInt8], failure: String?)
  /// Result of enabling or disabling notifications; `failure` nil: success.
  case subscribed(UInt16, isOn: Bool, failure: String?)
}

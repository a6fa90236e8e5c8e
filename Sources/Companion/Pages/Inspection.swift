/// The GATT attributes of a headphone, as the inspector's page shows them.
///
/// The effect `inspect` fills it in. It is kept after the link has ended, for reading:
/// ``isOfThisLink`` is then false, and nothing can be read or written until the attributes are
/// discovered again.
package struct Inspection: Hashable, Sendable {
  /// The stage of the discovery.
  package enum Stage: Hashable, Sendable {
    case reading
    case known
    /// The reason, as a sentence fragment.
    case failed(String)
  }

  package var stage: Stage = .reading
  /// The services, in handle order.
  package var services: [InspectedService] = []
  /// The values read or notified so far, by handle.
  package var values: [UInt16: InspectedValue] = [:]
  /// The handles whose notifications or indications the inspector enabled.
  package var subscribed: Set<UInt16> = []
  /// The handles with a request that has no response yet.
  package var pending: Set<UInt16> = []
  /// Whether the attributes are those of the current link.
  package var isOfThisLink = true

  package init() {}

  /// Returns the characteristic with the value handle `handle`, or nil if there is none.
  package func characteristic(_ handle: UInt16) -> InspectedCharacteristic? {
    services.lazy.flatMap(\.characteristics).first { $0.handle == handle }
  }

  var isUsable: Bool {
    if case .failed = stage { return false }
    return isOfThisLink
  }

  /// Marks the attributes as stale: the link has ended, and handles may change.
  mutating func lose() {
    subscribed = []
    pending = []
    isOfThisLink = false
    if stage == .reading { stage = .failed("the link ended") }
  }
}

/// A GATT service for display.
package struct InspectedService: Hashable, Sendable {
  /// The name and UUID: "Battery (180F)".
  package var title: String
  /// The handle of the declaration.
  package var start: UInt16
  /// The handle of the last attribute.
  package var end: UInt16
  /// The characteristics, in handle order.
  package var characteristics: [InspectedCharacteristic]

  package init(
    title: String, start: UInt16, end: UInt16, characteristics: [InspectedCharacteristic]
  ) {
    self.title = title
    self.start = start
    self.end = end
    self.characteristics = characteristics
  }
}

/// A GATT characteristic for display.
package struct InspectedCharacteristic: Hashable, Sendable {
  /// The supported operations.
  package struct Abilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Abilities(rawValue: 1)
    package static let write = Abilities(rawValue: 2)
    package static let writeWithoutResponse = Abilities(rawValue: 4)
    package static let subscribe = Abilities(rawValue: 8)
  }

  /// The name and UUID: "Battery Level (2A19)".
  package var title: String
  /// The handle of the value, not of the declaration.
  package var handle: UInt16
  /// The properties in words: "read, notify".
  package var properties: String
  package var abilities: Abilities
  /// The descriptors, in handle order.
  package var descriptors: [InspectedDescriptor]

  package init(
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

/// A GATT descriptor for display.
package struct InspectedDescriptor: Hashable, Sendable {
  /// The name and UUID: "Client Characteristic Configuration (2902)".
  package var title: String
  /// The descriptor's handle.
  package var handle: UInt16

  package init(title: String, handle: UInt16) {
    self.title = title
    self.handle = handle
  }
}

/// The last known value of an attribute.
package struct InspectedValue: Hashable, Sendable {
  /// The bytes, or the reason why there are none.
  package enum Content: Hashable, Sendable {
    /// The bytes, and what they mean, or nil if that is unknown; not sanitised.
    case bytes([UInt8], displayText: String?)
    /// The reason, in words.
    case unreadable(String)
  }

  package var content: Content
  /// The time at which the value was received.
  package var seenAt: Timestamp
  /// The number of notifications of this value.
  package var reported: Int

  package init(_ content: Content, seenAt: Timestamp, reported: Int = 0) {
    self.content = content
    self.seenAt = seenAt
    self.reported = reported
  }
}

/// A write of raw bytes that the user typed.
package struct AttributeWrite: Hashable, Sendable {
  package var headphone: HeadphoneID
  /// The handle of the value.
  package var handle: UInt16
  /// The bytes to write, which may be empty.
  package var bytes: [UInt8]
  /// Whether to request a response.
  package var withResponse: Bool

  package init(headphone: HeadphoneID, handle: UInt16, bytes: [UInt8] = [], withResponse: Bool) {
    self.headphone = headphone
    self.handle = handle
    self.bytes = bytes
    self.withResponse = withResponse
  }
}

/// A result of the GATT inspector.
package enum InspectionEvent: Hashable, Sendable {
  /// All services were discovered, in handle order.
  case surveyed([InspectedService])
  /// The discovery failed for this reason, in words.
  case failed(String)
  /// A value was read, or notified if `isReported` is true.
  case value(UInt16, InspectedValue.Content, isReported: Bool)
  /// A write ended; `failure` is nil if it succeeded.
  case written(UInt16, bytes: [UInt8], failure: String?)
  /// Notifications were enabled or disabled; `failure` is nil if that succeeded.
  case subscribed(UInt16, isOn: Bool, failure: String?)
}

/// The GATT attributes of a headphone, as the inspector page shows them.
///
/// They are kept after the link has ended, for reading: ``isOfThisLink`` is then false, and nothing
/// can be read or written until the attributes are discovered again.
package struct Inspection: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    case reading
    case known
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
  package var isOfThisLink = true

  package init() {}

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

package struct InspectedService: Hashable, Sendable {
  package var title: String
  /// The handle of the declaration.
  package var start: UInt16
  /// The handle of the last attribute.
  package var end: UInt16
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

package struct InspectedCharacteristic: Hashable, Sendable {
  package struct Abilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Abilities(rawValue: 1)
    package static let write = Abilities(rawValue: 2)
    package static let writeWithoutResponse = Abilities(rawValue: 4)
    package static let subscribe = Abilities(rawValue: 8)
  }

  package var title: String
  /// The handle of the value, not of the declaration.
  package var handle: UInt16
  /// The properties as text: "read, notify".
  package var properties: String
  package var abilities: Abilities
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

package struct InspectedDescriptor: Hashable, Sendable {
  package var title: String
  package var handle: UInt16

  package init(title: String, handle: UInt16) {
    self.title = title
    self.handle = handle
  }
}

package struct InspectedValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The bytes and their meaning, nil if unknown; not sanitised.
    case bytes([UInt8], displayText: String?)
    case unreadable(String)
  }

  package var content: Content
  package var seenAt: Timestamp
  package var reported: Int

  package init(_ content: Content, seenAt: Timestamp, reported: Int = 0) {
    self.content = content
    self.seenAt = seenAt
    self.reported = reported
  }
}

package struct AttributeWrite: Hashable, Sendable {
  package var headphone: HeadphoneID
  package var handle: UInt16
  /// The bytes to write, which may be empty.
  package var bytes: [UInt8]
  package var withResponse: Bool

  package init(headphone: HeadphoneID, handle: UInt16, bytes: [UInt8] = [], withResponse: Bool) {
    self.headphone = headphone
    self.handle = handle
    self.bytes = bytes
    self.withResponse = withResponse
  }
}

package enum InspectionEvent: Hashable, Sendable {
  case surveyed([InspectedService])
  case failed(String)
  /// A value was read, or notified if `isReported` is true.
  case value(UInt16, InspectedValue.Content, isReported: Bool)
  case written(UInt16, bytes: [UInt8], failure: String?)
  case subscribed(UInt16, isOn: Bool, failure: String?)
}

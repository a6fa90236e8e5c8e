/// A headphone's attributes as they were last looked at: the inspector's page.
public struct Inspection: Hashable, Sendable {
  /// How far looking is.
  public enum Stage: Hashable, Sendable {
    case reading
    case known
    /// Why not, in words.
    case failed(String)
  }

  public var stage: Stage = .reading
  public var services: [InspectedService] = []
  /// By handle.
  public var values: [UInt16: InspectedValue] = [:]
  /// Those that the headphone tells by itself because the inspector asked it to.
  public var subscribed: Set<UInt16> = []
  /// What has been asked and not been answered, by handle.
  public var pending: Set<UInt16> = []
  /// The attributes are those of the link of now.
  public var isOfThisLink = true

  public init() {}

  /// The characteristic whose value has this handle.
  public func characteristic(_ handle: UInt16) -> InspectedCharacteristic? {
    services.lazy.flatMap(\.characteristics).first { $0.handle == handle }
  }

  /// What it says is, or is about to be, that of the link of now.
  var isUsable: Bool {
    if case .failed = stage { return false }
    return isOfThisLink
  }

  /// The link is gone: nothing is told any more, and handles may be others next time.
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
  public var start: UInt16
  public var end: UInt16
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
  /// What can be done with it.
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
  public var handle: UInt16
  /// "read, notify".
  public var properties: String
  public var abilities: Abilities
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
  public var title: String
  public var handle: UInt16

  public init(title: String, handle: UInt16) {
    self.title = title
    self.handle = handle
  }
}

/// What was last known of an attribute's value.
public struct InspectedValue: Hashable, Sendable {
  /// Bytes, or why there are none.
  public enum Content: Hashable, Sendable {
    /// `words`: what the bytes mean, or say as text; unsanitised; nil: that is not known.
    case bytes([UInt8], words: String?)
    /// Why not.
    case unreadable(String)
  }

  public var content: Content
  public var heardAt: Moment
  /// How often the headphone has told it by itself.
  public var told: Int

  public init(_ content: Content, heardAt: Moment, told: Int = 0) {
    self.content = content
    self.heardAt = heardAt
    self.told = told
  }
}

/// Bytes that are to be written by hand.
public struct AttributeWrite: Hashable, Sendable {
  public var headphone: HeadphoneID
  public var handle: UInt16
  public var bytes: [UInt8]
  public var withResponse: Bool

  public init(headphone: HeadphoneID, handle: UInt16, bytes: [UInt8] = [], withResponse: Bool) {
    self.headphone = headphone
    self.handle = handle
    self.bytes = bytes
    self.withResponse = withResponse
  }
}

/// What an inspection comes to know.
public enum InspectionEvent: Hashable, Sendable {
  case surveyed([InspectedService])
  case failed(String)
  /// `isTold`: the headphone told it by itself.
  case value(UInt16, InspectedValue.Content, isTold: Bool)
  /// How a write ended; nil: well.
  case written(UInt16, bytes: [UInt8], failure: String?)
  case subscribed(UInt16, isOn: Bool, failure: String?)
}

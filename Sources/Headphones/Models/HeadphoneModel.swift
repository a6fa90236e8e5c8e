internal import BluetoothCodec

/// A kind of headphone as data: how it is recognised, and what its family's language does not tell.
public struct HeadphoneModel: Hashable, Sendable {
  /// What has a battery.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    case budsWithCase = "buds-with-case"
    /// Their case has no battery.
    case buds
    case headband
  }

  /// How it is known that it works so, the surest first.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// Tried with a headphone of this model.
    case hardware
    /// Tried with bytes that somebody recorded of such a headphone.
    case recordedBytes = "recorded bytes"
    /// Written from what others have published of its language.
    case publishedLayout = "published layout"
  }

  /// By what a model is recognised; one is enough.
  public struct Marks: Hashable, Sendable {
    /// Apple's number of the product, as it advertises it and tells on the audio side.
    public var product: UInt16?
    /// As the headphone tells it of itself, "A3048": device information, or AirPods' metadata.
    public var numbers: [String] = []
    /// Fast Pair's model, 24 bits.
    public var fastPair: UInt32?
    /// The first 16 bits of Soundcore's service.
    public var service: UInt16?
    /// Lengths of Soundcore's answer to command 0101.
    public var stateLengths: [Int] = []

    public init() {}

    /// Whether nothing is recognised by them.
    public var isEmpty: Bool { self == Marks() }
  }

  /// The name of its file, without ".toml".
  public var id: String
  /// The maker's name of the model, as it is shown.
  public var name: String
  /// Whose language it speaks.
  public var family: HeadphoneFamily
  /// By what it is recognised.
  public var marks: Marks
  /// How it is known that it works so.
  public var proof = Proof.publishedLayout
  /// What has a battery; nil: what the headphone tells decides.
  public var shape: Shape?
  /// Nil: what the headphone tells decides.
  public var ancModes: [ANCMode]?
  /// Nothing's number of the left bud, where the model has another than the family.
  public var leftBud: UInt8?
  /// Where the values are in its answer to command 0101; nil: not known.
  public var soundcoreState: SoundcoreLayout?

  public init(id: String, name: String, family: HeadphoneFamily, marks: Marks = Marks()) {
    self.id = id
    self.name = name
    self.family = family
    self.marks = marks
  }
}

/// Where the values are in a Soundcore model's answer to command 0101; a place that is nil is not
/// there.
public struct SoundcoreLayout: Hashable, Sendable {
  /// Of the body's bytes: a step of the battery for each device.
  public var battery: Int?
  /// 1 byte, 0 or 1.
  public var charging: Int?
  /// Preset (2 bytes) and 8 bands.
  public var eq: Int?
  /// 4 bytes.
  public var soundModes: Int?
  /// 5 characters.
  public var firmware: Int?
  /// 16 characters.
  public var serial: Int?

  public init() {}
}

/// All kinds of headphones that are known as data; those of a person go before those that came with
/// the program.
public struct ModelBook: Sendable {
  private let read: @Sendable () -> [HeadphoneModel]

  /// The first of several with a mark is the one.
  public var models: [HeadphoneModel] { read() }

  /// - Parameter models: the first of several with a mark is the one.
  public init(_ models: [HeadphoneModel] = []) { self.init(reading: { models }) }

  /// - Parameter read: is asked when somebody looks for a model: most headphones are none of these.
  public init(reading read: @escaping @Sendable () -> [HeadphoneModel]) { self.read = read }

  /// With others before these; of the same file name, the other one is the only one.
  public func under(_ others: [HeadphoneModel]) -> ModelBook {
    guard !others.isEmpty else { return self }
    return ModelBook(reading: { [read] in
      others + read().filter { model in !others.contains { $0.id == model.id } }
    })
  }

  /// AirPods or Beats by Apple's number.
  public func apple(_ product: UInt16) -> HeadphoneModel? {
    models.first { $0.family == .airpods && $0.marks.product == product }
  }

  /// What to call them; the number where it is not known.
  public func appleName(_ product: UInt16) -> String {
    apple(product)?.name ?? "Apple or Beats 0x\(hexadecimal(product, width: 4))"
  }

  /// By what a headphone tells of itself.
  public func model(
    of family: HeadphoneFamily, number: String? = nil, fastPair: UInt32? = nil,
    service: UInt16? = nil
  ) -> HeadphoneModel? {
    models.first { model in
      model.family == family
        && (number.map(model.marks.numbers.contains) == true
          || fastPair != nil && model.marks.fastPair == fastPair
          || service != nil && model.marks.service == service)
    }
  }

  /// A Soundcore model by its service, else by how much it tells.
  func soundcore(service: UInt16?, stateLength: Int) -> HeadphoneModel? {
    let own = model(of: .soundcore, service: service)
    if own?.soundcoreState != nil { return own }
    return models.first {
      $0.family == .soundcore && $0.marks.stateLengths.contains(stateLength)
        && $0.soundcoreState != nil
    }
  }
}

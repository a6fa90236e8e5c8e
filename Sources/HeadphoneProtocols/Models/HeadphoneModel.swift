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
    /// Apple's product number, both advertised and on the audio side.
    public var product: UInt16?
    /// The model number that the headphone reports, "A3048": device information, or AirPods'
    /// metadata.
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
  /// Parts that have a battery; nil: as the headphone reports.
  public var shape: Shape?
  /// Supported modes; nil: as the headphone reports.
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

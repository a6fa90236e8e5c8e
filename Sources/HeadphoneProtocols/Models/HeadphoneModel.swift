/// A headphone model: the marks that identify it, and what its family's protocol does not report.
public struct HeadphoneModel: Hashable, Sendable {
  /// The parts that have a battery.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    case budsWithCase = "buds-with-case"
    /// Two buds, whose case has no battery.
    case buds
    case headband
  }

  /// The evidence that the model works, strongest first.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// Tested with a headphone of this model.
    case hardware
    /// Tested with bytes recorded from such a headphone.
    case recordedBytes = "recorded bytes"
    /// Follows published descriptions of the protocol.
    case publishedLayout = "published layout"
  }

  /// The values that identify a model; one match is enough.
  public struct Marks: Hashable, Sendable {
    /// Apple's product number, both advertised and in the Device ID record.
    public var product: UInt16?
    /// The model numbers that the headphone reports, such as "A3048".
    public var numbers: [String] = []
    /// The Fast Pair model, 24 bits.
    public var fastPair: UInt32?
    /// The first 16 bits of Soundcore's service UUID.
    public var service: UInt16?
    /// The possible lengths of Soundcore's response to command 0101, in bytes.
    public var stateLengths: [Int] = []

    public init() {}

    public var isEmpty: Bool { self == Marks() }
  }

  /// The name of the model's file, without ".toml".
  public var id: String
  /// The maker's name of the model.
  public var name: String
  public var family: HeadphoneFamily
  public var marks: Marks
  public var proof = Proof.publishedLayout
  /// The parts that have a battery, or nil to use those that the headphone reports.
  public var shape: Shape?
  /// The supported modes of noise control, or nil to use those that the headphone reports.
  public var ancModes: [ANCMode]?
  /// The number of the left bud in Nothing's protocol, if it differs from that of the family.
  public var leftBud: UInt8?
  /// The offsets of the values in the response to Soundcore's command 0101, or nil if unknown.
  public var soundcoreState: SoundcoreLayout?

  public init(id: String, name: String, family: HeadphoneFamily, marks: Marks = Marks()) {
    self.id = id
    self.name = name
    self.family = family
    self.marks = marks
  }
}

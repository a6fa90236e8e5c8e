/// A headphone model as data: how it is recognised, and what its family's protocol does not report.
public struct HeadphoneModel: Hashable, Sendable {
  /// The parts that have a battery.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// Two buds and a case.
    case budsWithCase = "buds-with-case"
    /// Two buds, whose case has no battery.
    case buds
    /// Over-ear or on-ear headphones.
    case headband
  }

  /// The evidence that the model works, strongest first.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// Tested with a headphone of this model.
    case hardware
    /// Tested with recorded bytes of such a headphone.
    case recordedBytes = "recorded bytes"
    /// Written from published descriptions of its protocol.
    case publishedLayout = "published layout"
  }

  /// The values by which a model is recognised; one of them suffices.
  public struct Marks: Hashable, Sendable {
    /// Apple's product number, both advertised and in the Device ID record.
    public var product: UInt16?
    /// The model numbers that the headphone reports, for example "A3048".
    public var numbers: [String] = []
    /// The Fast Pair model, 24 bits.
    public var fastPair: UInt32?
    /// The first 16 bits of Soundcore's service UUID.
    public var service: UInt16?
    /// The lengths of Soundcore's response to command 0101, in bytes.
    public var stateLengths: [Int] = []

    public init() {}

    /// Whether nothing is recognised by them.
    public var isEmpty: Bool { self == Marks() }
  }

  /// The name of its file, without ".toml".
  public var id: String
  /// The maker's name of the model, for people.
  public var name: String
  /// The family whose protocol it uses.
  public var family: HeadphoneFamily
  /// The values by which it is recognised.
  public var marks: Marks
  /// The evidence that it works.
  public var proof = Proof.publishedLayout
  /// The parts that have a battery; `nil` for those that the headphone reports.
  public var shape: Shape?
  /// The supported modes; `nil` for those that the headphone reports.
  public var ancModes: [ANCMode]?
  /// Nothing's number of the left bud, if it differs from that of the family.
  public var leftBud: UInt8?
  /// The offsets of the values in its response to command 0101; `nil` if they are unknown.
  public var soundcoreState: SoundcoreLayout?

  public init(id: String, name: String, family: HeadphoneFamily, marks: Marks = Marks()) {
    self.id = id
    self.name = name
    self.family = family
    self.marks = marks
  }
}

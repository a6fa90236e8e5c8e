/// Read Local Version Information (Core 5.4, Vol 4, Part E, 7.4.1).
public struct HCIVersion: Hashable, Sendable {
  /// The Core version (Assigned Numbers, 2.1): 6 is 4.0, 9 is 5.0, 13 is 5.4.
  public var hci: UInt8
  /// The company's own number.
  public var hciRevision: UInt16
  /// The link layer's Core version, numbered as ``hci``.
  public var linkLayer: UInt8
  /// An assigned company identifier.
  public var company: UInt16
  /// The company's own number (LMP_Subversion).
  public var linkLayerRevision: UInt16

  public init(
    hci: UInt8, hciRevision: UInt16, linkLayer: UInt8, company: UInt16, linkLayerRevision: UInt16
  ) {
    self.hci = hci
    self.hciRevision = hciRevision
    self.linkLayer = linkLayer
    self.company = company
    self.linkLayerRevision = linkLayerRevision
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    hci = try reader.uint8()
    hciRevision = try reader.uint16()
    linkLayer = try reader.uint8()
    company = try reader.uint16()
    linkLayerRevision = try reader.uint16()
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(hci)
    bytes.append(littleEndian: hciRevision)
    bytes.append(linkLayer)
    bytes.append(littleEndian: company)
    bytes.append(littleEndian: linkLayerRevision)
  }
}

/// Which commands a controller has (Core 5.4, Vol 4, Part E, 6.27).
public struct HCISupportedCommands: Hashable, Sendable {
  /// Bytes of the mask.
  static let count = 64

  /// A bit for each command; 64 bytes.
  let mask: Bytes

  init(mask: Bytes) { self.mask = mask }

  /// A controller that has these commands, as far as they are listed in `HCIOpcode`.
  public init(_ commands: some Sequence<HCIOpcode>) {
    var mask = [UInt8](repeating: 0, count: Self.count)
    for (octet, bit) in commands.compactMap({ Self.bits[$0] }) { mask[octet] |= 1 << bit }
    self.mask = mask[...]
  }

  /// Whether the controller has a command; false for one whose bit is not known here.
  public func contains(_ opcode: HCIOpcode) -> Bool {
    guard let (octet, bit) = Self.bits[opcode] else { return false }
    return mask[mask.startIndex + octet] >> bit & 1 == 1
  }

  private static let bits: [HCIOpcode: (octet: Int, bit: UInt8)] = [
    .disconnect: (0, 5),
    .setEventMask: (5, 6),
    .reset: (5, 7),
    .readLocalVersion: (14, 3),
    .readAddress: (15, 1),
    .readRSSI: (15, 5),
    .leSetEventMask: (25, 0),
    .leReadLocalSupportedFeatures: (25, 2),
    .leSetScanParameters: (26, 2),
    .leSetScanEnable: (26, 3),
    .leConnectionUpdate: (27, 2),
    .leReadPHY: (35, 4),
    .leSetExtendedScanParameters: (37, 5),
    .leSetExtendedScanEnable: (37, 6),
  ]
}

/// What a controller's LE link layer can do (Core 5.4, Vol 6, Part B, 4.6).
public struct LEFeatures: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let encryption = LEFeatures(rawValue: 1 << 0)
  public static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
  public static let dataLengthExtension = LEFeatures(rawValue: 1 << 5)
  public static let privacy = LEFeatures(rawValue: 1 << 6)
  public static let le2M = LEFeatures(rawValue: 1 << 8)
  public static let leCoded = LEFeatures(rawValue: 1 << 11)
  public static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
  public static let periodicAdvertising = LEFeatures(rawValue: 1 << 13)
}

/// A command and the controller that it is for.
public struct ManagementCommandPacket: Hashable, Sendable {
  /// The controller's index; nil: the command is not for one.
  public var controller: UInt16?
  public var command: ManagementCommand

  public init(_ command: ManagementCommand, controller: UInt16? = nil) {
    self.command = command
    self.controller = controller
  }

  /// Reads one whole packet.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "management command")
    let header = try ManagementHeader(&reader)
    controller = header.controller
    command = try ManagementCommand(ManagementOpcode(rawValue: header.code), &reader)
    try reader.finish()
  }

  /// Header and parameters.
  ///
  /// - Throws: `.tooLong` if the parameters are more than their length can count.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    try ManagementHeader(code: command.opcode.rawValue, controller: controller)
      .packet("management command") { command.append(to: &$0) }
  }
}

/// An event and the controller that it comes from.
public struct ManagementEventPacket: Hashable, Sendable {
  /// The controller's index; nil: the event is not about one.
  public var controller: UInt16?
  public var event: ManagementEvent

  public init(_ event: ManagementEvent, controller: UInt16? = nil) {
    self.event = event
    self.controller = controller
  }

  /// Reads one whole packet; data are slices of `bytes`.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "management event")
    let header = try ManagementHeader(&reader)
    controller = header.controller
    event = try ManagementEvent(header.code, &reader)
    try reader.finish()
  }

  /// Header and parameters.
  ///
  /// - Throws: `.tooLong` if the parameters are more than their length can count.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    try ManagementHeader(code: event.code, controller: controller)
      .packet("management event") { event.append(to: &$0) }
  }
}

/// The 6 bytes in front of each packet: code, controller index, length.
private struct ManagementHeader {
  /// The index that stands for no controller.
  static let noController: UInt16 = 0xFFFF
  static let count = 6

  var code: UInt16
  var controller: UInt16?

  init(code: UInt16, controller: UInt16?) {
    self.code = code
    self.controller = controller
  }

  /// Reads the header; the rest of `reader` must be as long as it says.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    code = try reader.uint16()
    let index = try reader.uint16()
    controller = index == Self.noController ? nil : index
    let length = Int(try reader.uint16())
    guard length <= reader.remaining else {
      throw reader.malformed(.truncated(needed: length, available: reader.remaining))
    }
    guard length == reader.remaining else {
      throw reader.malformed(
        .trailing(count: reader.remaining - length), at: reader.offset + length)
    }
  }

  func packet(
    _ what: String, parameters: (inout [UInt8]) -> Void
  ) throws(MalformedBytes) -> [UInt8] {
    var body: [UInt8] = []
    parameters(&body)
    guard let length = UInt16(exactly: body.count) else {
      throw MalformedBytes(
        what, at: Self.count, .tooLong(count: body.count, limit: Int(UInt16.max)))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.count + body.count)
    bytes.append(littleEndian: code)
    bytes.append(littleEndian: controller ?? Self.noController)
    bytes.append(littleEndian: length)
    return bytes + body
  }
}

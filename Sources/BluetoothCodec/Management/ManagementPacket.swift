/// A management command with its header (BlueZ, doc/mgmt-protocol, "Packet Structures").
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | command code |
/// | 2 | 2 | controller index, 0xFFFF for none |
/// | 4 | 2 | length *n* |
/// | 6 | *n* | parameters |
///
/// ```swift
/// let bytes = try ManagementCommandPacket(.setPowered(true), controller: 0).encoded()
/// // 05 00 00 00 01 00 01
/// ```
public struct ManagementCommandPacket: Hashable, Sendable {
  /// The index of the controller, 0 for hci0, or nil if the command needs none.
  public var controller: UInt16?
  public var command: ManagementCommand

  public init(_ command: ManagementCommand, controller: UInt16? = nil) {
    self.command = command
    self.controller = controller
  }

  /// Decodes exactly one packet.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "management command")
    let header = try ManagementHeader(&reader)
    controller = header.controller
    command = try ManagementCommand(ManagementOpcode(rawValue: header.code), &reader)
    try reader.finish()
  }

  /// Returns the header and the parameters; throws `.tooLong` beyond the length field.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    try ManagementHeader(code: command.opcode.rawValue, controller: controller)
      .packet("management command") { command.append(to: &$0) }
  }
}

/// A management event with its header, which has the layout of ``ManagementCommandPacket``'s.
public struct ManagementEventPacket: Hashable, Sendable {
  /// The index of the controller, 0 for hci0, or nil if the event has none.
  public var controller: UInt16?
  public var event: ManagementEvent

  public init(_ event: ManagementEvent, controller: UInt16? = nil) {
    self.event = event
    self.controller = controller
  }

  /// Decodes exactly one packet, whose data becomes a slice of `bytes`.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "management event")
    let header = try ManagementHeader(&reader)
    controller = header.controller
    event = try ManagementEvent(header.code, &reader)
    try reader.finish()
  }

  /// Returns the header and the parameters; throws `.tooLong` beyond the length field.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    try ManagementHeader(code: event.code, controller: controller)
      .packet("management event") { event.append(to: &$0) }
  }
}

private struct ManagementHeader {
  static let noController: UInt16 = 0xFFFF
  static let count = 6

  var code: UInt16
  var controller: UInt16?

  init(code: UInt16, controller: UInt16?) {
    self.code = code
    self.controller = controller
  }

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

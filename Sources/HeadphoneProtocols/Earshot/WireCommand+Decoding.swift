public import BluetoothCodec

extension WireCommand {
  /// Decodes a joined payload on the headphone's side; it may be longer than defined.
  ///
  /// - Throws: ``HeadphoneError/refused(_:)`` with the status of the response.
  public init(_ id: CommandID, payload: Bytes) throws(HeadphoneError) {
    do {
      var reader = ByteReader(payload, of: "command")
      guard let command = try Self.command(id, from: &reader) else {
        throw HeadphoneError.refused(.unknownCommand)
      }
      self = command
    } catch let refusal as HeadphoneError {
      throw refusal
    } catch {
      throw .refused(.badPayload)
    }
  }

  private static func command(
    _ id: CommandID, from reader: inout ByteReader
  ) throws(MalformedBytes) -> WireCommand? {
    switch id {
    case .capabilities: .capabilities
    case .ping: .ping(reader.rest())
    case .state: .state
    case .setANC: .setANC(try reader.value(of: ANCMode.self))
    case .setANCLevel: .setANCLevel(try reader.uint8(in: 0...highestANCLevel))
    case .setEQ: .setEQ(try reader.value(of: EQPreset.self))
    case .setCustomEQ: .setCustomEQ(try reader.gains())
    case .customEQ: .customEQ
    case .find:
      .find(
        Sides(rawValue: try reader.uint8()).intersection(.both), isOn: try reader.flag())
    case .setTouchAction:
      .setTouchAction(
        try reader.value(of: Side.self), try reader.value(of: TouchGesture.self),
        try reader.value(of: TouchAction.self))
    case .touchActions: .touchActions
    case .setWearDetection: .setWearDetection(isOn: try reader.flag())
    case .rename: .rename(try reader.name())
    case .factoryReset:
      try reader.factoryReset()
    case .restart: .restart
    default: nil
    }
  }
}

extension ByteReader {
  fileprivate mutating func factoryReset() throws(MalformedBytes) -> WireCommand {
    for letter in WireCommand.resetWord { _ = try uint8(in: letter...letter) }
    return .factoryReset
  }

  fileprivate mutating func name() throws(MalformedBytes) -> String {
    let bytes = rest()
    guard WireCommand.nameLength.contains(bytes.count),
      let name = String(validating: bytes, as: UTF8.self)
    else { throw MalformedBytes(what, at: 0, .badLength(bytes.count)) }
    return name
  }
}

import BluetoothCodec

@testable import HeadphoneProtocols

/// A frame whose kind is independent of its values.
protocol KindedFrame {
  /// The values that identify the kind of message, such as sender and number.
  var messageKind: [UInt64] { get }
}

extension HeadphoneFamily {
  /// Returns the kind of a message, or nil if it is no frame of the family.
  func messageKind(of bytes: [UInt8]) -> [UInt64]? {
    if self == .airpods { return (try? AACPPacket(decoding: bytes[...]))?.messageKind }
    func kind<Frame: SerialFrame>(_: Frame.Type) -> [UInt64]? {
      ((try? Frame(decoding: bytes[...])) as? any KindedFrame)?.messageKind
    }
    func serial<Language: SerialProtocol>(_: Language.Type) -> [UInt64]? {
      kind(Language.Frame.self)
    }
    func lowEnergy<Language: FamilyProtocol>(_: Language.Type) -> [UInt64]? {
      kind(Language.Frame.self)
    }
    if let serialProtocol { return serial(serialProtocol) }
    return gattProtocol.flatMap { lowEnergy($0) }
  }
}

extension AACPPacket: KindedFrame {
  var messageKind: [UInt64] {
    switch self {
    case .handshake: [0]
    case .handshakeResponse: [1]
    case .message(AACPOpcode.control, let data):
      [UInt64(AACPOpcode.control), UInt64(data.first ?? 0)]
    case .message(let opcode, _): [UInt64(opcode)]
    }
  }
}

extension SonyFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(kind.rawValue)] + payload.prefix(2).map { UInt64($0) } }
}

extension NothingFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(command)] }
}

extension SoundcoreFrame: KindedFrame {
  var messageKind: [UInt64] { [sender == .phone ? 0 : 1, UInt64(command)] }
}

extension OppoFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(command)] }
}

extension HuaweiFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(command)] }
}

extension GalaxyBudsFrame: KindedFrame {
  var messageKind: [UInt64] {
    let confirmed = number == GalaxyBudsProtocol.Message.confirmation.rawValue
    return [UInt64(number)] + (confirmed ? payload.prefix(1).map { UInt64($0) } : [])
  }
}

extension BoseFrame: KindedFrame {
  var messageKind: [UInt64] {
    [UInt64(function.block), UInt64(function.number), UInt64(operation.rawValue)]
  }
}

extension JBLFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(command)] + payload.prefix(1).map { UInt64($0) } }
}

extension EdifierFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(sender.rawValue), UInt64(command)] }
}

extension GAIAFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(vendor), UInt64(command)] }
}

extension RedmiFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(kind.rawValue), UInt64(opcode)] }
}

extension QCYFrame: KindedFrame {
  var messageKind: [UInt64] { blocks.map { UInt64($0.command) } }
}

extension OneMoreFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(sender.rawValue), UInt64(command)] }
}

extension TechnicsFrame: KindedFrame {
  var messageKind: [UInt64] { [UInt64(kind.rawValue), UInt64(command)] }
}

extension PixelBudsFrame: KindedFrame {
  var messageKind: [UInt64] {
    guard let call = try? PixelBudsCall(decoding: data) else { return [UInt64.max] }
    return [call.kind.rawValue, UInt64(call.method?.rawValue ?? 0)]
  }
}

package import BluetoothCodec
package import HeadphoneProtocols

/// A reassembled command, equal to its repetition, which has the same sequence number.
package struct ReceivedCommand: Hashable, Sendable {
  package var version: UInt8
  package var id: CommandID
  package var sequence: UInt8
  package var payload: Bytes
}

/// The headphone's side of the command channel as a value (docs/protocol.md section 5).
///
/// It receives the bytes written to FFF3, and returns commands to carry out and stored responses. A
/// repeated command is answered with the stored response and not carried out again.
package struct CommandServer: Sendable {
  package enum Item: Hashable, Sendable {
    /// A command to carry out, and to answer with `respond(to:_:)`.
    case command(ReceivedCommand)
    case repeated([HeadphonePacket])
    case alreadyAtWork
    case garbage(Bytes)
  }

  /// The number of remembered commands, which exceeds those outstanding at once.
  private static let memory = 8

  private struct Known {
    var command: ReceivedCommand
    var response: [HeadphonePacket]?
  }

  private var parser = PacketParser()
  private var joiner = FragmentJoiner()
  private var known: [Known] = []

  package init() {}

  package mutating func receive(_ bytes: Bytes) -> [Item] {
    parser.receive(bytes).compactMap { item in
      switch item {
      case .skipped(let bytes): .garbage(bytes)
      case .packet(let packet): receive(packet)
      }
    }
  }

  package mutating func respond(to command: ReceivedCommand, _ response: CommandResponse)
    -> [HeadphonePacket]
  {
    let packets = HeadphonePacket.fragments(
      command.id, sequence: command.sequence,
      flags: response.status == .ok ? .response : [.response, .error],
      payload: ([response.status.code] + response.data)[...])
    if let index = known.lastIndex(where: { $0.command == command }) {
      known[index].response = packets
    }
    return packets
  }

  mutating func forget(_ command: ReceivedCommand) { known.removeAll { $0.command == command } }

  private mutating func receive(_ packet: HeadphonePacket) -> Item? {
    // A phone sends no responses.
    guard !packet.flags.contains(.response) else { return nil }
    do throws(MalformedBytes) {
      guard let whole = try joiner.receive(packet) else { return nil }
      let command = ReceivedCommand(
        version: packet.version, id: packet.command, sequence: packet.sequence,
        payload: whole.payload)
      if let before = known.last(where: { $0.command == command }) {
        return before.response.map { .repeated($0) } ?? .alreadyAtWork
      }
      known = known.suffix(Self.memory - 1) + [Known(command: command)]
      return .command(command)
    } catch {
      return .garbage(packet.payload)
    }
  }
}

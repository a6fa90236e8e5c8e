package import BluetoothCodec
internal import GATT
package import HeadphoneProtocols

/// A command as it arrived, joined from its fragments.
///
/// Two are the same command if all of it is equal: a phone that repeats one uses the same sequence
/// number.
package struct ReceivedCommand: Hashable, Sendable {
  package var version: UInt8
  package var id: CommandID
  package var sequence: UInt8
  package var payload: Bytes
}

/// The headphone's side of the command channel as a value: bytes written to FFF3 go in, commands to
/// carry out and responses to send again come out (docs/protocol.md section 5).
///
/// A repeated command is answered with the stored response and not carried out again. Eight
/// commands are remembered.
package struct CommandServer: Sendable {
  package enum Item: Hashable, Sendable {
    /// A command to carry out, and to answer with ``response(_:_:)``.
    case command(ReceivedCommand)
    /// The packets of the stored response: the command was repeated.
    case repeated([HeadphonePacket])
    /// The command was repeated while it is carried out.
    case alreadyAtWork
    /// Bytes that are no packet.
    case garbage(Bytes)
  }

  /// Number of commands whose repetition is recognised; more than a phone has outstanding.
  private static let memory = 8

  private struct Known {
    var command: ReceivedCommand
    var response: [HeadphonePacket]?
  }

  private var parser = PacketParser()
  private var joiner = FragmentJoiner()
  private var known: [Known] = []

  package init() {}

  /// Receives written bytes, cut into any portions.
  package mutating func receive(_ bytes: Bytes) -> [Item] {
    parser.receive(bytes).compactMap { item in
      switch item {
      case .skipped(let bytes): .garbage(bytes)
      case .packet(let packet): receive(packet)
      }
    }
  }

  /// Stores and returns the packets of a response.
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

  /// Forgets a command, as a lossy headphone would.
  mutating func forget(_ command: ReceivedCommand) { known.removeAll { $0.command == command } }

  /// A packet as an item; nil while fragments are missing.
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

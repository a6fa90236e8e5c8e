package import BluetoothCodec

/// The table of a driver file, with the same rows as the built-in tables of makers.
public struct DriverTable: Sendable {
  package enum Channel: Hashable, Sendable {
    case serial(SerialService)
    case characteristics(of: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID)

    package var service: BluetoothUUID {
      switch self {
      case .serial(let service): service.uuid
      case .characteristics(let service, _, _): service
      }
    }
  }

  /// The name for `--driver`: the file name without ".toml".
  public let id: String
  /// The file name in messages.
  public let file: String
  /// The name of the maker or model.
  public let name: String
  package let manufacturer: String
  package let channel: Channel
  /// The line of `[channel]` in the file.
  package var channelLine = 1
  package internal(set) var allowsWriting: Bool
  package let sending: FrameLayout
  /// The layouts of received frames, in the order in which they are tried.
  package let receiving: [FrameLayout]
  package let rows: [MakerRow]
  /// The difference of an answer's number from the command's.
  package var answerAdds: UInt16 = 0
  /// Whether commands are answered; if not, the request that reads the value back follows at once.
  package var answersCommands = true
  /// The number of rows that are requested first.
  package var openingRows = 1
  /// Whether an answer is malformed if its length differs from that of its values.
  package var isExact = false

  package init(
    id: String, file: String, name: String, manufacturer: String? = nil, on channel: Channel,
    allowsWriting: Bool, sending: FrameLayout, receiving: [FrameLayout], rows: [MakerRow]
  ) {
    (self.id, self.file, self.name) = (id, file, name)
    self.manufacturer = manufacturer ?? name
    (self.channel, self.allowsWriting) = (channel, allowsWriting)
    (self.sending, self.receiving, self.rows) = (sending, receiving, rows)
  }

  package var serialServices: [SerialService] {
    if case .serial(let service) = channel { [service] } else { [] }
  }

  package func characteristics(in database: Database) -> FamilyChannel? {
    guard case .characteristics(let uuid, let write, let notify) = channel else { return nil }
    return database.services.lazy.filter { $0.uuid == uuid }.compactMap {
      FamilyChannel(of: $0, write: $0.characteristic(write), notify: $0.characteristic(notify))
    }.first
  }
}

// MARK: Harm

extension DriverTable {
  /// Returns why a row may not be in a table, or nil if all that it can send may be sent.
  package func refusal(of row: MakerRow) -> (isCommand: Bool, words: String)? {
    if row.isAsked, let words = refusal(of: sending.frame(row.question, row.asked)[...]) {
      return (false, words)
    }
    guard let command = row.command else { return nil }
    for payload in row.payloads + [row.prefix] {
      if let words = refusal(of: sending.frame(command, payload)[...]) { return (true, words) }
    }
    return nil
  }

  /// Returns why bytes are never sent, or nil if they are allowed.
  ///
  /// As several makers share a framing, the bytes are read as frames of every maker. Frames of a
  /// maker without a marker are only recognised if this table's have none either, or if its service
  /// is that maker's.
  package func refusal(of bytes: Bytes) -> String? {
    HeadphoneFamily.refusal(
      of: bytes, from: channel.service, isMarked: !sending.format.marker.isEmpty)
  }
}

extension MakerRow {
  /// The payloads of all commands, without the bytes that commands repeat.
  fileprivate var payloads: [[UInt8]] {
    let commands = fields.flatMap { field -> [HeadphoneCommand] in
      switch field {
      case .noise(let modes), .wholeNoise(let modes): modes.values.map { .setANC($0) }
      case .setting(let setting):
        setting.values.map { .set(setting.declaration.id, $0.value) }
      default: []
      }
    }
    let kept = [UInt8](
      repeating: 0, count: fields.count { if case .kept = $0 { true } else { false } })
    return commands.compactMap { payload(for: $0, keeping: kept) }
  }

  package var isSettable: Bool { !payloads.isEmpty }
}

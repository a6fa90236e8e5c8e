internal import BluetoothCodec

/// Recorded bytes in a driver file, against which the driver is tested.
package struct DriverString: Sendable {
  package var id: String?
  package var line: Int
  package var isFromHeadphone: Bool
  package var bytes: [UInt8]
  /// The events that must be read, in the form of `HeadphoneEvent.words`, or nil if unknown.
  package var reads: [String]?
  /// The ids of strings that the headphone has sent before.
  package var after: [String] = []
  /// Whether the driver must send the string as a request.
  package var isAsked = false
  /// The setting and value for which the driver must send the string, or nil if unknown.
  package var sets: String?

  package init(line: Int, isFromHeadphone: Bool, bytes: [UInt8]) {
    (self.line, self.isFromHeadphone, self.bytes) = (line, isFromHeadphone, bytes)
  }
}

extension DriverTable {
  /// Returns how a driver with this table contradicts a string, in words, or nil if it does not.
  package func contradiction(of string: DriverString, among all: [DriverString]) -> String? {
    var proto = FileProtocol(isWriting)
    var sent = proto.questions()
    for name in string.after {
      guard let before = all.first(where: { $0.id == name }) else {
        return "there is no string \"\(displayable(name))\""
      }
      _ = proto.events(of: before.bytes)
    }
    if string.isFromHeadphone {
      let words = proto.events(of: string.bytes).map(\.words).filter { $0 != "unknown" }
      guard let reads = string.reads, words != reads else { return nil }
      return "the driver reads \(words.isEmpty ? "nothing" : words.joined(separator: "; ")) in it"
    }
    if let sets = string.sets {
      do throws(HeadphoneError) {
        let exchanges = try proto.exchanges(for: try proto.command(sets))
        return isIn(exchanges, string) ? nil : "the driver sends \(words(exchanges)) for it"
      } catch .badArgument(let what), .unsupported(let what) {
        return "the driver does not send it: \(what)"
      } catch {
        return "the driver does not send it"
      }
    }
    guard string.isAsked else { return nil }
    sent += rows.filter(\.isAsked).dropFirst(openingRows).map { proto.ask($0) }
    return isIn(sent, string) ? nil : "the driver does not ask it"
  }

  private var isWriting: DriverTable {
    var table = self
    table.allowsWriting = true
    return table
  }

  private func isIn(_ exchanges: [Exchange], _ string: DriverString) -> Bool {
    guard let wanted = try? sending.decode(string.bytes[...], "frame") else { return false }
    return exchanges.flatMap(\.values).contains { value in
      (try? sending.decode(value, "frame")) == wanted
    }
  }

  private func words(_ exchanges: [Exchange]) -> String {
    exchanges.flatMap(\.values).map { hexadecimal($0) }.joined(separator: ", ")
  }
}

extension FileProtocol {
  fileprivate mutating func events(of piece: [UInt8]) -> [HeadphoneEvent] {
    messages(in: piece[...]).flatMap { receive($0).events }
  }

  /// Returns the command for words such as "noise-mode off".
  fileprivate func command(_ words: String) throws(HeadphoneError) -> HeadphoneCommand {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw .badArgument("a setting and its value are needed") }
    let id = SettingID(rawValue: parts[0])
    if id == .noiseMode, let mode = ANCMode.allCases.first(where: { $0.name == parts[1] }) {
      return .setANC(mode)
    }
    guard let declaration = capabilities.declaration(of: id) else {
      throw .badArgument("the headphone has not reported \(displayable(parts[0])) before")
    }
    do throws(SettingRefusal) { return .set(id, try declaration.value(of: parts[1])) } catch {
      throw .badArgument(error.description)
    }
  }
}

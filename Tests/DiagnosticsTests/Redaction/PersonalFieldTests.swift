import BluetoothCodec
import Diagnostics
import TestSupport
import Testing

/// Every command, return and event of Core 5.4, Vol 4, Part E, 7 that has a personal field, with
/// that field alone in a capture: nothing has announced it.
@Suite struct PersonalFieldTests {
  /// A packet in words: kind and code, then its parameters.
  ///
  /// | word | bytes |
  /// | --- | --- |
  /// | c, r, e, l | a command, a return, an event, an LE Meta event |
  /// | A | the address |
  /// | K16 | a secret of so many bytes |
  /// | N | the name, padded to 248 bytes |
  /// | S, S240 | AD structures with name and address behind their length; padded to 240 bytes |
  /// | =2 | this byte |
  /// | 7 | so many other bytes |
  private static let layouts = [
    "c0405 A 7", "c0408 A", "c0409 A 1", "c040A A 1", "c040B A K16", "c040C A", "c040D A =4 K16",
    "c040E A", "c0419 A 4", "c041A A", "c0429 A 15", "c042A A 1", "c042B A 3", "c042C A", "c042D A",
    "c042E A K4", "c042F A", "c0430 A K32", "c0433 A", "c0434 A 1", "c043E A 57", "c043F A 3",
    "c0440 A", "c0442 1 A 8", "c0445 A K64", "c080B A 1", "c0C05 =2 =2 A 1", "c0C05 =1 =2 A",
    "c0C0D A 1", "c0C11 =2 A K16 A K16", "c0C12 A 1", "c0C13 N", "c0C52 1 S240", "c0C60 A 1",
    "c2005 A", "c2006 7 A 2", "c2008 S", "c2009 S", "c200D 6 A 13", "c2011 1 A", "c2012 1 A",
    "c2017 K16 K16", "c2019 10 K18", "c201A 2 K16", "c2026 K64", "c2027 1 A K16 K16", "c2028 1 A",
    "c202B 1 A", "c202C 1 A", "c2035 1 A", "c2036 12 A 6", "c2037 3 S", "c2038 3 S", "c203F 2 S",
    "c2043 3 A 17", "c2044 3 A 5", "c2047 1 A 1", "c2048 1 A 1", "c204E 1 A 1", "c205E K64 =0",
    "c2068 15 K16", "c2069 20 K16", "c206B 4 K16 5", "c207F 12 A 8", "c2083 7 S", "c2085 5 A 17",
    "c2098 1 A 3", "c2099 1 A", "cFC01 A", "cFD57 4 A 2",
    "r0408 =0 A", "r040B =0 A", "r040C =0 A", "r040D =0 A", "r040E =0 A", "r041A =0 A",
    "r042B =0 A", "r042C =0 A", "r042D =0 A", "r042E =0 A", "r042F =0 A", "r0430 =0 A",
    "r0433 =0 A", "r0434 =0 A", "r0440 =0 A", "r0442 =0 A 1", "r0445 =0 A", "r0C14 =0 N",
    "r0C51 =0 1 S240", "r0C57 =0 K32", "r0C60 =0 A", "r0C7D =0 K64", "r1009 =0 A", "r2017 =0 K16",
    "r2018 =0 K8", "r202B =0 A", "r202C =0 A", "rFC79 =0 A 9",
    "e02 =2 A 8 A 8", "e03 =0 2 A 2", "e04 A 4", "e07 =0 A N", "e12 =0 A 1", "e15 =2 A K16 A K16",
    "e16 A", "e17 A", "e18 A K16 1", "e20 A 1", "e22 =2 A 8 A 8", "e2C =0 2 A 8", "e2F =1 A 8 S240",
    "e31 A", "e32 A 3", "e33 A K4", "e34 A", "e35 A", "e36 =0 A", "e3B A K4", "e3C A 1", "e3D A 8",
    "e50 =0 A 13", "e51 A 12", "e52 A 1", "e53 =0 A", "eFF 3 A 5",
    "l01 =0 4 A 7", "l02 =2 2 A S 1 2 A S 1", "l08 =0 K64", "l09 =0 K32", "l0A =0 4 A A A 7",
    "l0B =2 2 A 1 A 1 2 A 1 A 1", "l0D =2 3 A 9 A S 3 A 9 A S", "l0E =0 4 A 4", "l0F 6 S",
    "l13 2 A", "l18 =0 8 A 4", "l24 =0 4 A 8", "l25 9 S", "l26 =0 8 A 8", "l29 =0 4 A A A 9",
    "l34 1 A 2",
  ]

  private static let name = "Zaphod's Buds"

  /// A packet by its words, with what must not stay of it.
  private struct Planted {
    private(set) var bytes: [UInt8] = []
    private(set) var secrets: [[UInt8]] = [Array(PersonalFieldTests.name.utf8)]
    private let address: [UInt8]

    init(_ layout: String, _ generator: inout SeededGenerator) {
      address = Self.random(6, &generator)
      secrets += [address, address.reversed()]
      let words = layout.split(separator: " ")
      let parameters = words.dropFirst().flatMap { field($0, &generator) }
      let code = UInt16(words[0].dropFirst(), radix: 16) ?? 0
      let opcode = [UInt8(truncatingIfNeeded: code), UInt8(code >> 8)]
      let low = opcode[0]
      bytes =
        switch words[0].first {
        case "c": [0x01] + opcode + [UInt8(parameters.count)] + parameters
        case "r": [0x04, 0x0E, UInt8(parameters.count + 3), 1] + opcode + parameters
        case "l": [0x04, 0x3E, UInt8(parameters.count + 1), low] + parameters
        default: [0x04, low, UInt8(parameters.count)] + parameters
        }
    }

    /// Bytes of which none is a letter, and none ends a text or a list.
    private static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
      (0..<count).map { _ in UInt8(0x81 + generator.below(0x3F)) }
    }

    private mutating func field(_ word: Substring, _ generator: inout SeededGenerator) -> [UInt8] {
      let name = Array(PersonalFieldTests.name.utf8)
      let structures =
        [UInt8(name.count + 1), 0x09] + name + [8, 0x1B] + address + [1, 7, 0x17] + address
      let count = Int(word.drop { $0.isLetter || $0 == "=" }) ?? 0
      switch word.first {
      case "A": return address
      case "N": return name + [UInt8](repeating: 0, count: 248 - name.count)
      case "S" where count > 0:
        return structures + [UInt8](repeating: 0, count: count - structures.count)
      case "S": return [UInt8(structures.count)] + structures
      case "=": return [UInt8(count)]
      case "K":
        let secret = Self.random(count, &generator)
        secrets.append(secret)
        return secret
      default: return Self.random(count, &generator)
      }
    }

    /// What of it is in other bytes: a secret, or the first bytes of one that was cut off.
    func secrets(in bytes: [UInt8]) -> [[UInt8]] {
      secrets.map { Array($0.prefix(4)) }.filter { secret in
        bytes.indices.contains { bytes[$0...].starts(with: secret) }
      }
    }
  }

  @Test(arguments: layouts)
  func `nothing of a personal field stays, and the packet does`(_ layout: String) throws {
    var generator = SeededGenerator(seed: layout.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    for round in 0..<20 {
      let planted = Planted(layout, &generator)
      #expect(!planted.secrets(in: planted.bytes).isEmpty)
      // The second half as a capture that was cut.
      let kept = round < 10 ? planted.bytes.count : generator.below(planted.bytes.count + 1)
      for datalink in [BtsnoopDatalink.uart, .monitor] {
        let record = Self.record(planted.bytes, kept, of: datalink)
        var redaction = CaptureRedaction()
        let redacted = redaction.redact(record, of: datalink)
        #expect(planted.secrets(in: Array(redacted.data)).isEmpty, "\(redacted.data)")
        #expect(redacted.data.count == record.data.count)
        #expect(redacted.packet(of: datalink) != nil || record.packet(of: datalink) == nil)
        let file = BtsnoopHeader(datalink).encoded() + redacted.encoded()
        var reader = try BtsnoopFile(file[...])
        #expect(try reader.next() == redacted)
        #expect(try reader.next() == nil)
      }
    }
  }

  /// The record of a packet, of which so many bytes are kept.
  private static func record(
    _ packet: [UInt8], _ kept: Int, of datalink: BtsnoopDatalink
  ) -> BtsnoopRecord {
    var record = BtsnoopRecord(uart: packet[...], isReceived: true, time: .unixEpoch)
    if datalink == .monitor {
      record = BtsnoopRecord(
        monitor: packet.first == 1 ? .command : .event, controller: 0, packet: packet.dropFirst(),
        time: .unixEpoch)
    }
    record.data = record.data.prefix(kept)
    return record
  }
}

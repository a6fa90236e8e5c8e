/// Takes out of a capture what tells whose it is: addresses, names, serial numbers, keys.
///
/// Every record keeps its length and its structure, so Wireshark reads it as before. An address or
/// a name gets the same other one wherever it stands, keys become zeros. What it was learnt from
/// comes first in a capture as a rule; what was known before is given at the start.
public struct CaptureRedaction: Sendable {
  private var pseudonyms = Pseudonyms()
  /// The types that the last Read By Type requests asked for, by connection.
  var asked: [UInt16: Bytes] = [:]

  /// - Parameters:
  ///   - addresses: of this machine and of known headphones.
  ///   - texts: names and serial numbers that are known.
  public init(addresses: [BluetoothAddress] = [], texts: [String] = []) {
    for address in addresses { _ = pseudonyms.address(for: address) }
    for text in texts where !text.isEmpty { _ = pseudonyms.text(for: Array(text.utf8)) }
  }

  /// The record without them.
  public mutating func redact(
    _ record: BtsnoopRecord, of datalink: BtsnoopDatalink
  ) -> BtsnoopRecord {
    var redacted = record
    var bytes = RedactedBytes(record.data)
    switch datalink {
    case .uart:
      redact(&bytes, from: 1, as: record.data.first.flatMap(HCIPacketType.init(rawValue:)))
    case .monitor:
      if let type = record.monitorOpcode.packetType {
        redact(&bytes, from: 0, as: type)
      } else {
        redactNote(&bytes, record.monitorOpcode)
      }
    default: bytes.erase(0, bytes.bytes.count)
    }
    pseudonyms.replaceKnown(in: &bytes.bytes)
    redacted.data = bytes.bytes[...]
    return redacted
  }

  /// A packet of HCI whose header begins at `start`.
  private mutating func redact(
    _ bytes: inout RedactedBytes, from start: Int, as type: HCIPacketType?
  ) {
    switch type {
    case .command: redactCommand(&bytes, opcode: bytes.word(start), from: start + 3)
    case .event: redactEvent(&bytes, code: bytes.byte(start), from: start + 2)
    case .acl: redactData(&bytes, connection: bytes.word(start) & 0x0FFF, from: start)
    case .sco, .iso, nil: break
    }
  }

  /// What the kernel tells beside HCI (BlueZ, doc/btsnoop-protocol).
  private mutating func redactNote(_ bytes: inout RedactedBytes, _ opcode: MonitorOpcode) {
    switch opcode {
    case .newIndex: bytes.replaceAddress(at: 2, &pseudonyms)
    case .indexInformation: bytes.replaceAddress(at: 0, &pseudonyms)
    // Keys travel here too: of the order and what came of it only the beginning stays.
    case .controlCommand, .controlEvent: bytes.erase(6, bytes.bytes.count - 6)
    case .vendorDiagnostics: bytes.erase(0, bytes.bytes.count)
    default: bytes.replaceTexts(0, bytes.bytes.count, &pseudonyms)
    }
  }

  mutating func replaceAddress(_ bytes: inout RedactedBytes, at offset: Int) {
    bytes.replaceAddress(at: offset, &pseudonyms)
  }

  mutating func replaceText(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceText(offset, count, &pseudonyms)
  }

  mutating func replaceTexts(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceTexts(offset, count, &pseudonyms)
  }

  mutating func redactAdvertising(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.redactAdvertising(offset, count, &pseudonyms)
  }
}

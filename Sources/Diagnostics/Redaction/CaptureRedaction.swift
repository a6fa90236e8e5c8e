public import BluetoothCodec
internal import Synchronization

/// Removes from a capture what identifies a person: addresses, names, serial numbers, keys.
///
/// Each record keeps its length and its structure, so that Wireshark still dissects it. Keys become
/// zeros. What needs a replacement is learnt from the packets that announce it, which come first in
/// a capture as a rule.
public struct CaptureRedaction: Sendable {
  private var pseudonyms: Pseudonyms
  /// The types that the last Read By Type requests asked for, by connection.
  var asked: [UInt16: Bytes] = [:]

  /// - Parameter pseudonyms: what is known before the first packet.
  public init(_ pseudonyms: Pseudonyms = Pseudonyms()) { self.pseudonyms = pseudonyms }

  /// The redaction as a filter of a capture's records, which keeps what it learns.
  public var filter: @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord {
    let state = Shared(self)
    return { record, datalink in state.redaction.withLock { $0.redact(record, of: datalink) } }
  }

  private final class Shared: Sendable {
    let redaction: Mutex<CaptureRedaction>
    init(_ redaction: CaptureRedaction) { self.redaction = Mutex(redaction) }
  }

  /// The redacted record.
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

  /// Redacts an HCI packet whose header begins at `start`.
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

  /// Redacts what the kernel adds to HCI packets (BlueZ, doc/btsnoop-protocol).
  private mutating func redactNote(_ bytes: inout RedactedBytes, _ opcode: MonitorOpcode) {
    switch opcode {
    case .newIndex: bytes.replaceAddress(at: 2, &pseudonyms)
    case .indexInformation: bytes.replaceAddress(at: 0, &pseudonyms)
    // Management commands contain keys: only the header stays.
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

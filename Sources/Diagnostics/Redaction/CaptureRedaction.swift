public import BluetoothCodec
internal import Locking

/// A redaction of captures, which removes what identifies a person: addresses, names, serial
/// numbers, keys.
///
/// Each record keeps its length and its structure, so that Wireshark still dissects it. Keys become
/// zeros. Replacements are learnt from the packets that announce a name or an address, which
/// usually come first in a capture.
///
/// ```swift
/// let redaction = CaptureRedaction(Pseudonyms(known: headphones))
/// let radio = try CapturedRadio(LinuxRadio(), to: "trace.btsnoop", filter: redaction.filter)
/// ```
public struct CaptureRedaction: Sendable {
  private var pseudonyms: Pseudonyms
  /// The type of the latest Read By Type request on each connection, which its response does not
  /// repeat.
  var asked: [UInt16: Bytes] = [:]

  /// A redaction that has seen no packet yet.
  ///
  /// - Parameter pseudonyms: the replacements that are known before.
  public init(_ pseudonyms: Pseudonyms = Pseudonyms()) { self.pseudonyms = pseudonyms }

  /// The redaction as a filter for a capture, which keeps what it learns from record to record.
  public var filter: @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord {
    let state = Shared(self)
    return { record, datalink in state.redaction.withLock { $0.redact(record, of: datalink) } }
  }

  /// The redaction of a filter, protected by a lock.
  private final class Shared: Sendable {
    let redaction: Mutex<CaptureRedaction>
    init(_ redaction: CaptureRedaction) { self.redaction = Mutex(redaction) }
  }

  /// Redacts a record.
  ///
  /// - Parameters:
  ///   - record: any record.
  ///   - datalink: the content of the file's records; those of an unknown one are erased.
  /// - Returns: a record of the same length.
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

  /// Redacts the content of a message of a captured channel.
  ///
  /// - Returns: as many bytes, without texts and known addresses.
  public mutating func redact(content: Bytes) -> [UInt8] {
    var bytes = RedactedBytes(content)
    replaceTexts(&bytes, 0, content.count)
    pseudonyms.replaceKnown(in: &bytes.bytes)
    return bytes.bytes
  }

  /// The replacement of an address.
  public mutating func address(for address: BluetoothAddress) -> BluetoothAddress {
    pseudonyms.address(for: address)
  }

  /// Redacts an HCI packet whose header is at `start`.
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

  /// Redacts the records that the kernel adds to HCI packets (BlueZ, doc/btsnoop-protocol).
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

  /// Replaces the address at an offset.
  mutating func replaceAddress(_ bytes: inout RedactedBytes, at offset: Int) {
    bytes.replaceAddress(at: offset, &pseudonyms)
  }

  /// Replaces the text in a field.
  mutating func replaceText(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceText(offset, count, &pseudonyms)
  }

  /// Replaces all texts in a range.
  mutating func replaceTexts(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceTexts(offset, count, &pseudonyms)
  }

  /// Redacts the AD structures in a range.
  mutating func redactAdvertising(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.redactAdvertising(offset, count, &pseudonyms)
  }
}

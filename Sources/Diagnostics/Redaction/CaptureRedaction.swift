package import BluetoothCodec
internal import Locking

/// A redaction of captures: addresses, names, serial numbers, keys and voices are removed.
///
/// Each record keeps its length and structure, so that Wireshark still dissects it. Keys and sound
/// become zeros. Replacements are learnt from the packets that announce a name or an address, which
/// usually come first.
///
/// ```swift
/// let redaction = CaptureRedaction(Pseudonyms(known: headphones))
/// let radio = try CapturedRadio(LinuxRadio(), to: "trace.btsnoop", filter: redaction.filter)
/// ```
package struct CaptureRedaction: Sendable {
  private var pseudonyms: Pseudonyms
  var links: [UInt16: Link] = [:]

  package init(_ pseudonyms: Pseudonyms = Pseudonyms()) { self.pseudonyms = pseudonyms }

  /// A filter for a capture, which keeps what it learns from record to record.
  package var filter: @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord {
    let state = Shared(self)
    return { record, datalink in state.redaction.withLock { $0.redact(record, of: datalink) } }
  }

  private final class Shared: Sendable {
    let redaction: Mutex<CaptureRedaction>
    init(_ redaction: CaptureRedaction) { self.redaction = Mutex(redaction) }
  }

  /// Redacts a record without changing its length; erases those of an unknown `datalink`.
  package mutating func redact(
    _ record: BtsnoopRecord, of datalink: BtsnoopDatalink
  ) -> BtsnoopRecord {
    var redacted = record
    var bytes = RedactedBytes(record.data)
    switch datalink {
    case .uart:
      redact(
        &bytes, from: 1, as: record.data.first.flatMap(HCIPacketType.init(rawValue:)),
        isReceived: record.isReceived)
    case .monitor:
      if let type = record.monitorOpcode.packetType {
        redact(
          &bytes, from: 0, as: type, isReceived: record.monitorOpcode.isReceived)
      } else {
        redactNote(&bytes, record.monitorOpcode)
      }
    default: bytes.erase(0, bytes.bytes.count)
    }
    pseudonyms.replaceKnown(in: &bytes.bytes)
    redacted.data = bytes.bytes[...]
    return redacted
  }

  /// Replaces the texts and known addresses in a message, whose length does not change.
  package mutating func redact(content: Bytes) -> [UInt8] {
    var bytes = RedactedBytes(content)
    replaceTexts(&bytes, 0, content.count)
    pseudonyms.replaceKnown(in: &bytes.bytes)
    return bytes.bytes
  }

  package mutating func address(for address: BluetoothAddress) -> BluetoothAddress {
    pseudonyms.address(for: address)
  }

  private mutating func redact(
    _ bytes: inout RedactedBytes, from start: Int, as type: HCIPacketType?, isReceived: Bool
  ) {
    switch type {
    case .command: redactCommand(&bytes, opcode: bytes.word(start), from: start + 3)
    case .event: redactEvent(&bytes, code: bytes.byte(start), from: start + 2)
    case .acl: redactData(&bytes, isReceived: isReceived, from: start)
    case .sco: bytes.erase(start + 3, bytes.bytes.count)
    case .iso: eraseIsochronous(&bytes, from: start)
    case nil: bytes.erase(0, bytes.bytes.count)
    }
  }

  /// Erases the sound in an isochronous packet, not its headers (Core 5.4, Vol 4, Part E, 5.4.5).
  private func eraseIsochronous(_ bytes: inout RedactedBytes, from start: Int) {
    let flags = bytes.byte(start + 1) >> 4
    let timestamp = flags & 0b100 != 0 ? 4 : 0
    // Only first fragments and complete packets have a sequence number and a length.
    let number = flags & 0b01 == 0 ? 4 : 0
    bytes.erase(start + 4 + timestamp + number, bytes.bytes.count)
  }

  /// Redacts the records that the kernel adds to HCI packets (BlueZ, doc/btsnoop-protocol).
  private mutating func redactNote(_ bytes: inout RedactedBytes, _ opcode: MonitorOpcode) {
    switch opcode {
    case .newIndex: bytes.replaceAddress(at: 2, &pseudonyms)
    case .indexInformation: bytes.replaceAddress(at: 0, &pseudonyms)
    // Management commands contain keys, so only the header stays.
    case .controlCommand, .controlEvent: bytes.erase(6, bytes.bytes.count - 6)
    case .vendorDiagnostics: bytes.erase(0, bytes.bytes.count)
    default: bytes.replaceTexts(0, bytes.bytes.count, &pseudonyms)
    }
  }

  mutating func replaceAddress(_ bytes: inout RedactedBytes, at offset: Int) {
    bytes.replaceAddress(at: offset, &pseudonyms)
  }

  mutating func replaceName(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceName(offset, count, &pseudonyms)
  }

  mutating func replaceTexts(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.replaceTexts(offset, count, &pseudonyms)
  }

  mutating func redactAdvertising(_ bytes: inout RedactedBytes, _ offset: Int, _ count: Int) {
    bytes.redactAdvertising(offset, count, &pseudonyms)
  }
}

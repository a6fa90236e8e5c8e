internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The HCI monitor channel with all traffic between kernel and adapters; requires CAP_NET_RAW.
struct MonitorChannel: Sendable {
  private static let operation = "capture"
  private static let roomForPacket = 6 + 65_535

  private let descriptor: SocketDescriptor

  init() throws(RadioError) {
    descriptor = try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: Self.operation)
    try descriptor.bind(
      toHCI: UInt16(HCI_DEV_NONE), HCI_CHANNEL_MONITOR, during: Self.operation)
  }

  /// Writes packets until the task is cancelled, and then those that are still pending.
  func write(to file: CaptureFile, loop: PollLoop) async {
    while (try? await loop.readable(descriptor.number)) != nil { readPackets(file) }
    readPackets(file)
  }

  private func readPackets(_ file: CaptureFile) {
    withUnsafeTemporaryAllocation(byteCount: Self.roomForPacket, alignment: 1) { room in
      while case .done(let count) = systemCall({
        read(descriptor.number, room.baseAddress, room.count)
      }) {
        // The kernel makes the header, so a malformed packet is dropped without a report.
        if let record = try? Self.record(Bytes(room[..<count])) { file.append(record) }
      }
    }
  }

  /// Decodes a monitor packet.
  ///
  /// | offset | size | field |
  /// | --- | --- | --- |
  /// | 0 | 2 | opcode |
  /// | 2 | 2 | controller index |
  /// | 4 | 2 | length *n* |
  /// | 6 | *n* | packet |
  static func record(_ bytes: Bytes, time: BtsnoopTime = .now) throws(MalformedBytes)
    -> BtsnoopRecord
  {
    var reader = ByteReader(bytes, of: "monitor packet")
    let opcode = MonitorOpcode(rawValue: try reader.uint16())
    let controller = try reader.uint16()
    let packet = try reader.read(Int(try reader.uint16()))
    try reader.finish()
    return BtsnoopRecord(monitor: opcode, controller: controller, packet: packet, time: time)
  }
}

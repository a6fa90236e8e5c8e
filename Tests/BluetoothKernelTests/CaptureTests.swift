import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Glibc
import Testing

@testable import BluetoothKernel

@Suite struct CaptureTests {
  private let peer = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)

  @Test func `a link is written from its beginning to its end`() async throws {
    let path = try Self.newPath()
    defer { unlink(path) }
    let (near, far) = try SocketBearer.pair(loop: .shared)
    let radio = try CapturedRadio(OneLink(near), to: path)
    let bearer = try await radio.connect(to: peer, timeout: .seconds(10))
    try await bearer.send([0x0A, 0x03, 0x00])
    #expect(try await far.receive() == [0x0A, 0x03, 0x00])
    try await far.send([0x0B, 0x2A])
    #expect(try await bearer.receive() == [0x0B, 0x2A])
    far.close(.user)
    await #expect(throws: BearerClosed(.peer)) { try await bearer.receive() }
    bearer.close(.user)
    #expect(throws: BearerClosed(.peer)) { try bearer.post([0x1E]) }
    #expect(bearer.closed == BearerClosed(.peer))
    #expect(await radio.finish() == nil)

    let packets = try Self.packets(in: path)
    #expect(packets.map(\.isReceived) == [true, false, true, true])
    guard case .event(.le(.connectionComplete(let link))) = packets.first?.packet else {
      Issue.record("starts with \(packets)")
      return
    }
    #expect(link.peer == peer.address)
    #expect(link.peerType == .random)
    #expect(
      packets.dropFirst().map(\.packet) == [
        .acl(ACLPacket(connection: 1, boundary: 0, data: [3, 0, 4, 0, 0x0A, 0x03, 0x00])),
        .acl(ACLPacket(connection: 1, boundary: 2, data: [2, 0, 4, 0, 0x0B, 0x2A])),
        .event(.disconnectionComplete(.success, connection: 1, reason: .remoteUserTerminated)),
      ])
  }

  @Test func `a captured radio does what the one beneath does`() async throws {
    let path = try Self.newPath()
    defer { unlink(path) }
    let (near, _) = try SocketBearer.pair(loop: .shared)
    let radio = try CapturedRadio(OneLink(near), to: path)
    #expect(await radio.identity(of: peer) == OneLink.identity)
    try await radio.setPower(true)
    await #expect(throws: AudioLinkError.busy) {
      try await radio.connectAudio(OneLink.identity.address)
    }
    let nothing = try #require(await radio.finish())
    #expect(nothing.reason == .empty && !nothing.advice.isEmpty)
    #expect(
      nothing.description
        == "nothing was recorded in \(path): no headphone was connected meanwhile")
  }

  /// The BR/EDR channels that a radio may connect.
  enum Classic: Hashable, CaseIterable {
    case serial, numbered, packets

    static let service = BluetoothUUID.bit16(0x1101)

    func connect(on radio: some Radio) async throws -> any Bearer {
      let address = BluetoothAddress(value: 0x3C22_FB00_0001)
      return switch self {
      case .serial:
        try #require(
          await radio.connect(to: address, service: Self.service, timeout: .seconds(1)))
      case .numbered:
        try #require(
          await radio.connect(
            to: address, service: Self.service, channel: 9, timeout: .seconds(1)))
      case .packets: try await radio.connect(to: address, psm: 0x1001, timeout: .seconds(1))
      }
    }

    var channel: (kind: CapturedTraffic.Kind, service: BluetoothUUID?) {
      switch self {
      case .serial: (.serial(1), Self.service)
      case .numbered: (.serial(9), nil)
      case .packets: (.packets(psm: 0x1001), nil)
      }
    }
  }

  @Test(arguments: Classic.allCases)
  func `a channel of the audio side is written as what carries it`(_ kind: Classic) async throws {
    let path = try Self.newPath()
    defer { unlink(path) }
    let (near, far) = try SocketBearer.pair(loop: .shared)
    let radio = try CapturedRadio(OneLink(near), to: path)
    let bearer = try await kind.connect(on: radio)
    let long = [UInt8](repeating: 0x41, count: 200)[...]
    try await bearer.send([0x3E, 0x0C])
    try await far.send(long)
    #expect(try await bearer.receive() == long)
    far.close(.user)
    await #expect(throws: BearerClosed(.peer)) { try await bearer.receive() }
    #expect(await radio.finish() == nil)

    var capture = try BtsnoopFile(Self.bytes(in: path))
    var traffic = CapturedTraffic()
    while let record = try capture.next() { traffic.receive(record, of: .uart) }
    let channel = try #require(traffic.channels.first)
    #expect(traffic.channels.count == 1 && traffic.links.count == 1)
    #expect(channel.kind == kind.channel.kind && channel.service == kind.channel.service)
    #expect(channel.messages.map(\.isReceived) == [false, true])
    #expect(channel.messages.map(\.bytes) == [[0x3E, 0x0C], long])
    #expect(traffic.links.first?.peer?.kind == .classic)
  }

  @Test func `only its owner can read a capture`() throws {
    let path = try Self.newPath()
    defer { unlink(path) }
    chmod(path, 0o666)
    _ = try CaptureFile(path: path, datalink: .uart)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a capture that cannot be written says so`() {
    #expect(throws: CaptureError(path: "/nowhere/capture", errno: ENOENT)) {
      try CapturedRadio(LinuxRadio(), to: "/nowhere/capture")
    }
    let error = CaptureError(path: "/nowhere/capture", errno: ENOENT)
    #expect(
      error.description == "cannot write the capture /nowhere/capture: No such file or directory")
  }

  @Test func `a full disk is reported at the end`() throws {
    #expect(throws: CaptureError(path: "/dev/full", errno: ENOSPC)) {
      try CaptureFile(path: "/dev/full", datalink: .uart)
    }
  }

  /// Nobody reads the pipe, so that writing blocks.
  @Test
  func `a disk that stalls holds up nobody, and what did not fit is counted`() async throws {
    let path = try Self.newPath()
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { PollLoop.shared.close(reader) }
    let packet = BtsnoopRecord(
      uart: [0x02] + [UInt8](repeating: 0, count: 1023)[...], isReceived: true,
      time: BtsnoopTime(microsecondsSince1970: 1))
    let (bytes, drops) = try await Self.write(packet, to: path, emptiedBy: reader)
    var capture = try BtsnoopFile(bytes[...])
    var records: [BtsnoopRecord] = []
    while let record = try capture.next() { records.append(record) }
    #expect(records.count == 5001 - drops)
    #expect(records.last?.drops == UInt32(drops))
  }

  /// Appends more than the pipe, the writer and the file's memory hold, then one more record when
  /// the pipe is empty.
  private static func write(
    _ packet: BtsnoopRecord, to path: String, emptiedBy reader: Int32
  ) async throws -> (bytes: [UInt8], drops: Int) {
    let file = try CaptureFile(path: path, datalink: .uart, limit: 1 << 20)
    for _ in 0..<5000 { file.append(packet) }
    let pipe = Pipe(descriptor: reader)
    let reading = Task { await pipe.empty() }
    defer { reading.cancel() }
    let error = try #require(await file.finish())
    guard case .dropped(let drops) = error.reason else { throw error }
    #expect(
      error.description == "the capture \(path) lacks \(drops) packets: the disk was too slow")
    file.append(packet)
    #expect(await file.finish() == error)
    let bytes = await pipe.bytes(16 + (5001 - drops) * (24 + 1024))
    // A wait that outlived the descriptor would end the watch of the next one with its number.
    reading.cancel()
    await reading.value
    return (bytes, drops)
  }

  @Test func `a monitor packet keeps its opcode and controller`() throws {
    let time = BtsnoopTime(microsecondsSince1970: 1)
    let record = try MonitorChannel.record(
      [0x03, 0x00, 0x01, 0x00, 0x02, 0x00, 0x0E, 0x00], time: time)
    #expect(
      record
        == BtsnoopRecord(monitor: .event, controller: 1, packet: [0x0E, 0x00], time: time))
  }

  @Test(
    arguments: [
      [], [0x03], [0x03, 0x00, 0x01, 0x00, 0x02, 0x00, 0x0E],
      [0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x0E],
    ] as [Bytes])
  func `a malformed monitor packet is an error`(bytes: Bytes) {
    #expect(throws: MalformedBytes.self) { try MonitorChannel.record(bytes) }
  }

  private static func newPath() throws -> String {
    var template = Array("/tmp/earshot-capture-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    try #require(file >= 0)
    close(file)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func bytes(in path: String) throws -> Bytes {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }

  private static func packets(
    in path: String
  ) throws -> [(isReceived: Bool, packet: HCIPacket)] {
    var capture = try BtsnoopFile(bytes(in: path))
    #expect(capture.header.datalink == .uart)
    var packets: [(isReceived: Bool, packet: HCIPacket)] = []
    while let record = try capture.next() {
      packets.append((record.isReceived, try HCIPacket(decoding: record.data)))
    }
    return packets
  }
}

/// A radio that connects one given bearer.
private struct OneLink: Radio {
  let bearer: SocketBearer

  init(_ bearer: SocketBearer) { self.bearer = bearer }

  func adapters() -> [Adapter] { [] }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream { $0.finish() }
  }

  func connect(to peer: PeerAddress, timeout: Duration) -> any Bearer { bearer }

  func connect(to address: BluetoothAddress, psm: UInt16, timeout: Duration) -> any Bearer {
    bearer
  }

  func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) -> (any Bearer)? { bearer }

  static let identity = PeerAddress(BluetoothAddress(value: 7), .public)

  func identity(of peer: PeerAddress) -> PeerAddress { Self.identity }

  func setPower(_ isOn: Bool) {}

  func connectAudio(_ address: BluetoothAddress) throws(AudioLinkError) { throw .busy }
}

/// A reader of a pipe that needs no waiting thread.
private actor Pipe {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var awaited: (count: Int, continuation: CheckedContinuation<[UInt8], Never>)?

  init(descriptor: Int32) { self.descriptor = descriptor }

  func empty() async {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while (try? await PollLoop.shared.readable(descriptor)) != nil {
      while case let count = read(descriptor, &room, room.count), count > 0 {
        bytes += room[..<count]
      }
      guard let awaited, bytes.count >= awaited.count else { continue }
      awaited.continuation.resume(returning: bytes)
      self.awaited = nil
    }
  }

  /// Returns everything that was read once there are `count` bytes.
  func bytes(_ count: Int) async -> [UInt8] {
    guard bytes.count < count else { return bytes }
    return await withCheckedContinuation { awaited = (count, $0) }
  }
}

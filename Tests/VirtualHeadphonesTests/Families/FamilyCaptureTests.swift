import BluetoothCodec
import BluetoothKernel
import BluetoothRadio
import Diagnostics
import EventLoop
import Glibc
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// The content of `--capture` for headphones with controls on the BR/EDR side, without the kernel's
/// monitor.
@Suite struct FamilyCaptureTests {
  private static let models = VirtualModel.families.filter { model in
    switch model.family {
    case .serial, .airPods: true
    default: false
    }
  }

  /// A recorder of a channel's PDUs by direction.
  private final class Recorder: BearerObserver {
    let pieces = Mutex<[Bool: [UInt8]]>([:])

    func sent(_ pdu: Bytes) { pieces.withLock { $0[false, default: []] += pdu } }
    func received(_ pdu: Bytes) { pieces.withLock { $0[true, default: []] += pdu } }
  }

  /// A radio whose BR/EDR channels are recorded beneath the capture.
  private struct RecordingRadio: ForwardingRadio {
    let base: any Radio
    let recorder: Recorder

    func connect(
      to address: BluetoothAddress, psm: UInt16, timeout: Duration
    ) async throws(RadioError) -> any Bearer {
      ObservedBearer(
        try await base.connect(to: address, psm: psm, timeout: timeout), by: recorder)
    }

    func connect(
      to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
    ) async throws(RadioError) -> (any Bearer)? {
      try await base.connect(
        to: address, service: service, channel: channel, timeout: timeout
      ).map { ObservedBearer($0, by: recorder) }
    }
  }

  @Test(arguments: models)
  func `a capture has all frames in order, and leads to the family`(
    _ model: VirtualModel
  ) async throws {
    let path = try Self.newPath()
    defer { unlink(path) }
    let (recorder, clock) = (Recorder(), ManualClock())
    let headphone = VirtualHeadphone(model.timed(by: clock), loop: .shared, clock: ManualClock())
    let radio = try CapturedRadio(
      RecordingRadio(
        base: VirtualRadio(headphones: [headphone], clock: ManualClock()), recorder: recorder),
      to: path)
    let address = try #require(model.audioAddress)
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: clock)
    let (emitter, events) = EventEmitter.makeEvents()
    let driver = try #require(
      HeadphoneFamily.driver(on: bearer, clock: clock, emitter: emitter))
    _ = try await driver.start()
    bearer.close(.user)
    for await _ in events {}
    #expect(await radio.finish() == nil)

    let traffic = try Self.traffic(in: path)
    let channel = try #require(traffic.channels.first)
    #expect(traffic.channels.count == 1)
    #expect(traffic.links.map(\.peer) == [PeerAddress(address, .classic)])
    let passed = recorder.pieces.withLock { $0 }
    for isReceived in [false, true] {
      let captured = channel.messages.filter { $0.isReceived == isReceived }.flatMap(\.bytes)
      #expect(captured == passed[isReceived] && !captured.isEmpty)
    }
    switch bearer.channel {
    case .serial(let service, vendor: _):
      guard case .serial = channel.kind else {
        Issue.record("\(channel.kind)")
        return
      }
      #expect(channel.service == nil || channel.service == service)
    default: #expect(channel.kind == .packets(psm: AACPPacket.psm))
    }
    let framing = try #require(CaptureFindings(in: traffic).channels.first?.framings.first)
    #expect(framing.name != nil && framing.values > 0, "\(framing)")

    let redacted = try Self.traffic(in: path, filter: CaptureRedaction().filter)
    let other = try #require(CaptureFindings(in: redacted).channels.first?.framings.first)
    #expect(other.name == framing.name && other.frames == framing.frames, "\(other)")
    // Without the serial number some models are not known.
    #expect(other.values > 0)
  }

  private static func newPath() throws -> String {
    var template = Array("/tmp/earshot-capture-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    try #require(file >= 0)
    close(file)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the traffic in a file; `filter` changes each record.
  private static func traffic(
    in path: String,
    filter: (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord = { record, _ in record }
  ) throws -> CapturedTraffic {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = read(file, &bytes, bytes.count)
    var capture = try BtsnoopFile(bytes.prefix(max(0, count)))
    var traffic = CapturedTraffic()
    while let record = try capture.next() {
      let datalink = capture.header.datalink
      traffic.receive(filter(record, datalink), of: datalink)
    }
    return traffic
  }
}

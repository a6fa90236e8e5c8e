import BluetoothCodec
import GATT
import Glibc
import Testing

@testable import BluetoothLinux

@Suite struct LinkNewsTests {
  private let timing = LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 42)
  private let quick = LEConnectionTiming(interval: 12, latency: 0, supervisionTimeout: 400)

  private func made(_ connection: UInt16, _ status: HCIStatus = .success) -> HCIEvent {
    .le(
      .connectionComplete(
        LEConnection(
          status: status, connection: connection, isPeripheral: false,
          peerType: PeerAddressType(rawValue: 1), peer: BluetoothAddress(value: 5),
          timing: timing, centralClockAccuracy: 0)))
  }

  private func news(_ events: HCIEvent...) -> LinkEventState {
    var news = LinkEventState()
    news.connection = 0x40
    for event in events { news.receive(event) }
    return news
  }

  @Test func `the timing is that of the connection, then that of its last update`() {
    #expect(news(made(0x40)).timing == timing)
    let updated = HCIEvent.le(
      .connectionUpdateComplete(.success, connection: 0x40, quick))
    #expect(news(made(0x40), updated).timing == quick)
  }

  @Test func `another link's events, and failures, change nothing`() {
    let failed = HCIEvent.le(
      .connectionUpdateComplete(.unknownConnection, connection: 0x40, quick))
    let other = HCIEvent.le(.connectionUpdateComplete(.success, connection: 0x41, quick))
    #expect(news(made(0x41)).timing == nil)
    #expect(news(made(0x40, .unknownConnection)).timing == nil)
    #expect(news(made(0x40), failed, other).timing == timing)
  }

  private let end = HCIEvent.disconnectionComplete(
    .success, connection: 0x40, reason: .remoteUserTerminated)

  private func received(before: [HCIEvent], after: [HCIEvent]) -> LinkEventState {
    var news = LinkEventState(connection: 0x40)
    for event in before { news.receive(event) }
    news.begin()
    for event in after { news.receive(event) }
    return news
  }

  @Test func `an end that failed is none`() {
    let failed = HCIEvent.disconnectionComplete(
      .commandDisallowed, connection: 0x40, reason: .localHostTerminated)
    #expect(received(before: [made(0x40)], after: [failed]).ended == nil)
  }

  @Test func `the end of an earlier link with the same handle is not this one's`() {
    let news = received(before: [made(0x40, .success), end, made(0x40)], after: [])
    #expect(news.ended == nil && news.timing == timing)
    #expect(received(before: [end], after: []).ended == nil, "nor for who hears of ends only")
    #expect(received(before: [made(0x40), end], after: []).ended == .remoteUserTerminated)
    #expect(received(before: [], after: [end]).ended == .remoteUserTerminated)
  }

  @Test func `a later link with the same handle takes nothing back`() {
    let later = HCIEvent.disconnectionComplete(
      .success, connection: 0x40, reason: .connectionTimeout)
    let news = received(before: [made(0x40)], after: [end, made(0x40), later])
    #expect(news.ended == .remoteUserTerminated)
  }

  @Test func `PHYs are those that were read, then those of the last change`() {
    let read = HCIEvent.commandComplete(
      credits: 1, .leReadPHY, .phy(connection: 0x40, transmit: .le1M, receive: .le1M))
    #expect(news(read).phys == .init(transmit: .le1M, receive: .le1M))
    let changed = HCIEvent.le(
      .phyUpdateComplete(.success, connection: 0x40, transmit: .le2M, receive: .le2M))
    #expect(news(read, changed).phys == .init(transmit: .le2M, receive: .le2M))
  }

  /// The filter runs in the kernel, which has it on any socket.
  @Test func `events of links pass the kernel's filter, advertisements do not`() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try LinkEventState.packets.attach(to: ends[1], during: "test")
    let passing: [[UInt8]] = [
      [0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13], [0x04, 0x08, 0x04, 0x06, 0x40, 0x00, 0x00],
      [0x04, 0x3E, 0x13, 0x01, 0x00], [0x04, 0x3E, 0x0A, 0x03, 0x00], [0x04, 0x3E, 0x1F, 0x0A],
      [0x04, 0x3E, 0x06, 0x0C, 0x00], [0x04, 0x0E, 0x07, 0x01, 0x05, 0x14, 0x00, 0x40],
      [0x04, 0x0E, 0x08, 0x01, 0x30, 0x20, 0x00], [0x04, 0x0F, 0x04, 0x00, 0x01, 0x13, 0x20],
    ]
    let held: [[UInt8]] = [
      [0x04, 0x3E, 0x2B, 0x02, 0x01], [0x04, 0x3E, 0x2B, 0x0D, 0x01], [0x04, 0x13, 0x05, 0x01],
      [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], [0x04, 0x0F, 0x04, 0x00, 0x01, 0x0D, 0x20],
      [0x04, 0x3E], [0x04], [],
    ]
    for packet in held + passing { send(ends[0], packet, packet.count, 0) }
    var received: [[UInt8]] = []
    var room = [UInt8](repeating: 0, count: 64)
    while case let count = recv(ends[1], &room, room.count, Int32(MSG_DONTWAIT)),
      count >= 0
    {
      received.append(Array(room[..<count]))
    }
    #expect(received == passing)
  }
}

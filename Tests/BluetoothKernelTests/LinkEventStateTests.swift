import BluetoothAttributes
import BluetoothCodec
import Glibc
import Testing

@testable import BluetoothKernel

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

  @Test func `packets are 27 bytes long until a change is reported`() {
    func change(_ connection: UInt16, to octets: UInt16) -> HCIEvent {
      .le(
        .dataLengthChange(
          connection: connection,
          LEDataLength(
            transmitOctets: octets, transmitTime: 2120, receiveOctets: 27, receiveTime: 328)))
    }
    #expect(news().packetLength == nil, "the connection was not seen")
    #expect(news(made(0x40)).packetLength == 27)
    #expect(news(made(0x40), change(0x40, to: 251)).packetLength == 251)
    #expect(news(made(0x40), change(0x41, to: 251)).packetLength == 27)
    #expect(news(change(0x40, to: 0)).packetLength == 27)
  }

  /// Events of the link 0x0040.
  private static let events: [[UInt8]] = [
    [0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13], [0x04, 0x08, 0x04, 0x06, 0x40, 0x00, 0x00],
    [0x04, 0x3E, 0x0A, 0x03, 0x00, 0x40, 0x00], [0x04, 0x3E, 0x06, 0x0C, 0x00, 0x40, 0x00],
    [0x04, 0x3E, 0x0B, 0x07, 0x40, 0x00, 0xFB],
    [0x04, 0x0E, 0x07, 0x01, 0x05, 0x14, 0x00, 0x40, 0x00],
    [0x04, 0x0E, 0x08, 0x01, 0x30, 0x20, 0x00, 0x40, 0x00],
    [0x04, 0x0F, 0x04, 0x00, 0x01, 0x13, 0x20],
  ]

  private static let held: [[UInt8]] = [
    [0x04, 0x3E, 0x2B, 0x02, 0x01], [0x04, 0x3E, 0x2B, 0x0D, 0x01], [0x04, 0x13, 0x05, 0x01],
    [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], [0x04, 0x0F, 0x04, 0x00, 0x01, 0x0D, 0x20],
    [0x04, 0x3E], [0x04], [],
  ]

  @Test func `events of links pass the kernel's filter, advertisements do not`() throws {
    let passing = Self.events + [[0x04, 0x3E, 0x13, 0x01, 0x00], [0x04, 0x3E, 0x1F, 0x0A]]
    #expect(try LinkEventState.packets().passing(Self.held + passing) == passing)
  }

  @Test func `once the link is known other links' events do not pass`() throws {
    // The same events, of the link 0x0041 and of 0x0140.
    let others = [(UInt8(0x41), UInt8(0)), (0x40, 1)].flatMap { low, high in
      Self.events.dropLast().map { event -> [UInt8] in
        guard let place = event.lastIndex(of: 0x40) else { return event }
        var other = event
        (other[place], other[place + 1]) = (low, high)
        return other
      }
    }
    let packets = Self.held + others + [[0x04, 0x3E, 0x13, 0x01, 0x00]] + Self.events
    #expect(try LinkEventState.packets(of: 0x40).passing(packets) == Self.events)
  }

  /// More events of other links than any socket's buffer holds.
  @Test func `a link that is idle for days still learns why it ended`() throws {
    let other: [UInt8] = [0x04, 0x05, 0x04, 0x00, 0x41, 0x00, 0x13]
    let days = [[UInt8]](repeating: other, count: 10_000)
    let end = Self.events[0]
    #expect(try LinkEventState.packets(of: 0x40).passing(days + [end]) == [end])
    #expect(try LinkEventState.packets().passing(days + [end]).last == other)
  }
}

import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct LinkTableTests {
  private static let bud = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)
  private let listed = RadioLink(
    kind: .acl, address: bud, state: .connected, handle: 1, isEncrypted: true)

  private func began(_ kind: ClassicLink.Kind, _ connection: UInt16) -> HCIEvent {
    let link = ClassicLink(connection: connection, peer: Self.bud, kind: kind)
    guard kind != .acl else {
      return .connectionComplete(.success, link, isEncrypted: false)
    }
    return .synchronousConnectionComplete(
      .success, link,
      SynchronousTiming(
        interval: 12, retransmissionWindow: 2, receiveLength: 60, transmitLength: 60, airMode: 2))
  }

  private let ended = [1, 0x0101].map {
    HCIEvent.disconnectionComplete(.success, connection: $0, reason: .success)
  }

  /// Returns for each event whether it changed something, and the kinds of the links after it.
  private func receive(
    _ events: [HCIEvent], after listed: [RadioLink]
  ) -> [(isChange: Bool, kinds: [RadioLink.Kind])] {
    var table = ConnectionTable(listed)
    return events.map { (table.receive($0), table.links.map(\.kind)) }
  }

  @Test func `a call begins and ends on a link that is up`() {
    let reported = receive([began(.acl, 1), began(.eSCO, 0x0101), ended[1], ended[0]], after: [])
    #expect(reported.map(\.isChange) == [true, true, true, true])
    #expect(reported.map(\.kinds) == [[.acl], [.acl, .eSCO], [.acl], []])
  }

  @Test func `an event of a link that is listed already changes nothing`() {
    let reported = receive([began(.acl, 1)], after: [listed])
    #expect(reported.map(\.isChange) == [false])
    #expect(reported.map(\.kinds) == [[.acl]])
  }

  @Test func `what fails or is unknown changes nothing`() {
    let link = ClassicLink(connection: 2, peer: Self.bud, kind: .acl)
    let reported = receive(
      [
        .connectionComplete(.connectionTimeout, link, isEncrypted: false),
        .disconnectionComplete(.unknownConnection, connection: 1, reason: .success),
        .disconnectionComplete(.success, connection: 9, reason: .success),
        .other(code: 0x10, []),
      ], after: [listed])
    #expect(reported.map(\.isChange) == [false, false, false, false])
    #expect(reported.map(\.kinds) == [[.acl], [.acl], [.acl], [.acl]])
  }

  @Test func `a link that is being made is none yet`() {
    var coming = listed
    coming.state = .connecting
    #expect(ConnectionTable([coming]).links.isEmpty)
  }

  /// A handle is reused after its link has ended.
  @Test func `a new link takes the place of an old one with its handle`() {
    var le = listed
    le.kind = .le
    #expect(receive([began(.acl, 1)], after: [le]).map(\.kinds) == [[.acl]])
  }
}

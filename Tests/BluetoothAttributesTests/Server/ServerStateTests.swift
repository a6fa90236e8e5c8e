import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

/// The state that a server keeps between PDUs.
@Suite struct ServerStateTests {
  @Test func `a write is stored and reported`() {
    var server = ServerExample.server()
    #expect(server.receive([0x12, 0x17, 0, 2]) == [.send([0x13]), .wrote(handle: 0x17, [2])])
    #expect(server.table.value(at: 0x17) == [2])
  }

  @Test func `a command is carried out silently only where it may`() {
    var server = ServerExample.server()
    #expect(server.receive([0x52, 0x19, 0, 0xA5]) == [])
    server.security = .medium
    #expect(server.receive([0x52, 0x19, 0, 0xA5]) == [.wrote(handle: 0x19, [0xA5])])
    #expect(server.receive([0x52, 0x17, 0, 1]) == [])
  }

  @Test func `a refusal is answered whatever is written`() {
    var server = ServerExample.server()
    server.refusals[0x17] = .writeRequestRejected
    #expect(server.response(to: [0x12, 0x17, 0, 1]) == [0x01, 0x12, 0x17, 0, 0xFC])
    #expect(server.table.value(at: 0x17) == [0])
  }

  @Test func `a long write is one write`() {
    var server = ServerExample.server()
    let name = Array("A name that is much longer than 23".utf8)
    #expect(server.response(to: [0x16, 0x1E, 0, 0, 0] + name.prefix(18)).first == 0x17)
    #expect(server.response(to: [0x16, 0x1E, 0, 18, 0] + name.dropFirst(18)).first == 0x17)
    #expect(server.receive([0x18, 1]) == [.send([0x19]), .wrote(handle: 0x1E, name[...])])
    #expect(server.table.value(at: 0x1E) == name)
  }

  @Test func `a cancelled long write writes nothing`() {
    var server = ServerExample.server()
    _ = server.receive([0x16, 0x17, 0, 0, 0, 3])
    #expect(server.receive([0x18, 0]) == [.send([0x19])])
    #expect(server.receive([0x18, 1]) == [.send([0x19])])
    #expect(server.table.value(at: 0x17) == [0])
  }

  @Test func `a long write with a gap or too long fails as a whole`() {
    var server = ServerExample.server()
    _ = server.receive([0x16, 0x17, 0, 0, 0, 3])
    _ = server.receive([0x16, 0x1E, 0, 60, 0, 0x41])
    #expect(server.response(to: [0x18, 1]) == [0x01, 0x18, 0x1E, 0, 0x07])
    _ = server.receive([0x16, 0x17, 0, 0, 0, 3])
    _ = server.receive([0x16, 0x17, 0, 1, 0, 3])
    #expect(server.response(to: [0x18, 1]) == [0x01, 0x18, 0x17, 0, 0x0D])
    #expect(server.table.value(at: 0x17) == [0])
  }

  @Test func `the queue of prepared parts has an end`() {
    var server = ServerExample.server(.init(queueLimit: 2))
    for _ in 0..<2 { #expect(server.response(to: [0x16, 0x17, 0, 0, 0, 3]).first == 0x17) }
    #expect(server.response(to: [0x16, 0x17, 0, 0, 0, 3]) == [0x01, 0x16, 0x17, 0, 0x09])
  }

  @Test func `nothing is pushed that nobody asked for`() {
    var server = ServerExample.encrypted()
    #expect(server.push([3, 1], of: 0x1B) == [])
    #expect(
      server.receive([0x12, 0x1C, 0, 1, 0]) == [
        .send([0x13]), .configured(handle: 0x1B, .notifications),
      ])
    #expect(server.push([3, 1], of: 0x1B) == [.send([0x1B, 0x1B, 0, 3, 1])])
    #expect(server.response(to: [0x0A, 0x1C, 0]) == [0x0B, 1, 0])
  }

  @Test func `indications wait for their confirmation`() {
    var server = ServerExample.encrypted()
    _ = server.receive([0x12, 0x1C, 0, 2, 0])
    #expect(server.push([3, 1], of: 0x1B) == [.send([0x1D, 0x1B, 0, 3, 1])])
    #expect(server.push([3, 2], of: 0x1B) == [])
    #expect(server.receive([0x1E]) == [.confirmed, .send([0x1D, 0x1B, 0, 3, 2])])
    #expect(server.receive([0x1E]) == [.confirmed])
    #expect(server.receive([0x1E]) == [])
  }

  @Test func `several changes are one PDU for a client that understands it`() {
    var server = ServerExample.encrypted()
    _ = server.receive([0x12, 0x13, 0, 1, 0])
    _ = server.receive([0x12, 0x1C, 0, 1, 0])
    let changes: [(handle: UInt16, value: [UInt8])] = [(0x12, [79]), (0x1B, [3, 1])]
    #expect(server.change(changes).count == 2)
    #expect(server.response(to: [0x12, 0x06, 0, 0b101]) == [0x13])
    #expect(
      server.change(changes) == [.send([0x23, 0x12, 0, 1, 0, 79, 0x1B, 0, 2, 0, 3, 1])])
    #expect(server.response(to: [0x0A, 0x12, 0]) == [0x0B, 79])
  }

  @Test func `what a client configured lasts as long as the bond`() {
    var server = ServerExample.encrypted()
    server.isBonded = true
    _ = server.receive([0x12, 0x1C, 0, 1, 0])
    server.disconnect()
    #expect(server.isConfigured(0x1B))
    server.isBonded = false
    server.disconnect()
    #expect(!server.isConfigured(0x1B))
  }

  @Test func `a feature of the client cannot be taken back`() {
    var server = ServerExample.server()
    #expect(server.response(to: [0x12, 0x06, 0, 1]) == [0x13])
    #expect(server.response(to: [0x12, 0x06, 0, 0]) == [0x01, 0x12, 0x06, 0, 0x13])
    #expect(server.response(to: [0x0A, 0x06, 0]) == [0x0B, 1])
  }

  @Test func `a new table is reported and an unaware client is answered out of sync once`() {
    var server = ServerExample.server()
    _ = server.receive([0x12, 0x06, 0, 1])
    _ = server.receive([0x12, 0x04, 0, 2, 0])
    let old = server.table.hash
    let effects = server.replaceTable(Array(ServerExample.services.dropLast()))
    #expect(effects == [.send([0x1D, 0x03, 0, 1, 0, 0xFF, 0xFF])])
    #expect(server.table.hash != old)
    #expect(server.response(to: [0x0A, 0x12, 0]) == [0x01, 0x0A, 0, 0, 0x12])
    #expect(server.response(to: [0x0A, 0x12, 0]) == [0x0B, 80])
  }

  @Test func `reading the hash makes a client aware`() {
    var server = ServerExample.server()
    _ = server.receive([0x02, 0x05, 0x02])
    _ = server.receive([0x12, 0x06, 0, 1])
    #expect(server.replaceTable(Array(ServerExample.services.dropLast())) == [])
    let response = server.response(to: [0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B])
    #expect(response == [0x09, 18, 8, 0] + server.table.hash)
    #expect(server.response(to: [0x0A, 0x12, 0]) == [0x0B, 80])
  }

  @Test func `confirming service changed makes a client aware`() {
    var server = ServerExample.server()
    _ = server.receive([0x12, 0x06, 0, 1])
    _ = server.receive([0x12, 0x04, 0, 2, 0])
    _ = server.replaceTable(ServerExample.services)
    #expect(server.receive([0x1E]) == [.confirmed])
    #expect(server.response(to: [0x0A, 0x12, 0]) == [0x0B, 80])
  }
}

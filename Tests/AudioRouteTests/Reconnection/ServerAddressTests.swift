import Testing

@testable import AudioRoute

@Suite struct ServerAddressTests {
  private static let systemWide = "/var/run/pulse/native"

  @Test(arguments: [
    ("unix:/tmp/x/native", ["/tmp/x/native"], true),
    ("/tmp/x/native", ["/tmp/x/native"], true),
    ("{3d1219c7}unix:/tmp/x/native", ["/tmp/x/native"], true),
    ("tcp:studio.local:4713", [], false),
    ("studio.local", [], false),
    ("unix:/tmp/a unix:/tmp/b", ["/tmp/a", "/tmp/b"], true),
    ("unix:/tmp/a tcp4:127.0.0.1", ["/tmp/a"], false),
    ("{unterminated", [], false),
    ("unix:", [], false),
  ])
  func `a server that is given is the only candidate`(
    server: String, sockets: [String], isLocal: Bool
  ) {
    let given = ServerAddress(server: server) { _ in nil }
    #expect(given.sockets == sockets)
    #expect(given.isLocal == isLocal)
    #expect(given.runtimeDirectory == nil)
    #expect(given == ServerAddress(server: nil) { $0 == "PULSE_SERVER" ? server : nil })
  }

  @Test func `the runtime directory holds the user's server`() {
    let address = ServerAddress(server: nil) { $0 == "XDG_RUNTIME_DIR" ? "/run/user/7" : nil }
    #expect(address.sockets == ["/run/user/7/pulse/native", Self.systemWide])
    #expect(address.isLocal)
    #expect(address.runtimeDirectory == "/run/user/7")
  }

  @Test func `PulseAudio's own variable comes first`() {
    let variables = ["PULSE_RUNTIME_PATH": "/tmp/p", "XDG_RUNTIME_DIR": "/run/user/7"]
    let address = ServerAddress(server: nil) { variables[$0] }
    #expect(address.sockets == ["/tmp/p/native", Self.systemWide])
    #expect(address.runtimeDirectory == nil)
  }

  @Test(arguments: ["", nil])
  func `without a directory there may be others`(value: String?) {
    let address = ServerAddress(server: nil) { _ in value }
    #expect(address.sockets == [Self.systemWide])
    #expect(!address.isLocal)
  }
}

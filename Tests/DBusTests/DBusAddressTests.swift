import Testing

@testable import DBus

@Suite struct DBusAddressTests {
  private func address(_ variables: [String: String]) -> String? {
    DBusAddress.session { variables[$0] }?.text
  }

  @Test func `the environment names the bus`() {
    #expect(
      address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/b,guid=1", "XDG_RUNTIME_DIR": "/r"])
        == "unix:path=/b,guid=1")
    #expect(address(["XDG_RUNTIME_DIR": "/run/user/1000"]) == "unix:path=/run/user/1000/bus")
    #expect(address(["XDG_RUNTIME_DIR": "/a b;c"]) == "unix:path=/a%20b%3bc/bus")
    #expect(address([:]) == nil)
  }

  /// Such an address would start a program with Earshot's file capabilities.
  @Test(arguments: ["unixexec:path=/bin/sh", "autolaunch:", "tcp:host=a", "x", ";"])
  func `only sockets are a bus`(address: String) {
    #expect(DBusAddress(address) == nil)
  }

  @Test func `one bad address among good ones is none`() {
    #expect(DBusAddress("unix:path=/b;unixexec:path=/bin/sh") == nil)
  }
}

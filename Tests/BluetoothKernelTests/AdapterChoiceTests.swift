import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Glibc
import Testing

@testable import BluetoothKernel

@Suite struct AdapterChoiceTests {
  private let off = AdapterInfo(
    index: 0, name: "hci0", address: BluetoothAddress(value: 1), isPowered: false)
  private let on = AdapterInfo(
    index: 1, name: "hci1", address: BluetoothAddress(value: 2), isPowered: true)

  @Test func `the first that is on is taken`() throws {
    let chosen = try Switchboard([]).with { try choice($0).choose(among: [off, on]) }
    #expect(chosen == on)
  }

  @Test func `the named one is taken though another is on`() {
    #expect(throws: RadioError.poweredOff(adapter: "hci0")) {
      try Switchboard([]).with { try choice($0, "hci0").choose(among: [off, on]) }
    }
  }

  @Test func `an unknown name is said so`() {
    #expect(throws: RadioError.unknownAdapter("hci9")) {
      try Switchboard([]).with { try choice($0, "hci9").choose(among: [on]) }
    }
  }

  @Test func `the default adapter is that whether it is named or not`() {
    #expect(AdapterChoice.isDefault("hci1", among: [off, on]))
    #expect(!AdapterChoice.isDefault("hci0", among: [off, on]))
    #expect(AdapterChoice.isDefault("hci0", among: [off]))
    #expect(!AdapterChoice.isDefault("hci9", among: [on]))
    #expect(!AdapterChoice.isDefault("hci0", among: []))
  }

  @Test func `no adapter at all is said so`() {
    #expect(throws: RadioError.noAdapter) {
      try Switchboard([]).with { try choice($0).choose(among: []) }
    }
  }

  @Test func `an adapter that a switch took away is blocked`() {
    #expect(throws: RadioError.blocked(adapter: "hci0")) {
      try Switchboard([.init(name: "tpacpi_bluetooth_sw", soft: true)]).with {
        try choice($0).choose(among: [])
      }
    }
  }

  @Test(arguments: [
    (Switchboard.Switch(name: "hci0", soft: true), RadioError.blocked(adapter: "hci0")),
    (.init(name: "hci0", hard: true), .blocked(adapter: "hci0")),
    (.init(name: "hci0"), .poweredOff(adapter: "hci0")),
    (.init(name: "hci1", soft: true), .poweredOff(adapter: "hci0")),
    (.init(name: "hci0", type: "wlan", soft: true), .poweredOff(adapter: "hci0")),
  ])
  func `an adapter that is off may be blocked`(entry: Switchboard.Switch, error: RadioError) {
    #expect(throws: error) {
      try Switchboard([entry]).with { try choice($0).choose(among: [off]) }
    }
  }

  private func choice(_ directory: String, _ name: String? = nil) -> AdapterChoice {
    AdapterChoice(name: name, switches: RfkillState(directory: directory))
  }
}

/// A directory of rfkill switches in the form of /sys/class/rfkill.
struct Switchboard {
  struct Switch {
    var name: String
    var type = "bluetooth"
    var soft = false
    var hard = false
  }

  var switches: [Switch]

  init(_ switches: [Switch]) { self.switches = switches }

  /// Creates the directory, runs `body` with its path, and removes the directory.
  func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    var template = Array("/tmp/earshot-switches-XXXXXX".utf8CString)
    let root = try #require(mkdtemp(&template).map { String(cString: $0) })
    for (index, entry) in switches.enumerated() {
      let directory = "\(root)/rfkill\(index)"
      mkdir(directory, 0o700)
      write(entry.name, to: "\(directory)/name")
      write(entry.type, to: "\(directory)/type")
      write(entry.soft ? "1" : "0", to: "\(directory)/soft")
      write(entry.hard ? "1" : "0", to: "\(directory)/hard")
    }
    defer { remove(root) }
    return try body(root)
  }

  private func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text + "\n", file)
    fclose(file)
  }

  private func remove(_ root: String) {
    for index in switches.indices {
      for file in ["name", "type", "soft", "hard"] { unlink("\(root)/rfkill\(index)/\(file)") }
      rmdir("\(root)/rfkill\(index)")
    }
    rmdir(root)
  }
}

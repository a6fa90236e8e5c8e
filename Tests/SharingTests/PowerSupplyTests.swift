import Persistence
import TestSupport
import Testing

@testable import Sharing

@Suite struct `The power supply` {
  private func isOnBattery(_ supplies: [String: [String: String]]) throws -> Bool {
    let temporary = TemporaryFolder()
    for (name, attributes) in supplies {
      for (attribute, value) in attributes {
        try PrivateFile(path: "\(temporary.path)/\(name)/\(attribute)")
          .replace(with: Array("\(value)\n".utf8))
      }
    }
    return PowerSupply(folder: temporary.path).isOnBattery()
  }

  @Test func `is a battery while that discharges`() throws {
    let mains = ["type": "Mains", "online": "0"]
    #expect(
      try isOnBattery([
        "AC": mains, "BAT0": ["type": "Battery", "scope": "System", "status": "Discharging"],
      ]))
    #expect(try isOnBattery(["BAT0": ["type": "Battery", "status": "Discharging"]]))
    #expect(try !isOnBattery(["AC": mains, "BAT0": ["type": "Battery", "status": "Charging"]]))
  }

  @Test func `is none of another device's, and none where there is nothing`() throws {
    #expect(
      try !isOnBattery([
        "hidpp_battery_0": ["type": "Battery", "scope": "Device", "status": "Discharging"]
      ]))
    #expect(try !isOnBattery([:]))
    #expect(!PowerSupply(folder: "/nonexistent").isOnBattery())
  }
}

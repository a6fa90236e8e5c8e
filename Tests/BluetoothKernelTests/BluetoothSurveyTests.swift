import BluetoothAttributes
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct BluetoothSurveyTests {
  @Test func `switches are reported by name with what blocks them`() throws {
    let entries: [Switchboard.Switch] = [
      .init(name: "tpacpi_bluetooth_sw", hard: true), .init(name: "phy0", type: "wlan", soft: true),
      .init(name: "hci0", soft: true),
    ]
    let switches = try Switchboard(entries).with { RfkillState(directory: $0).all() }
    let expected = [
      RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false),
      RfkillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: false, isHardBlocked: true),
    ]
    #expect(switches == expected)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFF, 0x8F, 0xFE, 0xDB, 0xFF, 0x5B, 0x87], true),
      // The same controller with only this bit of octet 4 cleared.
      ([0xFF, 0xFF, 0x8F, 0xFE, 0x9B, 0xFF, 0x5B, 0x87], false),
      ([0, 0, 0, 0, 0, 0, 0, 0], nil),
      ([], nil),
    ] as [([UInt8], Bool?)])
  func `low energy is bit 38 of the features`(features: [UInt8], isLowEnergy: Bool?) {
    #expect(AdapterInfo.hasLowEnergy(features: features) == isLowEnergy)
  }

  @Test func `a survey agrees with the radio`() {
    let survey = BluetoothSurvey(adapter: nil)
    switch Result(catching: { () throws(RadioError) in try LinuxRadio().adapters() }) {
    case .success(let adapters):
      #expect(survey.kernel == .present)
      #expect(survey.adapters.map(\.name) == adapters.map(\.name))
      #expect(survey.chosen != nil)
    case .failure:
      #expect(survey.adapters.isEmpty)
      #expect(survey.chosen == nil)
    }
  }
}

@Suite struct ProcessRightsTests {
  private func status(effective: String, bounding: String, noNewPrivileges: String = "0") -> String
  {
    "Name:\tearshot\nUid:\t1000\t1000\nCapEff:\t\(effective)\nCapBnd:\t\(bounding)\n"
      + "NoNewPrivs:\t\(noNewPrivileges)\n"
  }

  @Test func `a user's program has none but could have all`() throws {
    let rights = try #require(
      ProcessRights(status: status(effective: "0000000000000000", bounding: "000001ffffffffff")))
    #expect(rights.effective.isEmpty)
    #expect(rights.bounding == [.netRaw, .netAdmin])
    #expect(!rights.hasNoNewPrivileges)
  }

  @Test func `each capability is the bit of its number`() throws {
    let rights = try #require(
      ProcessRights(
        status: status(
          effective: "0000000000002000", bounding: "0000000000001000", noNewPrivileges: "1")))
    #expect(rights.effective == [.netRaw])
    #expect(rights.bounding == [.netAdmin])
    #expect(rights.hasNoNewPrivileges)
  }

  @Test(arguments: ["", "CapEff", "CapEff:\t\n", "CapEff:\t00", "CapEff:\tzz\nCapBnd:\t00\n"])
  func `a status without capabilities tells nothing`(status: String) {
    #expect(ProcessRights(status: status) == nil)
  }

  @Test func `this process knows its own file`() throws {
    let path = try #require(ProcessRights()?.program?.path)
    #expect(path.hasPrefix("/"))
  }
}

@Suite struct RunningProcessTests {
  @Test func `this process runs and a nameless one does not`() throws {
    let name = try #require(KernelFile("/proc/self/comm").firstLine)
    #expect(BluetoothSurvey.runs(name) == true)
    #expect(BluetoothSurvey.runs("no such name") == false)
  }

  @Test func `hidden processes are not taken for absent ones`() {
    #expect(BluetoothSurvey.runs("bluetoothd", in: "/nowhere") == nil)
  }

  @Test(
    arguments: [
      (1, [("ecdh-nist-p256", 2), ("cmac(aes)", 2)], nil),
      (2, [("ecdh-nist-p256", 3), ("cmac(aes)", 3)], nil),
      (2, [("ecdh-nist-p256", 2), ("cmac(aes)", 2)], .unmanaged(count: 1)),
      (1, [("ecdh-nist-p256", 1), ("cmac(aes)", 9)], .unmanaged(count: 1)),
      // Other curves are not those of Bluetooth; Linux before 5.13 has one name for all.
      (1, [("ecdh-nist-p384", 2), ("ecdh-nist-p256", 1), ("cmac(aes)", 1)], .unmanaged(count: 1)),
      (1, [("ecdh", 2), ("cmac(aes)", 2)], nil),
      // Of two implementations one is in use.
      (1, [("ecdh-nist-p256", 1), ("ecdh-nist-p256", 2), ("cmac(aes)", 2)], nil),
      (1, [("ecdh-nist-p256", 1)], .algorithms(["cmac"])),
      (1, [("cmac(aes)", 1)], .algorithms(["ecdh"])),
      (1, [("aes", 5)], .algorithms(["ecdh", "cmac"])),
      (0, [("aes", 5)], nil),
    ] as [(Int, [(String, Int)], BluetoothSurvey.PairingObstacle?)])
  func `the kernel's list of algorithms shows which adapters can pair`(
    adapters: Int, algorithms: [(String, Int)], obstacle: BluetoothSurvey.PairingObstacle?
  ) {
    let list = algorithms.map { name, references in
      "name         : \(name)\ndriver       : x\nrefcnt       : \(references)\ntype : y\n\n"
    }.joined()
    func found(hasModule: Bool) -> BluetoothSurvey.PairingObstacle? {
      BluetoothSurvey.pairingObstacle(
        adapters: adapters, algorithms: list, hasModule: { _ in hasModule })
    }
    #expect(found(hasModule: false) == obstacle)
    // What the kernel can load is not what is missing.
    #expect(found(hasModule: true) == obstacle.map { _ in .unmanaged(count: 1) })
  }

  @Test func `without the kernel's list nothing prevents pairing`() {
    #expect(
      BluetoothSurvey.pairingObstacle(adapters: 1, algorithms: nil) { _ in false } == nil)
  }
}

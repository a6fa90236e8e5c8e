import Bluetooth
import BluetoothLinux
import Companion
import GATT
import Testing

@testable import Diagnostics

@Suite struct AdapterDiagnosisTests {
  @Test func `a healthy machine has nothing to fix, and each check once in its order`() {
    let findings = diagnose(.healthy)
    #expect(findings.map(\.check) == Check.allCases)
    #expect(findings.filter { $0.state != .ok || $0.remedy != nil } == [])
  }

  @Test(
    arguments: [
      (.absent, .problem, "sudo modprobe bluetooth"),
      (
        .elsewhere, .problem,
        "start Earshot outside the container, or the container with --network=host"
      ),
      (
        .unknown(.system(errno: 24, during: "list adapters")), .unknown,
        RadioError.system(errno: 24, during: "").advice
      ),
    ] as [(BluetoothSurvey.Kernel, Finding.State, String)])
  func `without the kernel's Bluetooth nothing is known of adapters`(
    kernel: BluetoothSurvey.Kernel, state: Finding.State, remedy: String
  ) {
    let facts = SystemFacts.healthy.but {
      $0.bluetooth = BluetoothSurvey(
        kernel: kernel, adapters: [], chosen: nil, switches: [], hasDaemon: false)
    }
    #expect(facts.finding(.kernel)?.state == state)
    #expect(facts.finding(.kernel)?.remedy == remedy)
    for check in [Check.adapter, .power, .lowEnergy] {
      #expect(facts.finding(check)?.state == .unknown)
    }
    #expect(
      diagnose(facts).contains { $0.state == .problem && $0.check.isAboutRadio }
        == (state == .problem))
  }

  @Test func `no adapter is a problem, and a switch may be the reason`() {
    var facts = SystemFacts.healthy.but {
      ($0.bluetooth.adapters, $0.bluetooth.chosen) = ([], nil)
      $0.bluetooth.switches = []
    }
    #expect(facts.finding(.adapter)?.state == .problem)
    #expect(facts.finding(.adapter)?.remedy == RadioError.noAdapter.advice)
    facts.bluetooth.switches = [laptopSwitch(isHard: false)]
    #expect(facts.finding(.adapter)?.remedy?.hasPrefix("unblock it first") == true)
    #expect(facts.finding(.rfkill)?.remedy == "rfkill unblock bluetooth")
  }

  @Test func `an adapter that is asked for and not there is reported with those that are`() {
    let facts = SystemFacts.healthy.but {
      $0.wantedAdapter = "hci7"
      $0.bluetooth.chosen = nil
    }
    #expect(facts.finding(.adapter)?.what == "there is no hci7, but hci0")
    #expect(facts.finding(.adapter)?.remedy == RadioError.unknownAdapter("hci7").advice)
  }

  @Test(
    arguments: [
      (RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false), "software"),
      (RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: true), "hardware"),
      (laptopSwitch(isHard: true), "hardware"),
    ])
  func `a switch that blocks is a problem`(entry: RfkillSwitch, by: String) {
    let facts = SystemFacts.healthy.but { $0.bluetooth.switches = [entry] }
    let finding = facts.finding(.rfkill)
    #expect(finding?.state == .problem)
    #expect(finding?.what == "\(entry.name) blocks Bluetooth by \(by)")
    #expect((finding?.remedy == "rfkill unblock bluetooth") == (by == "software"))
    #expect(diagnose(facts).contains { $0.state == .problem && $0.check.isAboutRadio })
  }

  @Test func `the switch of another adapter is of no interest`() {
    let facts = SystemFacts.healthy.but {
      $0.bluetooth.adapters.append(.sample.named("hci1"))
      $0.bluetooth.switches = [
        RfkillSwitch(name: "hci1", isSoftBlocked: true, isHardBlocked: false)
      ]
    }
    #expect(facts.finding(.rfkill)?.state == .ok)
  }

  @Test func `an adapter that is off is switched on by who can`() {
    let off = AdapterInfo.sample.but { $0.isPowered = false }
    var facts = SystemFacts.healthy.but {
      ($0.bluetooth.adapters, $0.bluetooth.chosen) = ([off], off)
    }
    #expect(facts.finding(.power)?.state == .problem)
    #expect(facts.finding(.power)?.remedy == "bluetoothctl power on")
    facts.bluetooth.hasDaemon = false
    #expect(facts.finding(.power)?.remedy == "sudo btmgmt --index hci0 power on")
    facts.bluetooth.switches = [laptopSwitch(isHard: false)]
    #expect(facts.finding(.power)?.remedy == "unblock it first")
  }

  @Test(arguments: [(true, .ok), (false, .problem), (nil, .unknown)] as [(Bool?, Finding.State)])
  func `an adapter without LE is a problem, where it tells`(hasIt: Bool?, state: Finding.State) {
    let facts = SystemFacts.healthy.but { $0.bluetooth.chosen?.hasLowEnergy = hasIt }
    #expect(facts.finding(.lowEnergy)?.state == state)
  }
}

/// A switch of the whole machine.
private func laptopSwitch(isHard: Bool) -> RfkillSwitch {
  RfkillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: !isHard, isHardBlocked: isHard)
}

extension AdapterInfo {
  fileprivate func but(_ change: (inout AdapterInfo) -> Void) -> AdapterInfo {
    var changed = self
    change(&changed)
    return changed
  }

  fileprivate func named(_ name: String) -> AdapterInfo { but { $0.name = name } }
}

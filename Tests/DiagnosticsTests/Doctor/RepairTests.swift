import Companion
import Diagnostics
import Testing

@Suite struct RepairTests {
  @Test(arguments: [
    (Check.rfkill, "rfkill unblock bluetooth", false),
    (.power, "bluetoothctl power on", false),
    (.soundServer, "systemctl --user start pipewire-pulse", false),
    (.stateFolder, "chmod 700 /home/a/.local/state/earshot", false),
    (.kernel, "sudo modprobe bluetooth", true),
    (.netRaw, "sudo setcap cap_net_raw,cap_net_admin+ep /usr/bin/earshot", true),
  ])
  func `a command that fixes is run, and who is root for it is known`(
    check: Check, command: String, needsRoot: Bool
  ) throws {
    let finding = Finding(check, .problem, "it is wrong", remedy: command)
    let repair = try #require(Repair(finding, isRoot: false))
    #expect(repair.command == command && repair.needsRoot == needsRoot)
    // Whoever is root already has every command run by root.
    #expect(Repair(finding, isRoot: true)?.needsRoot == true)
    #expect(Repair(Finding(check, .ok, "it is fine", remedy: command)) == nil)
  }

  @Test(arguments: [
    (Check.kernelRelease, "boot another kernel: sudo apt install linux-image-6.1.0-47-amd64"),
    (.locale, "export LC_ALL=C.UTF-8"), (.adapter, "plug one in"),
    (.rfkill, "use the machine's switch or key for radios, or its firmware's settings"),
    (.netRaw, "out of reach in this container: start it with --cap-add=NET_RAW"),
  ])
  func `displayText, and what is not safe to run, are left to the person`(
    check: Check, remedy: String
  ) {
    #expect(Repair(Finding(check, .problem, "it is wrong", remedy: remedy)) == nil)
  }

  @Test func `a command that fixes two things is run once`() {
    let command = "sudo setcap cap_net_raw,cap_net_admin+ep /usr/bin/earshot"
    let findings = [
      Finding(.netRaw, .problem, "missing", remedy: command),
      Finding(.netAdmin, .warning, "missing", remedy: command),
    ]
    #expect(findings.repairs.map(\.command) == [command])
  }

  @Test(arguments: [("true", 0), ("exit 3", 3), ("kill -TERM $$", 143)])
  func `how a command ended is reported`(command: String, status: Int32) throws {
    let finding = Finding(.stateFolder, .problem, "a", remedy: "chmod 700 /nonexistent; \(command)")
    #expect(try #require(Repair(finding)).run() == status)
  }
}

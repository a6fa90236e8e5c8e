import BluetoothKernel
import Companion
import Testing

@testable import Diagnostics

@Suite struct FixTests {
  @Test func `a command is words for people and arguments for the kernel`() {
    let fix = Fix.commands([
      FixCommand(["install", "/home/a b/earshot", "/usr/local/bin/earshot"], needsRoot: true),
      FixCommand(["setcap", "cap_net_raw,cap_net_admin+ep", "/usr/local/bin/earshot"]),
    ])
    #expect(
      fix.text == "sudo install '/home/a b/earshot' /usr/local/bin/earshot"
        + " && setcap cap_net_raw,cap_net_admin+ep /usr/local/bin/earshot")
    #expect(fix.runsAsRoot(isRoot: false))
  }

  @Test func `root is known before a command is run`() {
    #expect(!Fix.command("chmod", "700", "/a").runsAsRoot(isRoot: false))
    // A process that is root runs every command as root.
    #expect(Fix.command("chmod", "700", "/a").runsAsRoot(isRoot: true))
    #expect(Fix.command("modprobe", "bluetooth", asRoot: true).runsAsRoot(isRoot: false))
  }

  @Test func `advice is never run, however much it looks like a command`() {
    let results = [
      DiagnosticResult(.kernelRelease, .warning, "old", fix: "sudo modprobe bluetooth"),
      DiagnosticResult(.rfkill, .ok, "fine", fix: .command("rfkill", "unblock", "bluetooth")),
      DiagnosticResult(.power, .problem, "off", fix: .command("bluetoothctl", "power", "on")),
    ]
    #expect(results.runnableFixes == [.command("bluetoothctl", "power", "on")])
    #expect(Fix.advice("rm /a").run() == 0)
  }

  @Test func `other kernels, packages and variables of a shell are left to the user`() {
    let facts = SystemFacts.healthy.but {
      $0.kernelRelease = "6.1.0-48-amd64"
      $0.locale = LocaleFacts(name: nil, codeset: nil)
      $0.terminal = TerminalFacts(type: nil, isKnown: false, colors: 0, size: nil)
      $0.rights?.bounding = []
      $0.rights?.effective = []
      $0.bluetooth.hasDaemon = nil
    }
    #expect(diagnose(facts).filter { $0.state != .ok }.count >= 4)
    #expect(diagnose(facts).runnableFixes == [])
  }

  @Test func `a command that fixes two things is run once`() {
    let facts = SystemFacts.healthy.but {
      $0.rights?.effective = []
      // Without bluetoothd both rights are needed; whether it runs is not known.
      $0.bluetooth.hasDaemon = nil
    }
    #expect(diagnose(facts).compactMap(\.fix).count == 2)
    #expect(
      diagnose(facts).runnableFixes.map(\.text) == [
        "sudo setcap cap_net_raw,cap_net_admin+ep /usr/bin/earshot"
      ])
  }

  @Test(arguments: [("true", 0), ("exit 3", 3), ("kill -TERM $$", 143)])
  func `the exit status of a command is returned`(script: String, status: Int32) {
    #expect(Fix.command("sh", "-c", script).run() == status)
  }

  @Test func `commands after a failed one are not run, nor is a shell`() {
    #expect(Fix.commands([FixCommand(["false"]), FixCommand(["true"])]).run() == 1)
    #expect(Fix.command("/nonexistent; true").run() == 127)
  }
}

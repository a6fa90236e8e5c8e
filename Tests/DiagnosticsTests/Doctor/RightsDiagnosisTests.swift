import BluetoothKernel
import Companion
import Testing

@testable import Diagnostics

@Suite struct RightsDiagnosisTests {
  private static let grant = "sudo setcap cap_net_raw,cap_net_admin+ep"

  /// A machine without bluetoothd.
  private static let alone = SystemFacts.healthy.but { $0.bluetooth.hasDaemon = false }

  @Test func `beside bluetoothd nothing is needed`() {
    let facts = SystemFacts.healthy.but { $0.rights = ProcessRights.none }
    for check in [Check.netRaw, .netAdmin] {
      #expect(facts.result(check)?.state == .ok)
      #expect(facts.result(check)?.what.contains("not needed") == true)
    }
    #expect(diagnose(facts).allSatisfy { $0.state == .ok })
  }

  @Test func `a user's program cannot scan, and is reported the command for its own file`() {
    let facts = Self.alone.but { $0.rights = ProcessRights.none }
    #expect(facts.result(.netRaw)?.state == .problem)
    #expect(facts.result(.netAdmin)?.state == .warning)
    #expect(facts.result(.netRaw)?.remedy == "\(Self.grant) /usr/bin/earshot")
    #expect(facts.result(.netAdmin)?.remedy == "\(Self.grant) /usr/bin/earshot")
    #expect(diagnose(facts).contains { $0.state == .problem && $0.check.isAboutRadio })
  }

  @Test func `each capability is reported by itself`() {
    let facts = Self.alone.but { $0.rights?.effective = [.netRaw] }
    #expect(facts.result(.netRaw)?.state == .ok)
    #expect(facts.result(.netAdmin)?.state == .warning)
    #expect(!diagnose(facts).contains { $0.state == .problem })
  }

  @Test(
    arguments: [
      ("/home/a b/earshot", "'/home/a b/earshot'"), ("/opt/it's", #"'/opt/it'\''s'"#),
      ("/opt/$(reboot)", "'/opt/$(reboot)'"), ("/opt/été", "'/opt/été'"),
    ])
  func `any path is one word of the command`(path: String, word: String) {
    let facts = Self.alone.but {
      $0.rights = ProcessRights.none
      $0.rights?.program?.path = path
    }
    #expect(facts.result(.netRaw)?.remedy == "\(Self.grant) \(word)")
  }

  @Test func `where setcap has no effect, what has is reported`() {
    var facts = Self.alone.but {
      $0.rights = ProcessRights.none
      $0.rights?.program?.isOnNoSuid = true
    }
    let installed = "/usr/local/bin/earshot"
    #expect(
      facts.result(.netRaw)?.remedy
        == "sudo install /usr/bin/earshot \(installed) && \(Self.grant) \(installed)")
    facts.rights?.hasNoNewPrivileges = true
    #expect(facts.result(.netRaw)?.remedy?.contains("no_new_privs") == true)
    facts.rights?.bounding = []
    #expect(facts.result(.netRaw)?.remedy?.contains("--cap-add=NET_RAW") == true)
  }

  @Test func `a kernel that does not report the capabilities leaves them unknown`() {
    let facts = SystemFacts.healthy.but { $0.rights = nil }
    #expect(facts.result(.netRaw)?.state == .unknown)
    #expect(facts.result(.netAdmin)?.state == .unknown)
  }

  @Test(
    arguments: [
      (true, .ok, nil), (false, .warning, "sudo systemctl start bluetooth"), (nil, .unknown, nil),
    ] as [(Bool?, DiagnosticResult.State, String?)])
  func `bluetoothd carries the sound`(runs: Bool?, state: DiagnosticResult.State, remedy: String?) {
    let facts = SystemFacts.healthy.but { $0.bluetooth.hasDaemon = runs }
    #expect(facts.result(.bluetoothd)?.state == state)
    #expect(facts.result(.bluetoothd)?.remedy == remedy)
  }

  @Test func `a bluetoothd that does not answer is a failure`() {
    let result = SystemFacts.healthy.but { $0.heldLinks = nil }.result(.bluetoothd)
    #expect(result?.state == .problem)
    #expect(result?.remedy == "sudo systemctl restart bluetooth")
  }

  @Test func `a control link that bluetoothd holds is named, and no trouble`() {
    let result = SystemFacts.healthy.but { $0.heldLinks = ["Aurora", "Borea"] }.result(.bluetoothd)
    #expect(result?.state == .ok)
    #expect(result?.what.hasPrefix("runs, and holds the control link to Aurora, Borea:") == true)
  }

  @Test(
    arguments: [
      ("6.1.0-47-amd64", nil), ("6.1.0-48-amd64", "amd64"),
      ("6.1.0-56-cloud-arm64", "cloud-arm64"), ("6.1.0-57-amd64", nil), ("6.1.0", nil),
      ("6.8.0-56-generic", nil), ("", nil),
    ] as [(String, String?)])
  func `kernels that end programs are warned of`(release: String, flavour: String?) {
    let result = SystemFacts.healthy.but { $0.kernelRelease = release }.result(.kernelRelease)
    #expect(result?.state == (flavour == nil ? .ok : .warning))
    #expect(
      result?.remedy
        == flavour.map { "boot another kernel: sudo apt install linux-image-6.1.0-47-\($0)" })
  }

  @Test(
    arguments: [
      ("6.1.0-47-amd64", false), ("6.10.3", false), ("6.10.4-arch1-1", true), ("6.11.0", true),
      ("6.12.117+deb13-amd64", true), ("7.0.0", true), ("7.3.4+deb14-amd64", true), ("", false),
    ])
  func `kernels that keep discovering are warned of`(release: String, isWarned: Bool) {
    let facts = SystemFacts.healthy.but { facts in
      facts.kernelRelease = release
      facts.bluetooth.hasDaemon = false
      facts.rights = ProcessRights.none
    }
    #expect(facts.result(.kernelRelease)?.state == (isWarned ? .warning : .ok))
    #expect((facts.result(.kernelRelease)?.remedy != nil) == isWarned)
    let withRights = facts.but { $0.rights = .all }.result(.kernelRelease)
    #expect(withRights?.state == .ok)
    #expect(withRights?.what.contains("lescan") == isWarned)
  }
}

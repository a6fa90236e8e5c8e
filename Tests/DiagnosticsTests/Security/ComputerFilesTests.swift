import Companion
import Testing

@testable import Diagnostics

@Suite struct ComputerFilesTests {
  @Test(
    arguments: [
      // Debian 12 and 13, Ubuntu, Fedora, Arch.
      ("6.1.0-56-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-10-04)", nil, "6.1.176"),
      (
        "6.12.48+deb13-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1 (2025-09-20)", nil,
        "6.12.48"
      ),
      ("6.8.0-45-generic", "#45-Ubuntu SMP", "Ubuntu 6.8.0-45.45-generic 6.8.12\n", "6.8.12"),
      ("6.11.4-301.fc41.x86_64", "#1 SMP PREEMPT_DYNAMIC Sun Oct 20", nil, "6.11.4"),
      ("7.1.2-arch1-1", "#1 SMP", nil, "7.1.2"), ("7.1-rc3", "#1", nil, "7.1"),
      ("unknown", "#1", nil, nil), ("", "", nil, nil),
    ] as [(String, String, String?, String?)])
  func `a kernel is of the release that its distribution took`(
    release: String, build: String, signature: String?, version: String?
  ) {
    let name = KernelName(release: release, build: build, signature: signature)
    #expect(name.version?.description == version)
  }

  @Test func `this machine's kernel has a version`() {
    #expect(KernelName.ofThisMachine.version != nil)
  }

  /// Of BlueZ 5.82 and of an older one, and what a person may write.
  @Test(
    arguments: [
      (#"<policy user="root"><allow send_destination="org.bluez"/></policy>"#, false),
      (
        #"""
        <policy user="root"><allow own="org.bluez"/></policy>
        <policy context="default">
          <allow send_destination="org.bluez"/>
        </policy>
        """#, true
      ),
      (
        #"""
        <policy group="lp"><allow send_destination="org.bluez"/></policy>
        <policy context="default"><deny send_destination="org.bluez"/></policy>
        """#, false
      ),
      (
        #"<!-- <policy context="default"><allow send_destination="org.bluez"/></policy> -->"#, false
      ),
      (
        #"""
        <policy context='default'><allow send_destination='org.bluez' /></policy>
        <policy context='default'><deny send_destination='org.bluez' /></policy>
        """#, false
      ),
      (#"<policy context="default"><allow send_destination="org.bluez.mesh"/></policy>"#, false),
      ("", false), ("<policy context=\"default\">", false),
    ])
  func `the last rule for everyone decides`(text: String, allows: Bool) {
    #expect(BusPolicy(text).allowsEveryone == allows)
  }

  @Test func `the users of raw sockets are in the fifth column`() {
    let list = """
      sk               RefCnt Rmem   Wmem   User   Inode  Parent
      0000000000000000 2      0      0      0      27051  0
      0000000000000000 2      0      0      1001   31337  0
      0000000000000000 2      0      0      1001   31338  0
      """
    #expect(SocketOwners(list: list).users == [0, 1001])
    #expect(SocketOwners(list: "").users == [] && SocketOwners(list: "head\n1 2 3").users == [])
  }

  @Test func `a key is read from its section, in whatever case and spacing`() {
    let configuration = DaemonConfiguration(
      """
      [General]
      #ClassicBondedOnly=false
      classicbondedonly = TRUE
      [Policy]
      JustWorksRepairing = always
      """)
    #expect(configuration.general("ClassicBondedOnly") == "true")
    #expect(configuration.general("JustWorksRepairing") == nil)
  }

  @Test func `this computer is examined without bluetoothd, and nothing is guessed`() async {
    let facts = await examineComputer(adapter: "hci99") { nil }
    #expect(facts.adapter == nil && facts.daemonVersion == nil)
    #expect(facts.kernelRelease != nil && facts.kernel != nil)
  }

  @Test func `what bluetoothd says is taken over`() async {
    let adapter = ComputerSecurityFacts.Adapter(
      isPairable: true, pairableTimeout: 0, isDiscoverable: true, discoverableTimeout: 60)
    let facts = await examineComputer(adapter: nil) {
      DaemonExposure(version: [5, 82], adapter: adapter)
    }
    #expect(facts.adapter == adapter && facts.daemonVersion?.description == "5.82")
    let silent = await examineComputer(adapter: nil) {
      DaemonExposure(version: [], adapter: adapter)
    }
    #expect(silent.daemonVersion == nil)
  }
}

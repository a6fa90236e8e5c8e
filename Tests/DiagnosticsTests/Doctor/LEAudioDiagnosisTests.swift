import AudioRoute
import BluetoothCodec
import BluetoothKernel
import Companion
import CompanionRuntime
import Foundation
import Testing

@testable import Diagnostics

@Suite struct LEAudioDiagnosisTests {
  private static let all: ManagementSettings = [
    .isochronousCentral, .isochronousPeripheral, .isochronousBroadcaster, .synchronizedReceiver,
  ]

  /// A machine on which LE Audio works.
  private var working: LEAudioFacts {
    var facts = LEAudioFacts()
    facts.kernel = IsochronousSurvey(
      supported: Self.all, feature: .on, socket: .opens, hasDoubleRate: true)
    facts.service = LEAudioServiceFacts(
      endpoints: [0x2BC9, 0x2BCB, 0x1852], services: [0x1850, 0x184E, 0x1844],
      devices: [.init(name: "Duo", services: [0x1850, 0x184E, 0x1846], isConnected: true)],
      version: [5, 87])
    facts.hasDaemon = true
    facts.configuration = DaemonConfiguration("[General]\nExperimental = true\n")
    facts.hasCodec = true
    return facts
  }

  private func results(
    _ change: (inout SystemFacts) -> Void = { _ in }, _ leAudio: (inout LEAudioFacts) -> Void
  ) -> [Check: DiagnosticResult] {
    let facts = SystemFacts.healthy.but {
      var changed = working
      leAudio(&changed)
      $0.leAudio = changed
      change(&$0)
    }
    let results = diagnose(facts)
    #expect(results.map(\.check) == Check.allCases)
    // What a person cannot see for themselves has a way to find out.
    for result in results where Check.leAudio.contains(result.check) && result.state != .ok {
      #expect(result.remedy != nil, "\(result)")
    }
    return Dictionary(uniqueKeysWithValues: results.map { ($0.check, $0) })
  }

  /// A machine of one kind.
  struct Machine: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The release of PipeWire; `nil`: PulseAudio.
    var pipeWire: String? = "1.4.2"
    var change: @Sendable (inout LEAudioFacts) -> Void
    /// The checks that are not ok, with what is said and the start of the remedy.
    var findings: [Check: (DiagnosticResult.State, what: String, remedy: String)]
  }

  private static let switchingOn = "Experimental = true and KernelExperimental = 6fbaf188"
  private static let machines = [
    Machine(testDescription: "everything works", change: { _ in }, findings: [:]),
    Machine(
      testDescription: "the adapter has no LE Audio",
      change: {
        $0.kernel.supported = [.lowEnergy]
        $0.kernel.hasDoubleRate = false
      },
      findings: [
        .leAudioAdapter: (
          .warning,
          "hci0 cannot stream to headphones by LE Audio, or the kernel is too old to say so",
          "an adapter with LE Audio, or a newer kernel"
        ),
        .leAudioRate: (
          .warning, "hci0 has no LE 2M: most streams do not fit", "an adapter of Bluetooth 5.2"
        ),
      ]),
    Machine(
      testDescription: "the kernel's feature is off",
      change: {
        $0.kernel.feature = .off
        $0.kernel.socket = .fails(93)
        $0.service = LEAudioServiceFacts(
          endpoints: [], services: [], devices: [], version: [5, 82])
        $0.configuration = DaemonConfiguration("[General]\n#Experimental = false\n")
      },
      findings: [
        .leAudioKernel: (.warning, "isochronous sockets are off", switchingOn),
        .leAudioService: (.warning, "bluetoothd does not offer LE Audio", switchingOn),
        .leAudioHeadphones: (
          .unknown, "no paired headphone is known to have LE Audio", "earshot inspect"
        ),
      ]),
    Machine(
      testDescription: "all but the sound server", pipeWire: nil, change: { $0.hasCodec = false },
      findings: [
        .leAudioSound: (
          .warning, "pulseaudio is not PipeWire: it has no LE Audio", "use PipeWire"
        )
      ]),
  ]

  private func results(on machine: Machine) -> [Check: DiagnosticResult] {
    results(
      {
        $0.sound = .running(
          AudioSnapshot(
            serverName: machine.pipeWire.map { "PulseAudio (on PipeWire \($0))" } ?? "pulseaudio",
            serverVersion: "15", defaultSink: nil, sinks: []))
      }, machine.change)
  }

  @Test func `what the documentation shows is what is said`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let documentation = try String(
      contentsOf: root.appending(path: "docs/le-audio.md"), encoding: .utf8)
    let found = results(on: Self.machines[1])
    let report = DoctorReport(Check.leAudio.compactMap { found[$0] })
    #expect(documentation.contains("```\n\(report.text)\n```"), "\(report.text)")
  }

  @Test(arguments: machines) func `four kinds of machine`(_ machine: Machine) {
    let found = results(on: machine)
    for check in Check.leAudio {
      let (state, what, remedy) = machine.findings[check] ?? (.ok, found[check]?.what ?? "", "")
      #expect(found[check]?.state == state, "\(check)")
      #expect(found[check]?.what == what)
      let said = found[check]?.remedy ?? ""
      #expect(said.hasPrefix(remedy))
      #expect((found[check]?.remedy == nil) == (state == .ok))
    }
  }

  @Test func `a machine on which it works`() {
    let found = results { _ in }
    for check in Check.leAudio { #expect(found[check]?.state == .ok, "\(check)") }
    #expect(
      found[.leAudioHeadphones]?.what
        == "Duo (connected): sound capabilities, streams, one of a set")
    #expect(found[.leAudioService]?.what == "bluetoothd offers LE Audio, and broadcasts")
  }

  @Test func `what bluetoothd keeps of a link that it holds`() {
    let change: (inout LEAudioFacts) -> Void = {
      $0.service?.devices = [
        .init(
          name: "Duo", services: [0x1854, 0x1846], isConnected: true,
          withheld: [0x1844, 0x1845, 0x1846])
      ]
    }
    #expect(
      results { change(&$0) }[.leAudioHeadphones]?.what
        == "Duo (connected): presets, one of a set (bluetoothd holds its link, and keeps volume, set for itself)"
    )
    let shared = results {
      change(&$0)
      $0.configuration = DaemonConfiguration(
        "[General]\nExperimental=true\n[GATT]\nExportClaimedServices = read-write\n")
    }
    #expect(shared[.leAudioHeadphones]?.what == "Duo (connected): presets, one of a set")
  }

  @Test func `it is left out unless it is asked for`() {
    #expect(diagnose(.healthy).map(\.check) == Check.machine)
  }

  @Test func `an adapter without isochronous channels`() {
    var found = results { $0.kernel.supported = [.lowEnergy, .synchronizedReceiver] }
    #expect(found[.leAudioAdapter]?.state == .warning)
    #expect(found[.leAudioAdapter]?.what.hasSuffix("it can receive broadcasts") == true)
    found = results { $0.kernel.supported = nil }
    #expect(found[.leAudioAdapter]?.state == .unknown)
    found = results({ $0.bluetooth.chosen = nil }) { _ in }
    #expect(found[.leAudioAdapter]?.state == .unknown)
  }

  @Test(
    arguments: [
      (.fails(93), .off, .warning), (.fails(93), .missing, .warning), (.fails(93), nil, .unknown),
      (.fails(97), nil, .unknown), (.opens, nil, .ok),
    ] as [(IsochronousSurvey.Socket, IsochronousSurvey.Feature?, DiagnosticResult.State)])
  func `a kernel without isochronous sockets`(
    _ socket: IsochronousSurvey.Socket, _ feature: IsochronousSurvey.Feature?,
    _ state: DiagnosticResult.State
  ) {
    let found = results {
      $0.kernel.socket = socket
      $0.kernel.feature = feature
    }
    #expect(found[.leAudioKernel]?.state == state)
  }

  @Test(
    arguments: [(true, .ok), (false, .warning), (nil, .unknown)]
      as [(Bool?, DiagnosticResult.State)])
  func `an adapter's rate`(_ hasIt: Bool?, _ state: DiagnosticResult.State) {
    let found = results { $0.kernel.hasDoubleRate = hasIt }
    #expect(found[.leAudioRate]?.state == state)
    #expect(hasIt != nil || found[.leAudioRate]?.remedy == "sudo btmgmt phy")
  }

  @Test(
    arguments: [
      ([5, 65], .warning), ([5, 66], .warning), ([5, 72], .ok), ([5, 100], .ok), ([], .unknown),
    ] as [([Int], DiagnosticResult.State)])
  func `bluetoothd's version`(_ version: [Int], _ state: DiagnosticResult.State) {
    let found = results { $0.service?.version = version }
    #expect(found[.leAudioVersion]?.state == state)
    #expect(!version.isEmpty || found[.leAudioVersion]?.remedy == "bluetoothctl --version")
  }

  @Test func `bluetoothd's switches`() {
    var found = results { $0.service?.endpoints = [] }
    #expect(found[.leAudioService]?.what.contains("no isochronous sockets") == true)
    found = results { $0.service = LEAudioServiceFacts(endpoints: [], services: [], devices: []) }
    #expect(found[.leAudioService]?.what.contains("has Experimental = true") == true)
    #expect(found[.leAudioHeadphones]?.state == .unknown)
    found = results {
      $0.service = LEAudioServiceFacts(endpoints: [], services: [], devices: [])
      $0.configuration = nil
    }
    #expect(found[.leAudioService]?.remedy?.contains("KernelExperimental = 6fbaf188") == true)
    found = results { $0.configuration = DaemonConfiguration("[General]\nControllerMode=bredr") }
    #expect(found[.leAudioService]?.state == .warning)
    found = results { $0.configuration = DaemonConfiguration("[General]\nControllerMode=le") }
    #expect(found[.leAudioService]?.what.hasSuffix("nothing else connects") == true)
    found = results { $0.service = nil }
    #expect(found[.leAudioService]?.state == .unknown)
    #expect(found[.leAudioHeadphones]?.state == .unknown)
  }

  @Test(
    arguments: [
      ("PulseAudio (on PipeWire 1.0.5)", true, .ok),
      ("PulseAudio (on PipeWire 1.0.5)", false, .unknown),
      ("PulseAudio (on PipeWire 0.3.58)", true, .warning),
      ("PulseAudio (on PipeWire 0.3.65)", true, .ok), ("pulseaudio", true, .warning),
    ] as [(String, Bool, DiagnosticResult.State)])
  func `the sound server`(_ name: String, _ hasCodec: Bool, _ state: DiagnosticResult.State) {
    let found = results({
      $0.sound = .running(
        AudioSnapshot(serverName: name, serverVersion: "15", defaultSink: nil, sinks: []))
    }) { $0.hasCodec = hasCodec }
    #expect(found[.leAudioSound]?.state == state)
  }

  @Test func `bluetoothd's file, as GLib reads it`() {
    let file = DaemonConfiguration(
      """
      # [General]
      [Policy]
      Experimental = true
      [General]
      #ControllerMode = le
      ControllerMode = bredr
      """)
    #expect(!file.isExperimental && file.controllerMode == "bredr")
    #expect(DaemonConfiguration("").controllerMode == "dual")
  }
}

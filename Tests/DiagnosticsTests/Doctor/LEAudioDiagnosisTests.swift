import AudioRoute
import BluetoothCodec
import BluetoothLinux
import Companion
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

  @Test func `a machine on which it works`() {
    let found = results { _ in }
    for check in Check.leAudio { #expect(found[check]?.state == .ok, "\(check)") }
    #expect(
      found[.leAudioHeadphones]?.what
        == "Duo (connected): sound capabilities, streams, one of a set")
    #expect(found[.leAudioService]?.what == "bluetoothd offers LE Audio, and broadcasts")
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

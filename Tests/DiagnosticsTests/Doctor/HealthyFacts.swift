import AudioRoute
import BluetoothCodec
import BluetoothKernel
import Companion

@testable import Diagnostics

extension SystemFacts {
  /// A machine on which nothing is to be mended.
  static var healthy: SystemFacts {
    let adapter = AdapterInfo.sample
    return SystemFacts(
      bluetooth: BluetoothSurvey(
        kernel: .present, adapters: [adapter], chosen: adapter,
        switches: [RfkillSwitch(name: "hci0", isSoftBlocked: false, isHardBlocked: false)],
        hasDaemon: true),
      rights: .all, kernelRelease: "6.1.0-47-amd64",
      sound: .running(
        AudioSnapshot(
          serverName: "PulseAudio (on PipeWire 1.0.5)", serverVersion: "15.0.0", defaultSink: nil,
          sinks: [])),
      buttons: ButtonFacts(mode: .auto, desktop: nil),
      soundSettings: SoundSettingFacts(SoundRules(), isApplied: false), hasRuntimeFolder: true,
      terminal: TerminalFacts(
        type: "xterm-256color", isKnown: true, colors: 256, size: .init(columns: 80, rows: 24)),
      locale: LocaleFacts(name: "de_DE.UTF-8", codeset: "UTF-8"),
      stateFolder: FolderFacts(
        path: "/home/a/.local/state/earshot",
        condition: .exists(mode: 0o700, isWritable: true, isOwn: true)))
  }

  /// These, but for one change.
  func but(_ change: (inout SystemFacts) -> Void) -> SystemFacts {
    var changed = self
    change(&changed)
    return changed
  }

  func result(_ check: Check) -> DiagnosticResult? { diagnose(self).first { $0.check == check } }
}

extension AdapterInfo {
  static let sample = AdapterInfo(
    index: 0, name: "hci0", address: BluetoothAddress(value: 0x0001_0203_0405), isPowered: true,
    hasLowEnergy: true)
}

extension ProcessRights {
  static let all = ProcessRights(
    effective: [.netRaw, .netAdmin], bounding: [.netRaw, .netAdmin], hasNoNewPrivileges: false,
    program: ProgramFile(path: "/usr/bin/earshot", isOnNoSuid: false))

  /// A user's, who could be given all.
  static let none = ProcessRights(
    effective: [], bounding: [.netRaw, .netAdmin], hasNoNewPrivileges: false,
    program: ProgramFile(path: "/usr/bin/earshot", isOnNoSuid: false))
}

internal import BluetoothCodec
package import JSON

extension JSONSchema {
  /// The schemas of all outputs of `--json`, from which docs/schema and docs/json.md are generated.
  package static var outputs: [Definition] { reports.map { $0.definition } + values }

  private static let reports: [any NamedJSONObject.Type] = [
    StatusReport.self, StatusListReport.self, WatchLine.Waybar.self, WatchLine.I3Block.self,
    BatteryLevelsReport.self, BatteryAgeReport.self, ANCReport.self, LevelReport.self,
    EQReport.self, EQPresetsReport.self, EQImportReport.self, CorrectionReport.self,
    CorrectionsReport.self, VolumeReport.self, SettingsReport.self, SettingsSavedReport.self,
    SettingsRestoredReport.self, TouchReport.self,
    PairedDevicesReport.self, BroadcastsReport.self, ReceptionReport.self, HeadphonesReport.self,
    DatabaseReport.self, ValuesReport.self, SoundDevicesReport.self, SoundModesReport.self,
    MicrophonesReport.self, SoundSettingsReport.self, SoundPinReport.self, ScenesReport.self,
    SceneReport.self, KeysReport.self, DoctorReport.self, SoundQualityReport.self,
    SecurityReport.self,
    LogRecord.self,
    ConfigurationKeysReport.self, ConfigurationReport.self, ThemesReport.self,
    FirmwareImageReport.self, FirmwareStatusReport.self, FirmwareProgressReport.self,
    FirmwareInstalledReport.self, FitReport.self, ForgetReport.self, LearnReport.self,
    FailureReport.self,
  ]

  private static var values: [Definition] {
    let texts: [ValueOutput<String>] = [
      .completions, .configurationChange, .configurationPath, .configurationText,
      .configurationValue, .connection, .disconnection, .equaliserDeletion, .equaliserRenaming,
      .equaliserSaving, .find, .line, .output, .pairing, .player, .renaming, .reset,
      .sceneDeletion, .sceneRenaming,
      .sceneSaving, .version,
    ]
    let switches: [ValueOutput<OnOff>] = [.muted, .power]
    let others = [
      ValueOutput<OnOff?>.wearDetection.definition, ValueOutput<BluetoothUUID>.writing.definition,
    ]
    return texts.map { $0.definition } + switches.map { $0.definition } + others
  }
}

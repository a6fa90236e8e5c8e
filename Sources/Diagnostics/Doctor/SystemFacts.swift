internal import AudioRoute
internal import BluetoothKernel
package import Companion

struct SystemFacts: Hashable, Sendable {
  var bluetooth: BluetoothSurvey
  /// The names of headphones whose control link bluetoothd has, or nil if it does not respond.
  var heldLinks: [String]? = []
  var wantedAdapter: String?
  /// The capabilities of this process, or nil if /proc does not reveal them.
  var rights: ProcessRights?
  var kernelRelease: String
  var sound: AudioObservation
  var linkedSound: [LinkedSound] = []
  var buttons: ButtonFacts
  var soundSettings: SoundSettingFacts
  /// Whether `XDG_RUNTIME_DIR`, the folder with the sound server's socket, is set.
  var hasRuntimeFolder: Bool
  var terminal: TerminalFacts
  var locale: LocaleFacts
  var stateFolder: FolderFacts
  var leAudio: LEAudioFacts?
}

package struct LinkedSound: Hashable, Sendable {
  /// The name, or else the address; not sanitised.
  var name: String
  /// The BR/EDR address in upper case.
  var address: String

  /// Creates a headphone, whose name is its address if nil.
  package init(name: String?, address: String) {
    self.name = name ?? address
    self.address = address
  }
}

package struct ButtonFacts: Hashable, Sendable {
  package var mode: ButtonMode
  package var desktop: String?

  package init(mode: ButtonMode, desktop: String?) {
    self.mode = mode
    self.desktop = desktop
  }
}

package struct SoundSettingFacts: Hashable, Sendable {
  /// The settings other than the default that a running Earshot applies.
  package var chosen: [SoundSetting]
  package var isApplied: Bool

  package init(_ rules: SoundRules, isApplied: Bool) {
    let preferences = [rules.all] + rules.ofHeadphones.map(\.preferences)
    chosen = SoundSetting.allCases.filter { setting in
      setting.scope != .computer
        && preferences.contains { preference in
          preference[setting].map { $0 != setting.standard } ?? false
        }
    }
    self.isApplied = isApplied
  }
}

package struct TerminalFacts: Hashable, Sendable {
  package var type: String?
  package var isKnown: Bool
  package var colors: Int
  /// The size, or nil if there is no terminal.
  package var size: Size?

  package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  package init(type: String?, isKnown: Bool, colors: Int, size: Size?) {
    self.type = type
    self.isKnown = isKnown
    self.colors = colors
    self.size = size
  }
}

package struct LocaleFacts: Hashable, Sendable {
  var name: String?
  /// The codeset, for example "UTF-8", or nil if the locale is not installed.
  var codeset: String?

  package var isUnicode: Bool { codeset == "UTF-8" }
}

struct FolderFacts: Hashable, Sendable {
  var path: String
  var condition: Condition
  var user: UInt32 = 0

  enum Condition: Hashable, Sendable {
    case canBeMade
    case cannotBeMade
    case exists(mode: UInt32, isWritable: Bool, isOwn: Bool)
    case full
    case readOnly
    case notAFolder
  }
}

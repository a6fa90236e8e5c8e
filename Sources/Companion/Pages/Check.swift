/// A check of `earshot doctor`, in the order in which fixing helps.
///
/// The raw values are fixed, because scripts compare with them.
public enum Check: String, Hashable, Sendable, CaseIterable {
  /// Whether Linux has Bluetooth, and for this process.
  case kernel
  /// Whether there is one, and the one that was asked for.
  case adapter
  /// Whether a radio switch blocks it.
  case rfkill
  /// Whether it is on.
  case power
  /// Whether its controller supports LE.
  case lowEnergy = "low-energy"
  /// CAP_NET_RAW: scanning.
  case netRaw = "cap-net-raw"
  /// CAP_NET_ADMIN: confirming a pairing without bluetoothd.
  case netAdmin = "cap-net-admin"
  /// Whether it runs: it then owns pairings and their keys.
  case bluetoothd
  /// Whether trouble is known with this release of Linux.
  case kernelRelease = "kernel-release"
  /// Whether PulseAudio or PipeWire answers.
  case soundServer = "sound-server"
  /// Who handles the buttons of headphones.
  case buttons
  /// Whether the settings of the sound that a person chose are applied.
  case soundSettings = "sound-settings"
  /// Whether the screen can be shown here.
  case terminal
  /// Whether characters beyond ASCII may be written.
  case locale
  /// Whether the program can keep what it learns, and no other user can read it.
  case stateFolder = "state-folder"
  /// Whether the adapter can stream by LE Audio.
  case leAudioAdapter = "le-adapter"
  /// Whether it has LE 2M.
  case leAudioRate = "le-2m"
  /// Whether the kernel's isochronous sockets are on.
  case leAudioKernel = "le-kernel"
  /// Whether bluetoothd is new enough.
  case leAudioVersion = "le-version"
  /// Whether bluetoothd offers LE Audio.
  case leAudioService = "le-bluetoothd"
  /// Whether the sound server can use it.
  case leAudioSound = "le-sound"
  /// Which headphones have it.
  case leAudioHeadphones = "le-headphones"

  /// Whether LE Audio works, which most people do without.
  public static let leAudio: [Check] = [
    .leAudioAdapter, .leAudioRate, .leAudioKernel, .leAudioVersion, .leAudioService, .leAudioSound,
    .leAudioHeadphones,
  ]
  /// The checks of the machine for everything else.
  public static let machine = allCases.filter { !leAudio.contains($0) }

  /// The check's name on the screen.
  public var title: String {
    switch self {
    case .kernel: "Bluetooth in Linux"
    case .adapter: "Bluetooth adapter"
    case .rfkill: "Radio switch"
    case .power: "Adapter power"
    case .lowEnergy: "Low Energy support"
    case .netRaw: "Permission to scan"
    case .netAdmin: "Permission to pair"
    case .bluetoothd: "Bluetooth service"
    case .kernelRelease: "Linux version"
    case .soundServer: "Sound server"
    case .buttons: "Buttons"
    case .soundSettings: "Sound settings"
    case .terminal: "Terminal"
    case .locale: "Character set"
    case .stateFolder: "State folder"
    case .leAudioAdapter: "LE Audio: adapter"
    case .leAudioRate: "LE Audio: 2 Mbit/s"
    case .leAudioKernel: "LE Audio: Linux"
    case .leAudioVersion: "LE Audio: BlueZ"
    case .leAudioService: "LE Audio: service"
    case .leAudioSound: "LE Audio: sound"
    case .leAudioHeadphones: "LE Audio: devices"
    }
  }

  /// Whether a problem with it is an adapter's or a permission's, for the exit status.
  public var isAboutRadio: Bool {
    switch self {
    case .kernel, .adapter, .rfkill, .power, .lowEnergy, .netRaw, .netAdmin: true
    case .bluetoothd, .kernelRelease, .soundServer, .buttons, .soundSettings, .terminal, .locale,
      .stateFolder, .leAudioAdapter, .leAudioRate, .leAudioKernel, .leAudioVersion,
      .leAudioService, .leAudioSound, .leAudioHeadphones:
      false
    }
  }
}

/// A check of `earshot doctor`, in the order in which fixing helps; the raw values are fixed.
package enum Check: String, Hashable, Sendable, CaseIterable {
  /// Whether the kernel supports Bluetooth and lets this process use it.
  case kernel
  /// Whether there is an adapter, and the requested one.
  case adapter
  case rfkill
  case power
  case lowEnergy = "low-energy"
  /// Whether this process has CAP_NET_RAW, which scanning needs.
  case netRaw = "cap-net-raw"
  /// Whether this process has CAP_NET_ADMIN, which pairing without bluetoothd needs.
  case netAdmin = "cap-net-admin"
  case bluetoothd
  case kernelRelease = "kernel-release"
  case soundServer = "sound-server"
  /// Whether music is heard on the headphones whose sound is connected.
  case headphoneSound = "headphones"
  /// The program that handles the buttons of headphones.
  case buttons
  case soundSettings = "sound-settings"
  case terminal
  /// Whether the locale allows characters beyond ASCII.
  case locale
  /// Whether the program can write its state folder, and no other user can read it.
  case stateFolder = "state-folder"
  case leAudioAdapter = "le-adapter"
  /// Whether the adapter supports LE 2M.
  case leAudioRate = "le-2m"
  case leAudioKernel = "le-kernel"
  /// Whether bluetoothd is new enough for LE Audio.
  case leAudioVersion = "le-version"
  case leAudioService = "le-bluetoothd"
  case leAudioSound = "le-sound"
  case leAudioHeadphones = "le-headphones"

  /// The checks of LE Audio, which most users do not need.
  package static let leAudio: [Check] = [
    .leAudioAdapter, .leAudioRate, .leAudioKernel, .leAudioVersion, .leAudioService, .leAudioSound,
    .leAudioHeadphones,
  ]
  package static let machine = allCases.filter { !leAudio.contains($0) }

  package var title: String {
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
    case .headphoneSound: "Headphone sound"
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

  /// Whether a problem is one of the adapter or of permissions, which has its own exit status.
  package var isAboutRadio: Bool {
    switch self {
    case .kernel, .adapter, .rfkill, .power, .lowEnergy, .netRaw, .netAdmin: true
    case .bluetoothd, .kernelRelease, .soundServer, .headphoneSound, .buttons, .soundSettings,
      .terminal, .locale, .stateFolder, .leAudioAdapter, .leAudioRate, .leAudioKernel,
      .leAudioVersion,
      .leAudioService, .leAudioSound, .leAudioHeadphones:
      false
    }
  }
}

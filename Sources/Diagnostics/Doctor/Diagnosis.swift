internal import BluetoothKernel
internal import Companion

/// Returns the results of all checks in order; a pure function, so that tests need no machine.
///
/// | check | evidence | it is a problem (or a warning) if |
/// | --- | --- | --- |
/// | kernel | the management socket, /proc/crypto | there is none in this network namespace |
/// | adapter | the kernel's list | there is none, or not the requested one |
/// | rfkill | /dev/rfkill | a switch blocks it, by software or hardware |
/// | power | the kernel's list, /proc/crypto | it is off |
/// | lowEnergy | its settings | it has no LE |
/// | netRaw | /proc/self/status | neither CAP_NET_RAW nor bluetoothd permits scanning |
/// | netAdmin | /proc/self/status | a warning: CAP_NET_ADMIN and bluetoothd are missing |
/// | bluetoothd | /proc, D-Bus | it does not respond; a warning: it does not run (no sound) |
/// | kernelRelease | `uname -r` | a warning: the release has a known defect |
/// | soundServer | a connection | it refuses, or does not respond |
/// | headphoneSound | the sound server, D-Bus | a warning: music is not heard there, or there is no device |
/// | buttons | the configuration, D-Bus, /proc | a warning: nothing or mpris-proxy handles them |
/// | soundSettings | the configuration, the owner's socket | a warning: nothing applies them |
/// | terminal | terminfo | `TERM` is not set, or unknown |
/// | locale | `nl_langinfo_l` | a warning: it is not UTF-8 |
/// | stateFolder | `stat`, `access`, `statvfs` | it cannot be written, or its disk is full |
/// | le-adapter | the management socket | a warning: it has no isochronous channels |
/// | le-2m | the management socket, with CAP_NET_ADMIN | a warning: the adapter has no LE 2M |
/// | le-kernel | a socket, the management socket | a warning: isochronous sockets are off |
/// | le-version | D-Bus: the adapter's Device ID | a warning: bluetoothd is older than 5.72 |
/// | le-bluetoothd | D-Bus, main.conf | a warning: it does not offer LE Audio |
/// | le-sound | the sound server's version, a file | a warning: it cannot use LE Audio |
/// | le-headphones | D-Bus | never |
///
/// The last seven are included only if LE Audio was examined.
func diagnose(_ facts: SystemFacts) -> [DiagnosticResult] {
  Check.machine.map(facts.result) + (facts.leAudio == nil ? [] : Check.leAudio.map(facts.result))
}

extension SystemFacts {
  fileprivate func result(_ check: Check) -> DiagnosticResult {
    switch check {
    case .kernel: kernelResult
    case .adapter: adapterResult
    case .rfkill: switchResult
    case .power: powerResult
    case .lowEnergy: lowEnergyResult
    case .netRaw: scanningResult
    case .netAdmin: pairingResult
    case .bluetoothd: daemonResult
    case .kernelRelease: releaseResult
    case .soundServer: soundResult
    case .headphoneSound: headphoneSoundResult
    case .buttons: buttonsResult
    case .soundSettings: soundSettingsResult
    case .terminal: terminalResult
    case .locale: localeResult
    case .stateFolder: folderResult
    case .leAudioAdapter: (leAudio ?? LEAudioFacts()).adapterResult(of: bluetooth.chosen?.name)
    case .leAudioRate: (leAudio ?? LEAudioFacts()).rateResult(of: bluetooth.chosen?.name)
    case .leAudioKernel: (leAudio ?? LEAudioFacts()).kernelResult
    case .leAudioVersion: (leAudio ?? LEAudioFacts()).versionResult
    case .leAudioService: (leAudio ?? LEAudioFacts()).serviceResult
    case .leAudioSound: (leAudio ?? LEAudioFacts()).soundResult(of: sound)
    case .leAudioHeadphones: (leAudio ?? LEAudioFacts()).headphonesResult
    }
  }
}

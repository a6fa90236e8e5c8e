import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Desktop
import HeadphoneProtocols
import Testing

@testable import Companion

/// A headphone that plays a phone is asked to play from this computer.
@Suite struct TakingOverTests {
  private static let own = BluetoothAddress(value: 0x0000_5E00_5301)
  private static let phone = BluetoothAddress(value: 0x0000_5E00_53A1)
  private static let ask = HeadphoneCommand.pairedDevice(.play, own)

  /// - Parameters:
  ///   - playing: who plays; nil: the headphone does not say.
  private func scenario(
    playing: BluetoothAddress? = phone, isReported: Bool = true, isConnected: Bool = true,
    _ actions: [PairedDeviceAction] = PairedDeviceAction.allCases
  ) -> Scenario {
    var capabilities = allFeatures
    capabilities.settings.append(
      SettingDeclaration(
        .pairedDevices, .pairedDevices(actions), title: "Paired devices", label: "Devices",
        group: .device))
    func device(_ address: BluetoothAddress, isConnected: Bool = true) -> PairedDevice {
      PairedDevice(
        address, name: address == Self.phone ? "Pixel 8" : "ThinkPad", isConnected: isConnected,
        isPlaying: isReported ? playing == address : nil)
    }
    var scenario = Scenario.withReady()
    scenario.given(
      .adapterChanged(.ready(Adapter(name: "hci0", address: Self.own, isPowered: true))),
      .headphone(ear, .described(description(of: capabilities))),
      .headphone(
        ear,
        .settingChanged(
          .pairedDevices,
          .pairedDevices([device(Self.own, isConnected: isConnected), device(Self.phone)]))),
      .soundPinned(ear, SoundDevice.ID("F0:F1:F2:F3:F4:F5")),
      sound(to: "bluez_output.ear", speakers, bluetoothSink()))
    return scenario
  }

  private func asks(_ scenario: inout Scenario, _ action: Action) -> Bool {
    scenario.effects(of: action).contains {
      if case .perform(ear, Self.ask, _) = $0 { true } else { false }
    }
  }

  @Test func `o asks where the phone plays, and says whom it takes it from`() {
    var scenario = scenario()
    #expect(scenario.state.canBringSound)
    #expect(asks(&scenario, .pressed(.routeSound)))
    #expect(scenario.state.notice?.text.contains("instead of Pixel 8") == true)
    // The one on the air is enough.
    #expect(!asks(&scenario, .pressed(.routeSound)))
  }

  @Test func `o moves the sound there and asks`() {
    var scenario = scenario()
    scenario.given(sound(to: speakers.name, speakers, bluetoothSink()))
    #expect(asks(&scenario, .pressed(.routeSound)))
  }

  @Test func `where it does not say who plays it is asked, and no key is shown for it`() {
    var scenario = scenario(playing: nil, isReported: false)
    #expect(!scenario.state.canBringSound)
    #expect(asks(&scenario, .pressed(.routeSound)))
  }

  @Test func `it is not asked where it plays this computer, or nothing, or cannot`() {
    for var scenario in [
      scenario(playing: Self.own), scenario(playing: nil), scenario(isConnected: false),
      scenario([.connect, .disconnect, .prefer]),
    ] {
      #expect(!scenario.state.canBringSound)
      #expect(!asks(&scenario, .pressed(.routeSound)))
    }
  }

  @Test func `the player's key asks when it begins to play here`() {
    let player = MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.7")
    func press(isPlaying: Bool, _ audio: Action) -> Bool {
      var scenario = scenario()
      scenario.given(
        audio, .nowPlaying(NowPlaying(player: player, isPlaying ? .playing : .paused)))
      return asks(&scenario, .pressed(.playOrPause))
    }
    let here = sound(to: "bluez_output.ear", speakers, bluetoothSink())
    #expect(press(isPlaying: false, here))
    #expect(!press(isPlaying: true, here))
    #expect(!press(isPlaying: false, sound(to: speakers.name, speakers, bluetoothSink())))
  }
}

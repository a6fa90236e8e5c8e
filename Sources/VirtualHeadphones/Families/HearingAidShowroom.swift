public import Bluetooth
internal import BluetoothCodec
public import EventLoop
internal import HeadphoneProtocols

extension VirtualRadio {
  /// The headphones of `--adapter virtual-le-audio`: two hearing aids, one of each side.
  ///
  /// Nothing happens to them by itself.
  ///
  /// - Parameters:
  ///   - loop: on which their links run.
  ///   - clock: by which their delays pass.
  ///   - agent: answers the questions of a pairing.
  ///   - bonds: the phone's keys.
  public static func leAudio(
    loop: PollLoop = .shared, clock: any Clock<Duration> = ContinuousClock(),
    agent: PairingAgent = PairingAgent(), bonds: any BondStore = EmptyBondStore()
  ) -> VirtualRadio {
    VirtualRadio(
      headphones: VirtualModel.leAudio.map { VirtualHeadphone($0, loop: loop, clock: clock) },
      clock: clock, agent: agent, bonds: bonds)
  }
}

extension VirtualModel {
  /// All headphones with services of LE Audio, in the order of their addresses.
  public static let leAudio: [VirtualModel] = [.leftAid, .rightAid]

  /// The left one of two hearing aids with four presets.
  public static let leftAid = aid(.left, 34, level: 71)
  /// The right one, which has ASHA as well.
  public static let rightAid = aid(.right, 35, level: 68)

  private static func aid(_ side: Side, _ number: UInt64, level: UInt8) -> VirtualModel {
    let key = SetKey(Array(0xA0...0xAF)[...])
    let features = HearingAidFeatures(
      .binaural, hasDynamicPresets: true, hasWritableNames: true)
    let presets = [
      HearingPreset(1, "Everyday", isWritable: true), HearingPreset(2, "Restaurant"),
      HearingPreset(4, "Outdoors"), HearingPreset(7, "Music", isWritable: true),
      HearingPreset(9, "Telephone", isAvailable: false),
    ]
    let aid = key.map { key in
      var aid = VirtualHearingAid(
        VirtualSetMember(key, side, random: UInt32(number)), features, presets, active: 1)
      if side == .right {
        aid.asha = [0x01, 0x03, 0x4A, 0x13, 1, 2, 3, 4, 5, 6, 0x01, 0, 0, 0, 0, 0x02, 0]
      }
      return aid
    }
    var model = family(
      number, "Hearing aids", rssi: side == .left ? -54 : -59,
      aid.map { .hearingAid($0) } ?? .standard)
    model.information = DeviceInformation(
      manufacturer: "Somebody", model: "Hearing Duo", firmware: "1.0.0")
    model.batteries = [side.part]
    model.levels = [side.part: level]
    model.describesBatteries = false
    return model
  }
}

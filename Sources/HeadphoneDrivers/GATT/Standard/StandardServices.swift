internal import BluetoothCodec
internal import HeadphoneProtocols

struct StandardServices: Hashable, Sendable {
  var batteries: [Characteristic] = []
  /// Battery Level Status (2BED), by the handle of its level.
  var statuses: [UInt16: Characteristic] = [:]
  var information: [BluetoothUUID: Characteristic] = [:]
  /// Alert Level of the Immediate Alert service, which makes the headphone ring.
  var alert: Characteristic?
  /// State and control point of the Volume Control service, or nil unless both exist.
  var volume: VolumeChannel?
  /// The Coordinated Set Identification service, or nil if the headphone is in no set.
  var set: SetChannel?
  /// Sink Audio Locations of the Published Audio Capabilities service: the side that is played.
  var locations: Characteristic?
  /// Model ID of Google's Fast Pair service, which can be read without pairing.
  var fastPairModel: Characteristic?
  /// The Broadcast Audio Scan service, or nil if the headphone cannot receive broadcasts.
  var broadcasts: BroadcastChannel?
  var hearing: HearingAidServices
  /// Whether the Fast Pair service exists; its message stream may be on the BR/EDR side.
  var hasFastPair = false

  init(_ database: Database) {
    hearing = HearingAidServices(database)
    broadcasts = BroadcastChannel(database)
    for service in database.services(BatteryUUIDs.standard.service) {
      guard let level = service.characteristic(BatteryUUIDs.standard.level) else { continue }
      batteries.append(level)
      statuses[level.handle] = service.characteristic(.batteryLevelStatus)
    }
    for service in database.services(InformationUUIDs.standard.service) {
      for characteristic in service.characteristics where characteristic.canRead {
        information[characteristic.uuid] = characteristic
      }
    }
    alert = database.service(.immediateAlert)?.characteristic(.alertLevel)
    if let service = database.service(.volumeControl),
      let state = service.characteristic(.volumeState), state.canRead,
      let control = service.characteristic(.volumeControlPoint), control.canWrite
    {
      volume = VolumeChannel(state: state, control: control)
    }
    set = SetChannel(database.service(.coordinatedSet))
    locations = database.service(.publishedAudioCapabilities)?.characteristic(.sinkAudioLocations)
    hasFastPair = database.service(.fastPair) != nil
    fastPairModel = database.service(.fastPair)?.characteristic(.fastPairModel)
  }

  /// Returns the missing features, with the services that would provide them.
  ///
  /// - Parameter isVolumeWithheld: whether another program does not share the volume service.
  func missing(beside stream: FastPairProtocol?, isVolumeWithheld: Bool) -> [String] {
    let services = [
      (
        batteries.isEmpty && stream?.capabilities.batteries.isEmpty != false,
        "battery: no service 180F"
      ),
      (information.isEmpty, "information: no service 180A"),
      (alert == nil && stream == nil, "find: no service 1802"),
      (volume == nil && !isVolumeWithheld, "volume: no service 1844"),
    ]
    return services.filter(\.0).map(\.1) + [
      "noise control, equaliser: no service of a family that Earshot knows"
    ]
  }

  /// Returns the features that bluetoothd, which holds the link, does not share.
  static func missing(withheld: Set<BluetoothUUID>) -> [String] {
    let features: [(UInt16, String)] = [
      (0x1844, "volume"), (0x1845, "volume of one side"), (0x1843, "inputs"),
      (0x184D, "mute of its microphones"), (0x1846, "the other one of its set"),
      (0x184F, "broadcasts"),
    ]
    return features.filter { withheld.contains(.bit16($0.0)) }
      .map { "\($0.1): bluetoothd keeps it for itself" }
  }

  var isEmpty: Bool {
    batteries.isEmpty && information.isEmpty && alert == nil && volume == nil
      && fastPairModel == nil && hearing.isEmpty && broadcasts == nil
  }
}

struct VolumeChannel: Hashable, Sendable {
  var state: Characteristic
  var control: Characteristic
}

/// The characteristics of the Coordinated Set Identification service (1846).
struct SetChannel: Hashable, Sendable {
  var key: Characteristic
  var size: Characteristic?
  var rank: Characteristic?

  /// Finds the characteristics, or returns nil if the key cannot be read.
  init?(_ service: Service?) {
    guard let service, let key = service.characteristic(.setKey), key.canRead else { return nil }
    self.key = key
    size = service.characteristic(.setSize)
    rank = service.characteristic(.setRank)
  }
}

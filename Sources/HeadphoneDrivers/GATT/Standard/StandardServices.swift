internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// What any headphone may have by the services of the Bluetooth SIG.
struct StandardServices: Hashable, Sendable {
  /// Levels in the order of their services.
  var batteries: [Characteristic] = []
  /// Battery Level Status (2BED), by its level's handle.
  var statuses: [UInt16: Characteristic] = [:]
  /// Device information, by its type.
  var information: [BluetoothUUID: Characteristic] = [:]
  /// Alert Level of the Immediate Alert service: the headphone makes itself heard.
  var alert: Characteristic?
  /// State and control point of the Volume Control service; nil: not both.
  var volume: VolumeChannel?
  /// Nil: it is a member of no coordinated set.
  var set: SetChannel?
  /// Sink Audio Locations of the Published Audio Capabilities service: which side it plays.
  var locations: Characteristic?
  /// Model ID of Google's Fast Pair service, which anybody may read.
  var fastPairModel: Characteristic?
  /// Nil: it cannot be sent to a broadcast.
  var broadcasts: BroadcastChannel?
  /// What hearing aids have.
  var hearing: HearingAidServices
  /// Whether there is that service: its message stream may be on the audio side.
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

  /// What is not there, and where it would be.
  ///
  /// - Parameters:
  ///   - stream: Fast Pair's message stream, which makes up for some; nil: it is not open.
  ///   - isVolumeWithheld: whether another program keeps the volume for itself.
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

  /// What bluetoothd keeps for itself, where it holds the link.
  static func missing(withheld: Set<BluetoothUUID>) -> [String] {
    let features: [(UInt16, String)] = [
      (0x1844, "volume"), (0x1845, "volume of one side"), (0x1843, "inputs"),
      (0x184D, "mute of its microphones"), (0x1846, "the other one of its set"),
      (0x184F, "broadcasts"),
    ]
    return features.filter { withheld.contains(.bit16($0.0)) }
      .map { "\($0.1): bluetoothd keeps it for itself" }
  }

  /// Whether there is anything to show.
  var isEmpty: Bool {
    batteries.isEmpty && information.isEmpty && alert == nil && volume == nil
      && fastPairModel == nil && hearing.isEmpty && broadcasts == nil
  }
}

/// Where the volume is read, and where it is ordered.
struct VolumeChannel: Hashable, Sendable {
  var state: Characteristic
  var control: Characteristic
}

/// Characteristics of the Coordinated Set Identification service (1846).
struct SetChannel: Hashable, Sendable {
  var key: Characteristic
  var size: Characteristic?
  var rank: Characteristic?

  /// Nil where the key cannot be read.
  init?(_ service: Service?) {
    guard let service, let key = service.characteristic(.setKey), key.canRead else { return nil }
    self.key = key
    size = service.characteristic(.setSize)
    rank = service.characteristic(.setRank)
  }
}

internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// A headphone of another maker, with its services, advertisement and answers.
///
/// It was written by the authors of the drivers from the published formats, so both may share a
/// misunderstanding.
///
/// Each case contains the headphone as a value that receives bytes and returns bytes. Its driver is
/// tested against it and, where they exist, against recordings of real headphones.
public enum VirtualFamily: Hashable, Sendable {
  /// A headphone with a service of its maker.
  case lowEnergy(VirtualLE)
  /// A headphone with only the standard services.
  case standard
  /// A headphone with the standard services, and Fast Pair's message stream on its BR/EDR side.
  case fastPair(VirtualFastPair)
  /// One of two buds with a link each, with the standard services.
  case setMember(VirtualSetMember)
  /// One of two hearing aids with a link each, with the standard services.
  case hearingAid(VirtualHearingAid)
  /// One of two buds that can receive broadcasts, with the standard services.
  case broadcastBud(VirtualBroadcastBud)
  /// A headphone that only advertises this manufacturer data (without the company identifier).
  case proximity([UInt8])
  /// AirPods that advertise like ``proximity(_:)``, with controls on the BR/EDR side, which is
  /// connected to the phone.
  case airPods(VirtualAirPods, proximity: [UInt8])
  /// A headphone with controls on a serial channel of its BR/EDR side; it does not advertise.
  case serial(VirtualSerial)

  /// The name of the BR/EDR side, or nil if it is the advertised one; AirPods advertise no name.
  public var audioName: String? {
    if case .airPods(let airPods, _) = self { airPods.metadata.name } else { nil }
  }

  /// Handles bytes that the phone wrote.
  ///
  /// - Returns: the values that are notified, or the frames that are sent.
  mutating func respond(to value: Bytes) -> [[UInt8]] {
    switch self {
    case .lowEnergy(var own):
      defer { self = .lowEnergy(own) }
      return own.headphone.respond(to: value)
    case .airPods(var airPods, let proximity):
      defer { self = .airPods(airPods, proximity: proximity) }
      return airPods.respond(to: value)
    case .serial(var serial):
      defer { self = .serial(serial) }
      return serial.respond(to: value)
    case .standard, .fastPair, .setMember, .hearingAid, .broadcastBud, .proximity: return []
    }
  }

  /// Returns the messages that the headphone sends unprompted when its channel is opened.
  mutating func open() -> [[UInt8]] {
    guard case .serial(var serial) = self else { return [] }
    defer { self = .serial(serial) }
    return serial.open()
  }

  /// The service records of the controls on the BR/EDR side.
  var records: ServiceRecords {
    guard case .serial(let serial) = self else { return ServiceRecords(product: product) }
    return ServiceRecords(
      serialServices: serial.headphone.channel == nil ? [serial.headphone.service] : [],
      product: serial.headphone.vendor.map { ProductID(vendor: $0, product: 0) })
  }

  /// The characteristic that notifies answers, or nil if there is none.
  var notify: BluetoothUUID? {
    if case .lowEnergy(let own) = self { own.headphone.notify } else { nil }
  }

  /// The service of the family's protocol, or nil if it is not used over LE.
  var control: ServiceDefinition? {
    if case .lowEnergy(let own) = self { own.control } else { nil }
  }

  /// The advertised structures besides flags and name.
  var advertised: [AdvertisingStructure] {
    switch self {
    case .lowEnergy(let own): own.headphone.advertised
    // The three bytes of a model number announce that the headphone can be paired.
    case .standard, .fastPair: [.serviceData(.fastPair, [0xAA, 0xBB, 0xCC])]
    case .setMember(let member): member.advertised
    case .hearingAid(let aid): aid.advertised
    case .broadcastBud(let bud): bud.advertised
    case .proximity(let bytes), .airPods(_, proximity: let bytes):
      [.manufacturerData(company: ProximityAdvertisement.company, bytes[...])]
    case .serial: []
    }
  }

  /// Whether its LE advertisements are connectable.
  var isConnectable: Bool {
    switch self {
    case .proximity, .airPods, .serial: false
    case .lowEnergy, .standard, .fastPair, .setMember, .hearingAid, .broadcastBud: true
    }
  }

  /// The product in the Device ID record of the BR/EDR side, or nil without a control channel
  /// there.
  var product: ProductID? {
    guard case .airPods(let airPods, proximity: _) = self else { return nil }
    return ProductID(vendor: ProximityAdvertisement.company, product: airPods.product)
  }

  /// A copy of the headphone that answers nothing.
  var silent: VirtualFamily {
    if case .serial(var serial) = self {
      serial.isSilent = true
      return .serial(serial)
    }
    guard case .airPods(var airPods, let proximity) = self else { return .standard }
    airPods.isSilent = true
    return .airPods(airPods, proximity: proximity)
  }

  /// Forgets the state that belongs to a link.
  mutating func disconnect() {
    guard case .airPods(var airPods, let proximity) = self else { return }
    airPods.disconnect()
    self = .airPods(airPods, proximity: proximity)
  }

  /// Returns the services besides that of the family's protocol.
  func standardServices(_ own: [ServiceDefinition]) -> [ServiceDefinition] {
    switch self {
    case .standard: own
    case .fastPair(let stream): own + [stream.service]
    case .setMember(let member): own + member.services
    case .hearingAid(let aid): own + aid.services
    case .broadcastBud(let bud): own + bud.services
    case .lowEnergy, .proximity, .airPods, .serial: []
    }
  }
}

extension VirtualModel {
  /// The Volume Control service, with the volume at half.
  static let volumeControl = ServiceDefinition(
    .volumeControl,
    [
      CharacteristicDefinition(
        .volumeState, [.read, .notify],
        value: VolumeState(setting: 128, isMuted: false, counter: 7).encoded()),
      CharacteristicDefinition(.volumeControlPoint, .write, accepts: .upTo(3)),
    ])

  /// The Immediate Alert service, which makes the headphone ring.
  static let immediateAlert = ServiceDefinition(
    .bit16(0x1802),
    [CharacteristicDefinition(.bit16(0x2A06), .writeWithoutResponse, accepts: .byte(0...2))])
}

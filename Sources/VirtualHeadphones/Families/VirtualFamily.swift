internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// A headphone of another vendor: its services, advertisement and answers.
///
/// Written from the published formats by the authors of the drivers, so both may share a
/// misunderstanding.
///
/// Each case holds the headphone as a value: bytes go in, bytes come out, and the state is in
/// between. Its driver is tested against it and, where there are any, against recordings of real
/// headphones.
public enum VirtualFamily: Hashable, Sendable {
  /// A service of the maker's own.
  case lowEnergy(VirtualLE)
  /// The standard services alone.
  case standard
  /// The same, and Fast Pair's message stream on its audio side.
  case fastPair(VirtualFastPair)
  /// The standard services, as one of two buds with a link each.
  case setMember(VirtualSetMember)
  /// The same, as one of two hearing aids.
  case hearingAid(VirtualHearingAid)
  /// The same, as one of two buds that can be sent to a broadcast.
  case broadcastBud(VirtualBroadcastBud)
  /// Only advertises: manufacturer data, without the company identifier.
  case proximity([UInt8])
  /// The same, and its audio side, which is connected to the phone, has controls.
  case airPods(VirtualAirPods, proximity: [UInt8])
  /// A headphone whose controls are on a serial channel of its audio side; it advertises nothing.
  case serial(VirtualSerial)

  /// What its audio side is called where that is not its advertised name: Apple's advertise none.
  public var audioName: String? {
    if case .airPods(let airPods, _) = self { airPods.metadata.name } else { nil }
  }

  /// Takes bytes that the phone wrote.
  ///
  /// - Returns: what it notifies or sends in turn, a value or frame each.
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

  /// Messages that it sends unprompted when its channel is opened.
  mutating func open() -> [[UInt8]] {
    guard case .serial(var serial) = self else { return [] }
    defer { self = .serial(serial) }
    return serial.open()
  }

  /// The service records of its controls on the audio side.
  var records: ServiceRecords {
    guard case .serial(let serial) = self else { return ServiceRecords(product: product) }
    return ServiceRecords(
      serialServices: serial.headphone.channel == nil ? [serial.headphone.service] : [],
      product: serial.headphone.vendor.map { ProductID(vendor: $0, product: 0) })
  }

  /// The characteristic that answers; nil: there is none.
  var notify: BluetoothUUID? {
    if case .lowEnergy(let own) = self { own.headphone.notify } else { nil }
  }

  /// The service in which the family's protocol is spoken; nil: there is none over LE.
  var control: ServiceDefinition? {
    if case .lowEnergy(let own) = self { own.control } else { nil }
  }

  /// What it advertises beside flags and name.
  var advertised: [AdvertisingStructure] {
    switch self {
    case .lowEnergy(let own): own.headphone.advertised
    // Three bytes of a model announce that it can be paired.
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

  /// The SDP response of the audio side; nil: it has no control channel.
  var product: ProductID? {
    guard case .airPods(let airPods, proximity: _) = self else { return nil }
    return ProductID(vendor: ProximityAdvertisement.company, product: airPods.product)
  }

  /// The same headphone, but one that answers nothing.
  var silent: VirtualFamily {
    if case .serial(var serial) = self {
      serial.isSilent = true
      return .serial(serial)
    }
    guard case .airPods(var airPods, let proximity) = self else { return .standard }
    airPods.isSilent = true
    return .airPods(airPods, proximity: proximity)
  }

  /// Forgets what belongs to the link: subscriptions and half frames.
  mutating func disconnect() {
    guard case .airPods(var airPods, let proximity) = self else { return }
    airPods.disconnect()
    self = .airPods(airPods, proximity: proximity)
  }

  /// The services beside the family's own.
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
  /// The headphone's own volume, at half.
  static let volumeControl = ServiceDefinition(
    .volumeControl,
    [
      CharacteristicDefinition(
        .volumeState, [.read, .notify],
        value: VolumeState(setting: 128, isMuted: false, counter: 7).encoded()),
      CharacteristicDefinition(.volumeControlPoint, .write, accepts: .upTo(3)),
    ])

  /// Immediate Alert Service: the headphone rings.
  static let immediateAlert = ServiceDefinition(
    .bit16(0x1802),
    [CharacteristicDefinition(.bit16(0x2A06), .writeWithoutResponse, accepts: .byte(0...2))])
}

internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// A headphone of another maker, with its services, advertisement and answers.
///
/// Written from the published formats by the authors of the drivers, so both may share a
/// misunderstanding. Where recordings of real headphones exist, a driver is also tested against
/// them.
public enum VirtualFamily: Hashable, Sendable {
  case lowEnergy(VirtualLE)
  case standard
  /// A headphone with the standard services, and Fast Pair's message stream on its BR/EDR side.
  case fastPair(VirtualFastPair)
  case setMember(VirtualSetMember)
  case hearingAid(VirtualHearingAid)
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

  mutating func open() -> [[UInt8]] {
    guard case .serial(var serial) = self else { return [] }
    defer { self = .serial(serial) }
    return serial.open()
  }

  var records: ServiceRecords {
    guard case .serial(let serial) = self else { return ServiceRecords(product: product) }
    return ServiceRecords(
      serialServices: serial.headphone.channel == nil ? [serial.headphone.service] : [],
      product: serial.headphone.vendor.map { ProductID(vendor: $0, product: 0) })
  }

  var notify: BluetoothUUID? {
    if case .lowEnergy(let own) = self { own.headphone.notify } else { nil }
  }

  /// The service of the family's protocol, or nil if it is not used over LE.
  var control: ServiceDefinition? {
    if case .lowEnergy(let own) = self { own.control } else { nil }
  }

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

  var isConnectable: Bool {
    switch self {
    case .proximity, .airPods, .serial: false
    case .lowEnergy, .standard, .fastPair, .setMember, .hearingAid, .broadcastBud: true
    }
  }

  /// The product in the Device ID record, or nil without a control channel on the BR/EDR side.
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

  mutating func disconnect() {
    guard case .airPods(var airPods, let proximity) = self else { return }
    airPods.disconnect()
    self = .airPods(airPods, proximity: proximity)
  }

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
  static let volumeControl = ServiceDefinition(
    .volumeControl,
    [
      CharacteristicDefinition(
        .volumeState, [.read, .notify],
        value: VolumeState(setting: 128, isMuted: false, counter: 7).encoded()),
      CharacteristicDefinition(.volumeControlPoint, .write, accepts: .upTo(3)),
    ])

  static let immediateAlert = ServiceDefinition(
    .bit16(0x1802),
    [CharacteristicDefinition(.bit16(0x2A06), .writeWithoutResponse, accepts: .byte(0...2))])
}

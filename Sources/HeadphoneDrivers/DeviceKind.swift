internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// What a device is, where its controls are, and what says so.
///
/// It is decided here alone: by the services of an LE link, by the records or the channel of the
/// audio side, or by a person's choice among them; never by its name. What an advertisement shows
/// (``/HeadphoneProtocols/FamilyAdvertisements``) says only which of the two sides to connect.
struct DeviceKind: Sendable {
  /// Where the controls are.
  enum Transport: Sendable {
    /// docs/protocol.md, or a profile of the configuration, over GATT.
    case controlService(HeadphoneMap)
    /// A maker's protocol over GATT.
    case characteristics(FamilyChannel, any FamilyProtocol.Type)
    /// The services of the Bluetooth SIG over GATT.
    case standardServices
    /// A maker's protocol over RFCOMM.
    case serial(SerialService, BluetoothUUID, any SerialProtocol.Type)
    /// Apple's protocol over L2CAP.
    case apple
  }

  var family: HeadphoneFamily
  var transport: Transport
  /// What decided it, in words.
  var reason: String
}

extension DeviceKind {
  /// The kind of a headphone by its GATT services.
  ///
  /// docs/protocol.md and the profiles go first; then the families, each by its service; then what
  /// has at least a standard service.
  ///
  /// - Parameter forced: the forced family (`--driver`); nil: determined by the services.
  /// - Throws: `notAHeadphone` where nothing fits, or the one that is forced does not.
  init(
    _ database: Database, profiles: [DeviceProfile], forced: HeadphoneFamily?
  ) throws(HeadphoneError) {
    let choice = forced == nil ? "" : ", as --driver says"
    if forced == nil || forced == .earshot {
      do throws(HeadphoneError) {
        let map = try HeadphoneMap(database, profiles)
        self.init(
          family: .earshot, transport: .controlService(map),
          reason: "command \(map.command.uuid)" + choice)
        return
      } catch .notAHeadphone(missing: HeadphoneMap.controlService) where forced == nil {
        // Another maker's, then.
      }
    }
    for family in forced.map({ [$0] }) ?? HeadphoneFamily.allCases {
      guard let spoken = family.gattProtocol, let channel = spoken.channel(in: database) else {
        continue
      }
      self.init(
        family: family, transport: .characteristics(channel, spoken),
        reason: "service \(channel.service)" + choice)
      return
    }
    if let missing = forced?.gattProtocol?.name {
      throw .notAHeadphone(missing: "\(missing) service")
    }
    let standard = StandardServices(database)
    guard !standard.isEmpty else {
      throw .notAHeadphone(missing: "control, battery or information service")
    }
    let reason = standard.hearing.hearingAidService.map { "hearing aid service \($0)" }
    self.init(
      family: .standard, transport: .standardServices,
      reason: forced == nil ? reason ?? "no service of a family" : "--driver says so")
  }

  /// The kind of a headphone whose controls are on the audio side, by its service records: a serial
  /// channel of a family, else the channel of AirPods.
  ///
  /// The service is not among the records if it may be found by the numbers of its channels.
  ///
  /// - Parameter forced: the forced family (`--driver`); nil: determined by the services.
  init(_ records: ServiceRecords, forced: HeadphoneFamily? = nil) {
    let vendor = records.product?.vendor
    self =
      DeviceKind(serial: records.serialServices, vendor: vendor, forced: forced)
      ?? DeviceKind(family: .airpods, transport: .apple, reason: "no serial service of a family")
  }

  /// The kind by an open channel; nil: it is that of GATT, determined by services.
  ///
  /// - Parameter forced: the forced family (`--driver`); nil: determined by the channel.
  init?(_ channel: LinkChannel, forced: HeadphoneFamily? = nil) {
    switch channel {
    case .attributes: return nil
    case .classic(let psm):
      self.init(family: .airpods, transport: .apple, reason: "L2CAP channel \(psm)")
    case .serial(let service, let vendor):
      self.init(serial: [service], vendor: vendor, forced: forced)
    }
  }

  /// The kind by services on serial channels; nil: no family has them.
  ///
  /// - Parameters:
  ///   - vendor: the company in the Device ID record; nil: it has none.
  ///   - forced: the family that a person says it is, where makers share a service; nil: none.
  init?(serial services: [BluetoothUUID], vendor: UInt16?, forced: HeadphoneFamily? = nil) {
    let known = HeadphoneFamily.allCases.flatMap { family in
      (family.serialProtocol?.services ?? []).map { (family, $0) }
    }.filter { family, service in !service.isShared || family == forced }
    func first(isCommon: Bool) -> DeviceKind? {
      for (family, service) in known where service.isCommon == isCommon {
        guard let uuid = service.match(services, vendor: vendor) else { continue }
        return DeviceKind(family, service, uuid, reason: "serial service \(uuid)")
      }
      return nil
    }
    let numbered = known.first { !$1.channels.isEmpty && $1.vendor == vendor }
    guard
      let kind = first(isCommon: false)
        ?? numbered.flatMap({ family, service in
          DeviceKind(family, service, service.uuid, reason: "a vendor's numbered channels")
        }) ?? first(isCommon: true)
    else { return nil }
    self = kind
  }

  private init?(
    _ family: HeadphoneFamily, _ service: SerialService, _ uuid: BluetoothUUID, reason: String
  ) {
    guard let spoken = family.serialProtocol else { return nil }
    self.init(family: family, transport: .serial(service, uuid, spoken), reason: reason)
  }
}

internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// The kind of a device: its family, how its controls are reached, and the reason for this
/// decision.
///
/// Only this type decides the kind of a device: by the services of an LE link, by the records or
/// the channel of the BR/EDR side, or by the user's choice among these, but never by the name. An
/// advertisement (``/HeadphoneProtocols/FamilyAdvertisements``) only tells which of the two sides
/// to connect.
struct DeviceKind: Sendable {
  /// The protocol and transport of the controls.
  enum Transport: Sendable {
    /// The protocol of docs/protocol.md, or a profile of the configuration, over GATT.
    case controlService(HeadphoneMap)
    /// A maker's protocol over GATT.
    case characteristics(FamilyChannel, any FamilyProtocol.Type)
    /// The services of the Bluetooth SIG over GATT.
    case standardServices
    /// A maker's protocol over RFCOMM.
    case serial(SerialService, BluetoothUUID, any SerialProtocol.Type)
    /// Apple's protocol (AACP) over L2CAP.
    case apple
  }

  var family: HeadphoneFamily
  var transport: Transport
  /// The reason for the decision, in words.
  var reason: String
}

extension DeviceKind {
  /// Creates the kind of a headphone from its GATT services.
  ///
  /// Control services of docs/protocol.md and of the profiles come first, then the services of the
  /// families, then the standard services, of which one suffices.
  ///
  /// - Parameter forced: the family given with `--driver`, or nil to determine it from the
  ///   services.
  /// - Throws: `notAHeadphone` if no services match, or not those of the forced family.
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
        // It may be a headphone of another maker.
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

  /// Creates the kind of a headphone with controls on the BR/EDR side from its service records: a
  /// serial channel of a family, or else the channel of AirPods.
  ///
  /// A service that is found by its channel numbers need not be among the records.
  ///
  /// - Parameter forced: the family given with `--driver`, or nil to determine it from the
  ///   services.
  init(_ records: ServiceRecords, forced: HeadphoneFamily? = nil) {
    let vendor = records.product?.vendor
    self =
      DeviceKind(serial: records.serialServices, vendor: vendor, forced: forced)
      ?? DeviceKind(family: .airpods, transport: .apple, reason: "no serial service of a family")
  }

  /// Creates the kind from an open channel, or returns nil for GATT, where the services determine
  /// it.
  ///
  /// - Parameter forced: the family given with `--driver`, or nil to determine it from the channel.
  init?(_ channel: LinkChannel, forced: HeadphoneFamily? = nil) {
    switch channel {
    case .attributes: return nil
    case .classic(let psm):
      self.init(family: .airpods, transport: .apple, reason: "L2CAP channel \(psm)")
    case .serial(let service, let vendor):
      self.init(serial: [service], vendor: vendor, forced: forced)
    }
  }

  /// Creates the kind from services on serial channels, or returns nil if no family has them.
  ///
  /// - Parameters:
  ///   - vendor: the company in the Device ID record, or nil without a record.
  ///   - forced: the family that the user named for a service that makers share, or nil.
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

internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// The kind of a device: its family, how its controls are reached, and why.
///
/// The kind depends on the services of an LE link, the records or the channel of the BR/EDR side,
/// or the user's choice among these, but never on the name. An advertisement
/// (``/HeadphoneProtocols/FamilyAdvertisements``) only tells which of the two sides to connect.
struct DeviceKind: Sendable {
  enum Transport: Sendable {
    /// The protocol of docs/protocol.md, or a profile of the configuration, over GATT.
    case controlService(HeadphoneMap)
    case characteristics(FamilyChannel)
    case standardServices
    case serial(SerialService, BluetoothUUID)
    case apple
  }

  var family: HeadphoneFamily
  var transport: Transport
  var reason: String
  /// What the user should know about the decision, in words, or nil.
  var notice: String?
}

extension DeviceKind {
  /// Creates the kind of a headphone from its GATT services.
  ///
  /// Control services of docs/protocol.md and of the profiles come first, then the services of the
  /// families, then the standard services, of which one suffices.
  ///
  /// - Parameters:
  ///   - forced: the family given with `--driver`, or nil.
  ///   - drivers: the families of driver files, which precede the others.
  /// - Throws: `notAHeadphone` if no services match, or not those of the forced family.
  init(
    _ database: Database, profiles: [DeviceProfile], forced: HeadphoneFamily?,
    drivers: [HeadphoneFamily] = []
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
    let fitting = (forced.map { [$0] } ?? drivers + HeadphoneFamily.allCases).filter {
      $0.channel(in: database) != nil
    }
    if let family = fitting.first, let channel = family.channel(in: database) {
      self.init(
        family: family, transport: .characteristics(channel),
        reason: "service \(channel.service)" + choice + family.origin,
        notice: family.notice(beside: fitting))
      return
    }
    if let missing = forced?.nameOverGATT {
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

  /// Creates the kind from service records: a serial channel of a family, or else AirPods.
  ///
  /// A service that is found by its channel numbers need not be among the records.
  init(
    _ records: ServiceRecords, forced: HeadphoneFamily? = nil, drivers: [HeadphoneFamily] = []
  ) {
    let vendor = records.product?.vendor
    self =
      DeviceKind(
        serial: records.serialServices, vendor: vendor, forced: forced, drivers: drivers)
      ?? DeviceKind(family: .airpods, transport: .apple, reason: "no serial service of a family")
  }

  /// Creates the kind from an open channel, or returns nil for GATT, which needs the services.
  init?(
    _ channel: LinkChannel, forced: HeadphoneFamily? = nil, drivers: [HeadphoneFamily] = []
  ) {
    switch channel {
    case .attributes: return nil
    case .classic(let psm):
      self.init(family: .airpods, transport: .apple, reason: "L2CAP channel \(psm)")
    case .serial(let service, let vendor):
      self.init(serial: [service], vendor: vendor, forced: forced, drivers: drivers)
    }
  }

  /// Creates the kind from services on serial channels, or returns nil if no family has them.
  ///
  /// - Parameter vendor: the company in the Device ID record, or nil without a record.
  init?(
    serial services: [BluetoothUUID], vendor: UInt16?, forced: HeadphoneFamily? = nil,
    drivers: [HeadphoneFamily] = []
  ) {
    let named = [forced].compactMap(\.self).filter { $0.table != nil }
    let families = named + drivers.filter { !named.contains($0) } + HeadphoneFamily.allCases
    let known = families.flatMap { family in family.serialServices.map { (family, $0) } }
      .filter { family, service in !service.isShared || family == forced }
    func first(isCommon: Bool) -> DeviceKind? {
      let fitting = known.compactMap { family, service -> (HeadphoneFamily, DeviceKind)? in
        guard service.isCommon == isCommon, let uuid = service.match(services, vendor: vendor)
        else { return nil }
        return (
          family, DeviceKind(family, service, uuid, reason: "serial service \(uuid)")
        )
      }
      guard let (family, kind) = fitting.first else { return nil }
      var chosen = kind
      // Among the makers of the program, the order is that of their declaration.
      if let table = named.first?.table, family != forced {
        chosen.notice = "\(table.file) does not fit: it is for service \(table.channel.service)"
      } else if family.table != nil {
        chosen.reason += family.origin
        chosen.notice = family == forced ? nil : family.notice(beside: fitting.map(\.0))
      }
      return chosen
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

  private init(
    _ family: HeadphoneFamily, _ service: SerialService, _ uuid: BluetoothUUID, reason: String
  ) {
    self.init(family: family, transport: .serial(service, uuid), reason: reason)
  }
}

extension HeadphoneFamily {
  /// Returns which of several fitting files is used, and how to choose another.
  ///
  /// Nil if the family is one of the program's or alone.
  fileprivate func notice(beside all: [HeadphoneFamily]) -> String? {
    let others = all.filter { $0 != self }.map { displayable($0.rawValue) }
    guard let table, let first = others.first else { return nil }
    return "\(displayable(table.file)) is used; \(others.joined(separator: ", ")) would fit, too: "
      + "--driver \(first) chooses it"
  }

  /// The file that describes the family, after the reason, or "".
  fileprivate var origin: String { table.map { ", by \($0.file)" } ?? "" }
}

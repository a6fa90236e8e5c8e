internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

/// An ATT server over bluetoothd's GATT objects, as a value.
///
/// It serves the GATT client if bluetoothd holds the headphone's only ATT channel. Object paths
/// contain the handles:
///
/// | object | handle | attributes |
/// | --- | --- | --- |
/// | service0006 | 0x0006 | «Primary Service», up to the next service |
/// | service0006/char0007 | 0x0007 | «Characteristic», and the value at 0x0008 |
/// | service0006/char0007/desc0009 | 0x0009 | descriptor |
///
/// bluetoothd does not export the Generic Access service. Discovery is answered at once; access to
/// values becomes calls:
///
/// | request | step |
/// | --- | --- |
/// | Exchange MTU, Find Information, Find By Type Value, Read By Group Type | `respond` |
/// | Read By Type | `respond` for declarations, `read` for values |
/// | Read, Read Blob | `read` |
/// | Write, Execute Write | `write`, or `subscribe` for a configuration |
/// | Prepare Write | `respond`, and queued for Execute Write |
/// | Read Multiple | `respond` with «Request Not Supported» |
struct RemoteAttributes {
  enum Step: Hashable {
    case respond(ATTResponse)
    case read(path: String, offset: Int, ATTRequest)
    case write([Value], ATTRequest)
    case command(path: String, [UInt8])
    /// Call StartNotify or StopNotify, then finish the request.
    case subscribe(path: String, isOn: Bool, ATTRequest)
    /// Do nothing: a confirmation, a signed write, or a command for an unknown handle.
    case ignore
  }

  struct Value: Hashable {
    var path: String
    var bytes: [UInt8]
  }

  private enum Kind: Hashable {
    /// A service declaration; `end` is the last handle of the service.
    case service(BluetoothUUID, end: UInt16)
    case declaration([UInt8])
    case value(path: String)
    /// The Client Characteristic Configuration of the characteristic at an object path.
    case configuration(path: String)
    case descriptor(path: String)
  }

  private struct Attribute: Hashable {
    var handle: UInt16
    var type: BluetoothUUID
    var kind: Kind
  }

  private static let serviceInterface = "org.bluez.GattService1"
  static let characteristicInterface = "org.bluez.GattCharacteristic1"
  static let descriptorInterface = "org.bluez.GattDescriptor1"
  private static let primaryService = BluetoothUUID.bit16(0x2800)
  private static let characteristic = BluetoothUUID.bit16(0x2803)
  private static let configuration = BluetoothUUID.bit16(0x2902)
  private static let serviceChangedType = BluetoothUUID.bit16(0x2A05)
  /// The services that bluetoothd's own profiles claim with experimental features: AICS, VCS, VOCS,
  /// CSIS, MICS, ASCS, BASS, PACS and ASHA.
  ///
  /// bluetoothd does not export claimed services, but lists them in the UUIDs of the device. Since
  /// 5.80 it exports them read-only (main.conf, ExportClaimedServices).
  private static let claimable: Set<BluetoothUUID> = [
    .bit16(0x1843), .bit16(0x1844), .bit16(0x1845), .bit16(0x1846), .bit16(0x184D), .bit16(0x184E),
    .bit16(0x184F), .bit16(0x1850), .bit16(0xFDF0),
  ]
  /// The ATT_MTU that every LE link has, in bytes.
  static let leastMTU: UInt16 = 23
  private static let queueLimit = 64

  private let attributes: [Attribute]
  private let notifying: [String: (handle: UInt16, isIndicated: Bool)]
  private let serviceChanged: String?
  /// The ATT_MTU of bluetoothd's link in bytes, beyond which it accepts commands but drops them.
  private let linkMTU: UInt16
  /// The ATT_MTU between this server and its client, in bytes.
  private var mtu = Int(leastMTU)
  private var prepared: [(handle: UInt16, value: [UInt8])] = []
  private var configured: [String: [UInt8]] = [:]
  /// The services that bluetoothd does not export, or of which it has rejected a write.
  private(set) var withheld: Set<BluetoothUUID>

  /// Builds a device's database, adding each CCCD that bluetoothd does not export.
  init(_ tree: DBusObjectTree, of device: String, mtu: UInt16 = leastMTU) {
    linkMTU = mtu
    var found: [Attribute] = []
    var notifying: [String: (handle: UInt16, isIndicated: Bool)] = [:]
    var services: [(start: UInt16, uuid: BluetoothUUID)] = []
    var serviceChanged: String?
    for (path, interfaces) in tree.objects where path.hasPrefix(device + "/") {
      guard let handle = Self.handle(path) else { continue }
      func uuid(_ interface: String) -> BluetoothUUID? {
        interfaces[interface]?["UUID"]?.string.flatMap(BluetoothUUID.init(_:))
      }
      if let uuid = uuid(Self.serviceInterface) { services.append((handle, uuid)) }
      if let uuid = uuid(Self.descriptorInterface) {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        found.append(
          Attribute(
            handle: handle, type: uuid,
            kind: uuid == Self.configuration
              ? .configuration(path: "/" + parent) : .descriptor(path: path)))
      }
      guard let uuid = uuid(Self.characteristicInterface), handle < .max - 1 else { continue }
      let flags = interfaces[Self.characteristicInterface]?["Flags"]?.strings ?? []
      var declaration = [Self.properties(flags)]
      declaration += [UInt8(truncatingIfNeeded: handle + 1), UInt8((handle + 1) >> 8)]
      declaration += uuid.littleEndianBytes
      found.append(
        Attribute(handle: handle, type: Self.characteristic, kind: .declaration(declaration)))
      found.append(Attribute(handle: handle + 1, type: uuid, kind: .value(path: path)))
      if uuid == Self.serviceChangedType { serviceChanged = path }
      if flags.contains("notify") || flags.contains("indicate") {
        notifying[path] = (handle + 1, !flags.contains("notify"))
      }
    }
    // bluetoothd may not export the configuration, which is then right after the value.
    for (path, value) in notifying
    where !found.contains(where: { $0.kind == .configuration(path: path) }) {
      guard !found.contains(where: { $0.handle == value.handle + 1 }) else { continue }
      found.append(
        Attribute(
          handle: value.handle + 1, type: Self.configuration, kind: .configuration(path: path)))
    }
    let uuids = tree[device, BlueZDevice.interface]?["UUIDs"]?.strings ?? []
    withheld = Set(uuids.compactMap(BluetoothUUID.init(_:))).intersection(Self.claimable)
      .subtracting(services.map(\.uuid))
    services.sort { $0.start < $1.start }
    for (index, service) in services.enumerated() {
      let end = index + 1 < services.count ? services[index + 1].start - 1 : 0xFFFF
      found.append(
        Attribute(
          handle: service.start, type: Self.primaryService,
          kind: .service(service.uuid, end: end)))
    }
    attributes = found.sorted { $0.handle < $1.handle }
    self.serviceChanged = serviceChanged
    self.notifying = notifying
  }

  static func handle(_ path: String) -> UInt16? {
    let name = path.split(separator: "/").last ?? ""
    guard ["service", "char", "desc"].contains(where: { name.dropLast(4) == $0 }) else {
      return nil
    }
    return UInt16(name.suffix(4), radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }

  /// Returns the properties of a characteristic declaration (Core 5.4, Vol 3, Part G, 3.3.1.1).
  private static func properties(_ flags: [String]) -> UInt8 {
    let bits = [
      "broadcast", "read", "write-without-response", "write", "notify", "indicate",
      "authenticated-signed-writes", "extended-properties",
    ]
    return bits.enumerated().reduce(0) { value, bit in
      flags.contains(bit.element) ? value | 1 << UInt8(bit.offset) : value
    }
  }

  /// The exported services with writable values that bluetoothd's own profiles would claim.
  var claimed: Set<BluetoothUUID> {
    Set(
      attributes.compactMap { attribute in
        guard case .service(let uuid, _) = attribute.kind else { return nil }
        return uuid
      }
    ).intersection(Self.claimable).subtracting([.bit16(0x1846), .bit16(0x1850), .bit16(0xFDF0)])
  }

  static func values(in tree: DBusObjectTree, of device: String) -> [String] {
    tree.objects.filter {
      $0.key.hasPrefix(device + "/") && $0.value[characteristicInterface] != nil
    }.map(\.key)
  }

  /// Adopts the changed attributes, and returns the indication of Service Changed.
  ///
  /// An empty set is ignored, because bluetoothd is reading the attributes again.
  mutating func change(to tree: DBusObjectTree, of device: String) -> ATTServerPDU? {
    var new = RemoteAttributes(tree, of: device, mtu: linkMTU)
    guard !new.attributes.isEmpty, new.attributes != attributes else { return nil }
    new.mtu = mtu
    new.configured = configured.filter { new.notifying[$0.key] != nil }
    let handle = serviceChanged.flatMap { notifying[$0]?.handle }
    self = new
    return handle.map { .indication(ATTHandleValue(handle: $0, value: [1, 0, 0xFF, 0xFF])) }
  }

  /// Returns the notification of a changed value, or nil if the client has not subscribed.
  func pushed(_ value: [UInt8], of path: String) -> ATTServerPDU? {
    guard let place = notifying[path], configured[path] != nil else { return nil }
    return .notification(
      ATTHandleValue(handle: place.handle, value: value.prefix(mtu - 3)))
  }

  /// Handles a PDU of the client; malformed ones get «Request Not Supported».
  mutating func receive(_ pdu: Bytes) -> Step {
    guard let decoded = try? ATTClientPDU(decoding: pdu) else {
      let opcode = ATTOpcode(rawValue: pdu.first ?? 0)
      return .respond(
        .error(ATTErrorResponse(opcode: opcode, handle: 0, code: .requestNotSupported)))
    }
    switch decoded {
    case .confirmation, .command(.signedWrite): return .ignore
    case .command(.write(let handle, let value)):
      guard case .value(let path)? = self[handle]?.kind else { return .ignore }
      return .command(path: path, Array(value))
    case .request(let request):
      do throws(ATTErrorResponse) {
        return try step(request)
      } catch {
        return .respond(.error(error))
      }
    }
  }

  private mutating func step(_ request: ATTRequest) throws(ATTErrorResponse) -> Step {
    switch request {
    case .exchangeMTU(let client):
      mtu = Int(max(Self.leastMTU, min(client, linkMTU)))
      return .respond(.exchangeMTU(serverMTU: linkMTU))
    case .findInformation(let range): return .respond(try information(in: range, request))
    case .findByTypeValue(let range, let type, let value):
      let groups = services(in: range).filter {
        type == 0x2800 && $0.uuid.littleEndianBytes[...] == value
      }
      guard !groups.isEmpty else { throw notFound(request, range.start) }
      return .respond(.findByTypeValue(groups.prefix((mtu - 1) / 4).map(\.range)))
    case .readByGroupType(let range, let type):
      guard type == Self.primaryService else {
        throw ATTErrorResponse(
          opcode: request.opcode, handle: range.start, code: .unsupportedGroupType)
      }
      return .respond(try groups(in: range, request))
    case .readByType(let range, let type): return try readByType(range, type, request)
    case .read(let handle): return try read(handle, offset: 0, request)
    case .readBlob(let handle, let offset):
      return try read(handle, offset: Int(offset), request)
    case .write(let handle, let value): return try write(Array(value), to: handle, request)
    case .prepareWrite(let handle, let offset, let value):
      guard prepared.count < Self.queueLimit else {
        throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .prepareQueueFull)
      }
      prepared.append((handle, Array(value)))
      return .respond(.prepareWrite(handle: handle, offset: offset, value: value))
    case .executeWrite(let flag):
      let parts = prepared
      prepared = []
      guard flag == .commit, !parts.isEmpty else { return .respond(.executeWrite) }
      return try execute(parts, request)
    case .readMultiple, .readMultipleVariable:
      throw ATTErrorResponse(opcode: request.opcode, handle: 0, code: .requestNotSupported)
    }
  }

  private subscript(handle: UInt16) -> Attribute? { attributes.first { $0.handle == handle } }

  private func notFound(_ request: ATTRequest, _ handle: UInt16) -> ATTErrorResponse {
    ATTErrorResponse(opcode: request.opcode, handle: handle, code: .attributeNotFound)
  }

  private func services(
    in range: ATTHandleRange
  ) -> [(range: ATTHandleRange, uuid: BluetoothUUID)] {
    attributes.compactMap { attribute in
      guard case .service(let uuid, let end) = attribute.kind, range.contains(attribute.handle)
      else { return nil }
      return (ATTHandleRange(start: attribute.handle, end: end), uuid)
    }
  }

  private func groups(
    in range: ATTHandleRange, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> ATTResponse {
    let groups = services(in: range).map {
      ATTGroup(range: $0.range, value: $0.uuid.littleEndianBytes[...])
    }
    guard let first = groups.first else { throw notFound(request, range.start) }
    let alike = groups.prefix { $0.value.count == first.value.count }
    return .readByGroupType(Array(alike.prefix((mtu - 2) / (4 + first.value.count))))
  }

  private func information(
    in range: ATTHandleRange, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> ATTResponse {
    let found = attributes.filter { range.contains($0.handle) }
    guard let first = found.first else { throw notFound(request, range.start) }
    let width = first.type.littleEndianBytes.count
    let alike = found.prefix { $0.type.littleEndianBytes.count == width }
    return .findInformation(
      alike.prefix((mtu - 2) / (2 + width)).map {
        ATTInformation(handle: $0.handle, type: $0.type)
      })
  }

  private func readByType(
    _ range: ATTHandleRange, _ type: BluetoothUUID, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> Step {
    let found = attributes.filter { $0.type == type && range.contains($0.handle) }
    guard let first = found.first else { throw notFound(request, range.start) }
    guard case .declaration(let bytes) = first.kind else {
      return try read(first.handle, offset: 0, request)
    }
    var items: [ATTHandleValue] = []
    for attribute in found.prefix((mtu - 2) / (2 + bytes.count)) {
      guard case .declaration(let value) = attribute.kind, value.count == bytes.count else { break }
      items.append(ATTHandleValue(handle: attribute.handle, value: value[...]))
    }
    return .respond(.readByType(items))
  }

  private func read(
    _ handle: UInt16, offset: Int, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> Step {
    switch self[handle]?.kind {
    case nil:
      throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .invalidHandle)
    case .value(let path)?, .descriptor(let path)?:
      return .read(path: path, offset: offset, request)
    case .declaration(let bytes)?: return respond(bytes, offset, handle, request)
    case .service(let uuid, _)?: return respond(uuid.littleEndianBytes, offset, handle, request)
    case .configuration(let path)?:
      return respond(configured[path] ?? [0, 0], offset, handle, request)
    }
  }

  private func respond(
    _ bytes: [UInt8], _ offset: Int, _ handle: UInt16, _ request: ATTRequest
  ) -> Step {
    .respond(response(to: request, value: Array(bytes.dropFirst(offset)), handle: handle))
  }

  private mutating func write(
    _ value: [UInt8], to handle: UInt16, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> Step {
    switch self[handle]?.kind {
    case nil:
      throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .invalidHandle)
    case .value(let path)?, .descriptor(let path)?:
      return .write([Value(path: path, bytes: value)], request)
    case .configuration(let path)?:
      let isOn = value.first.map { $0 & 3 != 0 } ?? false
      configured[path] = isOn ? value : nil
      // bluetoothd itself follows Service Changed. If the caller of StartNotify leaves before the
      // reply, neither that call nor any later one for the characteristic completes on the link
      // (5.66).
      if path == serviceChanged { return .respond(.write) }
      return .subscribe(path: path, isOn: isOn, request)
    case .service?, .declaration?:
      throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .writeNotPermitted)
    }
  }

  private mutating func execute(
    _ parts: [(handle: UInt16, value: [UInt8])], _ request: ATTRequest
  ) throws(ATTErrorResponse) -> Step {
    var values: [Value] = []
    for (index, part) in parts.enumerated()
    where !parts[..<index].contains(where: { $0.handle == part.handle }) {
      let whole = parts.filter { $0.handle == part.handle }.flatMap(\.value)
      guard case .write(let value, _) = try write(whole, to: part.handle, request) else {
        throw ATTErrorResponse(
          opcode: request.opcode, handle: part.handle, code: .requestNotSupported)
      }
      values += value
    }
    return .write(values, request)
  }

  mutating func finish(
    _ request: ATTRequest, with result: Result<[UInt8], DBusError>
  ) -> ATTResponse {
    let handle = handle(of: request)
    switch result {
    case .success(let value): return response(to: request, value: value, handle: handle)
    case .failure(let error):
      var code = ATTErrorCode(error, of: request)
      // bluetoothd rejects the write without a request to the device, so pairing would not help.
      if code == .insufficientAuthorization, request.isWrite,
        let service = service(of: handle), Self.claimable.contains(service)
      {
        withheld.insert(service)
        code = .writeNotPermitted
      }
      return .error(ATTErrorResponse(opcode: request.opcode, handle: handle, code: code))
    }
  }

  private func service(of handle: UInt16) -> BluetoothUUID? {
    attributes.lazy.compactMap { attribute -> BluetoothUUID? in
      // If two services have the same handle, the range of the first is empty.
      guard case .service(let uuid, let end) = attribute.kind,
        ATTHandleRange(start: attribute.handle, end: end).contains(handle)
      else { return nil }
      return uuid
    }.first
  }

  private func handle(of request: ATTRequest) -> UInt16 {
    switch request {
    case .read(let handle), .readBlob(let handle, _), .write(let handle, _),
      .prepareWrite(let handle, _, _):
      handle
    case .readByType(let range, let type):
      attributes.first { $0.type == type && range.contains($0.handle) }?.handle ?? range.start
    default: 0
    }
  }

  private func response(to request: ATTRequest, value: [UInt8], handle: UInt16) -> ATTResponse {
    switch request {
    case .readBlob: .readBlob(value: value.prefix(mtu - 1))
    case .readByType:
      .readByType([ATTHandleValue(handle: handle, value: value.prefix(min(mtu - 4, 253)))])
    case .write: .write
    case .executeWrite: .executeWrite
    default: .read(value: value.prefix(mtu - 1))
    }
  }
}

extension ATTRequest {
  fileprivate var isWrite: Bool {
    switch self {
    case .write, .prepareWrite, .executeWrite: true
    default: false
    }
  }
}

extension ATTErrorCode {
  /// Creates the ATT error code for an error of bluetoothd.
  ///
  /// Most codes are in the message: "Operation failed with ATT error: 0x80". The others depend on
  /// name and message (`create_gatt_dbus_error`, the same from bluetoothd 5.66 to 5.87). "Not
  /// paired" means 0x05, 0x0C or 0x0F. It becomes Insufficient Encryption, which requires only
  /// pairing, because bluetoothd itself raises the security of a paired link.
  init(_ error: DBusError, of request: ATTRequest) {
    guard case .refused(let name, let words) = error else {
      self = .unlikelyError
      return
    }
    if let digits = words.split(separator: "0x").last, words.contains("ATT error: 0x"),
      let code = UInt8(digits.prefix(2), radix: 16)
    {
      self.init(rawValue: code)
      return
    }
    self =
      switch (name, words) {
      case ("org.bluez.Error.NotPermitted", "Not paired"): .insufficientEncryption
      case ("org.bluez.Error.NotPermitted", "Write acquired"),
        ("org.bluez.Error.NotPermitted", "Notify acquired"), ("org.bluez.Error.InProgress", _):
        .procedureAlreadyInProgress
      case ("org.bluez.Error.NotPermitted", _):
        request.isWrite ? .writeNotPermitted : .readNotPermitted
      case ("org.bluez.Error.NotAuthorized", _): .insufficientAuthorization
      case ("org.bluez.Error.InvalidArguments", "Invalid offset"): .invalidOffset
      case ("org.bluez.Error.InvalidArguments", "Invalid Length"): .invalidAttributeValueLength
      case ("org.bluez.Error.NotSupported", _): .requestNotSupported
      case ("org.freedesktop.DBus.Error.UnknownObject", _): .invalidHandle
      default: .unlikelyError
      }
  }
}

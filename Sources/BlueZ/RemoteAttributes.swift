internal import Bluetooth
internal import BluetoothCodec
internal import DBus

/// An ATT server over bluetoothd's GATT objects, as a value.
///
/// Where bluetoothd holds the only ATT channel of a headphone, this stands in for the headphone's
/// server, so that the GATT client needs no second implementation. Object paths contain the
/// handles:
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
  /// The reaction to a PDU.
  enum Step: Hashable {
    /// Send this response.
    case respond(ATTResponse)
    /// Read a value by ReadValue, and send the response that ``finish(_:with:)`` makes of it.
    case read(path: String, offset: Int, ATTRequest)
    /// Write a value by WriteValue, then finish the request.
    case write(path: String, [UInt8], ATTRequest)
    /// Write a value without response.
    case command(path: String, [UInt8])
    /// Call StartNotify or StopNotify, then finish the request.
    case subscribe(path: String, isOn: Bool, ATTRequest)
    /// Do nothing: a confirmation, a signed write, or a command for an unknown handle.
    case ignore
  }

  /// The content of an attribute, as far as it is known without a call.
  private enum Kind: Hashable {
    /// A service declaration; `end` is the last handle of the service.
    case service(BluetoothUUID, end: UInt16)
    /// A characteristic declaration, with its value.
    case declaration([UInt8])
    /// The value of the characteristic at an object path.
    case value(path: String)
    /// The Client Characteristic Configuration of the characteristic at an object path.
    case configuration(path: String)
    /// The descriptor at an object path.
    case descriptor(path: String)
  }

  /// An attribute of the database: handle, type, content.
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
  /// The services that bluetoothd's own profiles claim where its experimental features are on: inputs, volume, volume
  /// offsets, sets, microphones, streams, broadcasts, capabilities, ASHA.
  ///
  /// It does not export what it has claimed; since 5.80 it exports it, and refuses to write (main.conf,
  /// ExportClaimedServices). It still lists them in the UUIDs of the device.
  private static let claimable: Set<BluetoothUUID> = [
    .bit16(0x1843), .bit16(0x1844), .bit16(0x1845), .bit16(0x1846), .bit16(0x184D), .bit16(0x184E),
    .bit16(0x184F), .bit16(0x1850), .bit16(0xFDF0),
  ]
  /// The ATT_MTU that bluetoothd offers, in bytes.
  private static let serverMTU: UInt16 = 517
  /// The number of parts of a queued write.
  private static let queueLimit = 64

  /// All attributes in the order of their handles.
  private let attributes: [Attribute]
  /// The handle of each value that can be notified, by object path.
  private let notifying: [String: (handle: UInt16, isIndicated: Bool)]
  /// The object path of Service Changed.
  private let serviceChanged: String?
  /// The ATT_MTU in bytes.
  private var mtu = 23
  /// The queued parts of a long write.
  private var prepared: [(handle: UInt16, value: [UInt8])] = []
  /// The Client Characteristic Configurations that are not zero, by object path.
  private var configured: [String: [UInt8]] = [:]
  /// The services that bluetoothd keeps for itself: those that the device has and bluetoothd does not export, and those
  /// of which it has refused to write a value.
  private(set) var withheld: Set<BluetoothUUID>

  /// Builds the database of a device.
  ///
  /// A Client Characteristic Configuration that bluetoothd does not export is added after its
  /// value.
  ///
  /// - Parameters:
  ///   - tree: all objects of bluetoothd.
  ///   - device: the object path of the device.
  init(_ tree: DBusObjectTree, of device: String) {
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

  /// The handle in the last component of a path: four hexadecimal digits, not zero.
  private static func handle(_ path: String) -> UInt16? {
    let name = path.split(separator: "/").last ?? ""
    guard ["service", "char", "desc"].contains(where: { name.dropLast(4) == $0 }) else {
      return nil
    }
    return UInt16(name.suffix(4), radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The properties of a characteristic declaration (Core 5.4, Vol 3, Part G, 3.3.1.1).
  private static func properties(_ flags: [String]) -> UInt8 {
    let bits = [
      "broadcast", "read", "write-without-response", "write", "notify", "indicate",
      "authenticated-signed-writes", "extended-properties",
    ]
    return bits.enumerated().reduce(0) { value, bit in
      flags.contains(bit.element) ? value | 1 << UInt8(bit.offset) : value
    }
  }

  /// The services that bluetoothd exports although its own profiles would claim them, and whose values are written.
  var claimed: Set<BluetoothUUID> {
    Set(
      attributes.compactMap { attribute in
        guard case .service(let uuid, _) = attribute.kind else { return nil }
        return uuid
      }
    ).intersection(Self.claimable).subtracting([.bit16(0x1846), .bit16(0x1850), .bit16(0xFDF0)])
  }

  /// Whether bluetoothd exports no attribute.
  var isEmpty: Bool { attributes.isEmpty }

  /// The notification of a changed value.
  ///
  /// - Parameters:
  ///   - value: the bytes, truncated to the ATT_MTU less 3.
  ///   - path: the object path of the characteristic.
  /// - Returns: `nil` if the client has not subscribed to it.
  func pushed(_ value: [UInt8], of path: String) -> ATTServerPDU? {
    guard let place = notifying[path], configured[path] != nil else { return nil }
    return .notification(
      ATTHandleValue(handle: place.handle, value: value.prefix(mtu - 3)))
  }

  // MARK: Requests

  /// Takes a PDU of the client.
  ///
  /// - Parameter pdu: any bytes; what is no PDU of a client gets «Request Not Supported».
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

  /// The reaction to a request.
  ///
  /// - Throws: the error response.
  private mutating func step(_ request: ATTRequest) throws(ATTErrorResponse) -> Step {
    switch request {
    case .exchangeMTU(let client):
      mtu = max(23, Int(min(client, Self.serverMTU)))
      return .respond(.exchangeMTU(serverMTU: Self.serverMTU))
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
      guard flag == .commit, let handle = parts.first?.handle else {
        return .respond(.executeWrite)
      }
      return try write(
        parts.filter { $0.handle == handle }.flatMap(\.value), to: handle, request)
    case .readMultiple, .readMultipleVariable:
      throw ATTErrorResponse(opcode: request.opcode, handle: 0, code: .requestNotSupported)
    }
  }

  /// The attribute of a handle.
  private subscript(handle: UInt16) -> Attribute? { attributes.first { $0.handle == handle } }

  /// The error response that ends a discovery.
  private func notFound(_ request: ATTRequest, _ handle: UInt16) -> ATTErrorResponse {
    ATTErrorResponse(opcode: request.opcode, handle: handle, code: .attributeNotFound)
  }

  /// The services that start within a range.
  private func services(
    in range: ATTHandleRange
  ) -> [(range: ATTHandleRange, uuid: BluetoothUUID)] {
    attributes.compactMap { attribute in
      guard case .service(let uuid, let end) = attribute.kind, range.contains(attribute.handle)
      else { return nil }
      return (ATTHandleRange(start: attribute.handle, end: end), uuid)
    }
  }

  /// The Read By Group Type response: services of the first one's UUID size, as many as fit.
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

  /// The Find Information response: attributes of the first one's UUID size, as many as fit.
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

  /// The reaction to Read By Type: declarations of the first one's size, or one value.
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

  /// The reaction to Read and Read Blob.
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

  /// The response to a read of bytes that are known.
  private func respond(
    _ bytes: [UInt8], _ offset: Int, _ handle: UInt16, _ request: ATTRequest
  ) -> Step {
    .respond(response(to: request, value: Array(bytes.dropFirst(offset)), handle: handle))
  }

  /// The reaction to Write and to a committed Execute Write.
  private mutating func write(
    _ value: [UInt8], to handle: UInt16, _ request: ATTRequest
  ) throws(ATTErrorResponse) -> Step {
    switch self[handle]?.kind {
    case nil:
      throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .invalidHandle)
    case .value(let path)?, .descriptor(let path)?: return .write(path: path, value, request)
    case .configuration(let path)?:
      let isOn = value.first.map { $0 & 3 != 0 } ?? false
      configured[path] = isOn ? value : nil
      // bluetoothd follows Service Changed by itself. A StartNotify whose caller leaves before the
      // reply is never completed (5.66), nor is any later one of that characteristic on the link.
      if path == serviceChanged { return .respond(.write) }
      return .subscribe(path: path, isOn: isOn, request)
    case .service?, .declaration?:
      throw ATTErrorResponse(opcode: request.opcode, handle: handle, code: .writeNotPermitted)
    }
  }

  // MARK: Results

  /// The response for the result of a call.
  ///
  /// - Parameters:
  ///   - request: the request of the step.
  ///   - result: the value that was read, empty after a write, or bluetoothd's error.
  mutating func finish(
    _ request: ATTRequest, with result: Result<[UInt8], DBusError>
  ) -> ATTResponse {
    let handle = handle(of: request)
    switch result {
    case .success(let value): return response(to: request, value: value, handle: handle)
    case .failure(let error):
      var code = ATTErrorCode(error, of: request)
      // bluetoothd's own refusal, as the device gets no request: neither pairing nor the device can change it.
      if code == .insufficientAuthorization, request.isWrite,
        let service = service(of: handle), Self.claimable.contains(service)
      {
        withheld.insert(service)
        code = .writeNotPermitted
      }
      return .error(ATTErrorResponse(opcode: request.opcode, handle: handle, code: code))
    }
  }

  /// The service of an attribute.
  private func service(of handle: UInt16) -> BluetoothUUID? {
    attributes.lazy.compactMap { attribute -> BluetoothUUID? in
      // Of two services at one handle the first ends before it begins.
      guard case .service(let uuid, let end) = attribute.kind,
        ATTHandleRange(start: attribute.handle, end: end).contains(handle)
      else { return nil }
      return uuid
    }.first
  }

  /// The handle that an error response to a request names.
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

  /// The response to a request, with the value truncated to what fits.
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
  /// Whether it changes a value.
  fileprivate var isWrite: Bool {
    switch self {
    case .write, .prepareWrite, .executeWrite: true
    default: false
    }
  }
}

extension ATTErrorCode {
  /// The ATT error code for an error of bluetoothd.
  ///
  /// Most codes are in the message: "Operation failed with ATT error: 0x80". These are not
  /// (`create_gatt_dbus_error`, the same from bluetoothd 5.66 to 5.87):
  ///
  /// | error | message | code |
  /// | --- | --- | --- |
  /// | NotPermitted | Read not permitted, Write not permitted | Read or Write Not Permitted |
  /// | NotPermitted | Not paired | Insufficient Encryption, for any of 0x05, 0x0C and 0x0F |
  /// | NotPermitted | Write acquired, Notify acquired: by another program | Procedure Already In Progress |
  /// | NotAuthorized | | Insufficient Authorization |
  /// | InvalidArguments | Invalid offset, Invalid Length | Invalid Offset, Invalid Attribute Value Length |
  /// | NotSupported | | Request Not Supported |
  /// | InProgress | | Procedure Already In Progress |
  /// | any other | | Unlikely Error |
  ///
  /// Of the three that mean "Not paired", Insufficient Encryption asks for no more than the pairing: bluetoothd raises
  /// the security of a paired link by itself.
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
      default: .unlikelyError
      }
  }
}

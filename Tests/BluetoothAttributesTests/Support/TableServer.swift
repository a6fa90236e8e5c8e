import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport

/// An ATT server over a table of attributes, for discovery and reading.
///
/// It is as strict as the specification: lists have entries of one length, and as many as fit the
/// MTU.
actor TableServer {
  struct Attribute: Sendable {
    var handle: UInt16
    var type: BluetoothUUID
    var value: Bytes

    init(_ handle: UInt16, _ type: UInt16, _ value: String) {
      self.init(handle, .bit16(type), hex(value))
    }

    init(_ handle: UInt16, _ type: BluetoothUUID, _ value: Bytes) {
      self.handle = handle
      self.type = type
      self.value = value
    }
  }

  var attributes: [Attribute]
  /// The requests that are answered with Request Not Supported.
  var unsupported: Set<ATTOpcode> = []
  /// The errors for reads and writes, by handle.
  var errors: [UInt16: ATTErrorCode] = [:]
  /// The errors for the next requests, whatever they are.
  var nextErrors: [ATTErrorCode] = []
  /// Whether responses fit the MTU.
  var keepsToMTU = true
  /// The maximum number of items on a page.
  var pageLimit = Int.max
  /// Runs before each response.
  var beforeResponse: @Sendable (isolated TableServer, ATTRequest) async -> Void = { _, _ in }
  private(set) var requests: [ATTRequest] = []
  /// The handles of all writes, including those without response.
  private(set) var written: [UInt16] = []
  private let serverMTU: UInt16
  private var mtu = 23
  nonisolated let bearer: SocketBearer

  init(_ attributes: [Attribute], bearer: SocketBearer, mtu: UInt16 = 517) {
    self.attributes = attributes
    self.bearer = bearer
    serverMTU = mtu
  }

  func change(_ body: @Sendable (isolated TableServer) -> Void) { body(self) }

  func forgetRequests() { requests = [] }

  /// Answers until the link ends, and hangs up instead of sending more than `limit` responses.
  func serve(atMost limit: Int = .max) async {
    while let pdu = try? await bearer.receive() {
      guard requests.count < limit else { return bearer.close(.user) }
      let decoded = try? ATTClientPDU(decoding: pdu)
      if case .command(.write(let handle, _)) = decoded { written.append(handle) }
      guard case .request(let request) = decoded else { continue }
      if case .write(let handle, _) = request { written.append(handle) }
      requests.append(request)
      await beforeResponse(self, request)
      let answer = ATTServerPDU.response(response(to: request)).encoded().prefix(
        keepsToMTU ? mtu : .max)
      if case .exchangeMTU(let clientMTU) = request { mtu = Int(min(clientMTU, serverMTU)) }
      try? await bearer.send(Bytes(answer))
    }
  }

  func report(_ pdu: String) async { try? await bearer.send(hex(pdu)) }

  private func response(to request: ATTRequest) -> ATTResponse {
    func error(_ code: ATTErrorCode, _ handle: UInt16 = 0) -> ATTResponse {
      .error(ATTErrorResponse(opcode: request.opcode, handle: handle, code: code))
    }
    if unsupported.contains(request.opcode) { return error(.requestNotSupported) }
    if !nextErrors.isEmpty { return error(nextErrors.removeFirst()) }
    switch request {
    case .exchangeMTU: return .exchangeMTU(serverMTU: serverMTU)
    case .read(let handle):
      if let code = errors[handle] { return error(code, handle) }
      guard let found = attribute(handle) else { return error(.invalidHandle, handle) }
      return .read(value: found.value.prefix(mtu - 1))
    case .readBlob(let handle, let offset):
      guard let found = attribute(handle) else { return error(.invalidHandle, handle) }
      guard Int(offset) <= found.value.count else { return error(.invalidOffset, handle) }
      return .readBlob(value: found.value.dropFirst(Int(offset)).prefix(mtu - 1))
    case .write(let handle, let value):
      if let code = errors[handle] { return error(code, handle) }
      guard let place = attributes.firstIndex(where: { $0.handle == handle }) else {
        return error(.invalidHandle, handle)
      }
      attributes[place].value = value
      return .write
    case .readMultipleVariable(let handles):
      if let failed = handles.first(where: { errors[$0] != nil }), let code = errors[failed] {
        return error(code, failed)
      }
      return variable(handles)
    case .readByType(let range, let type):
      if let first = attributes.first(where: { range.contains($0.handle) && $0.type == type }),
        let code = errors[first.handle]
      {
        return error(code, first.handle)
      }
      return byType(range, type) ?? error(.attributeNotFound)
    case .readByGroupType(let range, let type):
      return groups(range, type) ?? error(.attributeNotFound)
    case .findInformation(let range): return information(range) ?? error(.attributeNotFound)
    case .findByTypeValue(let range, let type, let value):
      return byValue(range, type, value) ?? error(.attributeNotFound)
    default: return error(.requestNotSupported)
    }
  }

  private func attribute(_ handle: UInt16) -> Attribute? {
    attributes.first { $0.handle == handle }
  }

  private func variable(_ handles: [UInt16]) -> ATTResponse {
    var values: [Bytes] = []
    var room = keepsToMTU ? mtu - 1 : .max
    for value in handles.compactMap({ attribute($0)?.value }) {
      guard room >= 2 + value.count else {
        return .readMultipleVariable(values: values + [value], isComplete: true)
      }
      values.append(value)
      room -= 2 + value.count
    }
    return .readMultipleVariable(values: values, isComplete: true)
  }

  private func byType(_ range: ATTHandleRange, _ type: BluetoothUUID) -> ATTResponse? {
    let found = attributes.filter { range.contains($0.handle) && $0.type == type }
    guard let length = found.first.map({ min($0.value.count, mtu - 4, 253) }) else { return nil }
    let page = found.prefix {
      min($0.value.count, mtu - 4, 253) == length && errors[$0.handle] == nil
    }
    .prefix(min(pageLimit, (mtu - 2) / (2 + length)))
    return .readByType(
      page.map { ATTHandleValue(handle: $0.handle, value: $0.value.prefix(length)) })
  }

  private func groups(_ range: ATTHandleRange, _ type: BluetoothUUID) -> ATTResponse? {
    let found = attributes.filter { range.contains($0.handle) && $0.type == type }
    guard let length = found.first?.value.count else { return nil }
    let page = found.prefix { $0.value.count == length }
      .prefix(min(pageLimit, (mtu - 2) / (4 + length)))
    return .readByGroupType(
      page.map { ATTGroup(range: groupRange(of: $0), value: $0.value) })
  }

  private func groupRange(of attribute: Attribute) -> ATTHandleRange {
    let next = attributes.first {
      $0.handle > attribute.handle && ($0.type == .primaryService || $0.type == .secondaryService)
    }
    let last = attributes.last { $0.handle < next?.handle ?? .max }
    return ATTHandleRange(start: attribute.handle, end: last?.handle ?? attribute.handle)
  }

  private func information(_ range: ATTHandleRange) -> ATTResponse? {
    let found = attributes.filter { range.contains($0.handle) }
    guard let isShort = found.first.map({ $0.type.short16 != nil }) else { return nil }
    let page = found.prefix { ($0.type.short16 != nil) == isShort }
      .prefix((mtu - 2) / (isShort ? 4 : 18))
    return .findInformation(page.map { ATTInformation(handle: $0.handle, type: $0.type) })
  }

  private func byValue(_ range: ATTHandleRange, _ type: UInt16, _ value: Bytes) -> ATTResponse? {
    let found = attributes.filter {
      range.contains($0.handle) && $0.type == .bit16(type) && $0.value == value
    }
    return found.isEmpty
      ? nil : .findByTypeValue(found.prefix((mtu - 1) / 4).map { groupRange(of: $0) })
  }
}

/// Runs `body` with a client of a table server.
func withServer(
  _ attributes: [TableServer.Attribute], mtu: UInt16 = 517, hooks: LinkCallbacks = LinkCallbacks(),
  options: GATTOptions = GATTOptions(),
  _ body: @Sendable (GATTClient, TableServer) async throws -> Void
) async throws {
  let (ours, theirs) = try SocketBearer.packetPair()
  let bearer = try SocketBearer(descriptor: ours, loop: .shared, hooks: hooks)
  let server = TableServer(
    attributes, bearer: try SocketBearer(descriptor: theirs, loop: .shared), mtu: mtu)
  let client = GATTClient(bearer: bearer, clock: ManualClock(), options: options)
  async let served: Void = server.serve()
  // The server ends with the link, also after a failure.
  let result: Result<Void, any Error>
  do { result = .success(try await body(client, server)) } catch { result = .failure(error) }
  await client.close()
  await served
  try result.get()
}

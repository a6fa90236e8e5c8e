public import BluetoothCodec
public import BluetoothRadio

/// A GATT server for one client as a value (Core 5.4, Vol 3, Parts F and G).
///
/// It keeps the configurations of a bonded client. Hostile PDUs get an error response to a request,
/// and none to a command. No response exceeds ATT_MTU, and ``Options/queueLimit`` limits prepared
/// writes.
///
/// ```swift
/// let level = CharacteristicDefinition(.bit16(0x2A19), [.read, .notify], value: [84])
/// var server = GATTServer([ServiceDefinition(.bit16(0x180F), [level])])
/// let effects = server.receive(pdu)
/// ```
public struct GATTServer: Sendable {
  /// The consequence of a PDU or a change.
  public enum Effect: Hashable, Sendable {
    /// Send a PDU of at most ATT_MTU bytes.
    case send(Bytes)
    /// The client has written a value, which is now in the table.
    case wrote(handle: UInt16, Bytes)
    /// The client has configured notifications and indications of a value.
    case configured(handle: UInt16, ClientConfiguration)
    case confirmed
  }

  /// The choices of a server that the specification allows.
  public struct Options: Hashable, Sendable {
    /// The ATT_MTU that the server offers, in bytes.
    public var mtu: UInt16
    /// Whether Read Multiple (fixed and variable) is answered at all.
    public var supportsReadMultiple: Bool
    /// The most prepared writes that can wait for their execution.
    public var queueLimit: Int

    public init(mtu: UInt16 = 517, supportsReadMultiple: Bool = true, queueLimit: Int = 64) {
      self.mtu = mtu
      self.supportsReadMultiple = supportsReadMultiple
      self.queueLimit = queueLimit
    }
  }

  /// The ATT_MTU of an LE bearer before the exchange, in bytes (Core 5.4, Vol 3, Part G, 5.2.1).
  public static let defaultMTU = 23

  public package(set) var table: AttributeTable
  public var options: Options
  /// The errors with which writes to these handles are rejected, for tests.
  public var refusals: [UInt16: ATTErrorCode] = [:]
  public var security = SecurityLevel.low
  /// Whether both devices have a key from pairing.
  public var isBonded = false

  public internal(set) var mtu = Self.defaultMTU
  var configurations: [UInt16: ClientConfiguration] = [:]
  var clientFeatures: UInt8 = 0
  var prepared: [PreparedWrite] = []
  var indications: [ATTHandleValue] = []
  var indicated: UInt16?
  var awareness = ChangeAwareness.aware
  var unconfirmedChange: ATTHandleRange?

  /// Creates a server with the declared values, and without a client.
  public init(_ services: [ServiceDefinition], options: Options = Options()) {
    table = AttributeTable(services)
    self.options = options
  }

  /// Handles one PDU of the client; the effects contain at most one response.
  public mutating func receive(_ pdu: Bytes) -> [Effect] {
    guard let opcode = pdu.first.map(ATTOpcode.init(rawValue:)) else { return [] }
    do throws(MalformedBytes) {
      guard pdu.count <= mtu else {
        throw MalformedBytes(
          opcode.description, at: mtu, .tooLong(count: pdu.count, limit: mtu))
      }
      switch try ATTClientPDU(decoding: pdu) {
      case .request(let request): return respond(to: request)
      case .command(.write(let handle, let value)): return write(command: value, to: handle)
      // There is no signing key (CSRK), so the command is ignored.
      case .command(.signedWrite): return []
      case .confirmation: return confirm()
      }
    } catch {
      return respondToMalformed(opcode, error)
    }
  }

  /// Ends the link; only the data of a bond are kept.
  public mutating func disconnect() {
    mtu = Self.defaultMTU
    prepared = []
    indications = []
    indicated = nil
    security = .low
    guard !isBonded else { return }
    configurations = [:]
    clientFeatures = 0
    awareness = .aware
    unconfirmedChange = nil
  }

  private mutating func respond(to request: ATTRequest) -> [Effect] {
    do throws(ATTErrorResponse) {
      try checkAwareness(of: request)
      let (response, effects) = try execute(request)
      return [send(.response(response))] + effects
    } catch {
      return [send(.response(.error(error)))]
    }
  }

  private mutating func execute(
    _ request: ATTRequest
  ) throws(ATTErrorResponse) -> (ATTResponse, [Effect]) {
    switch request {
    case .exchangeMTU(let clientMTU):
      defer { mtu = max(Self.defaultMTU, Int(min(clientMTU, options.mtu))) }
      return (.exchangeMTU(serverMTU: options.mtu), [])
    case .findInformation, .findByTypeValue, .readByGroupType:
      return (try discover(request), [])
    case .readByType, .read, .readBlob, .readMultiple, .readMultipleVariable:
      return (try read(request), [])
    case .write, .prepareWrite, .executeWrite: return try write(request)
    }
  }

  /// Answers a malformed or unknown request with an error; other PDUs get no response.
  private func respondToMalformed(_ opcode: ATTOpcode, _ error: MalformedBytes) -> [Effect] {
    guard !opcode.isCommand, opcode.sender != .server, opcode != .confirmation else { return [] }
    let code: ATTErrorCode = opcode.sender == nil ? .requestNotSupported : .invalidPDU
    return [send(.response(.error(ATTErrorResponse(opcode: opcode, handle: 0, code: code))))]
  }

  func send(_ pdu: ATTServerPDU) -> Effect { .send(pdu.encoded().prefix(mtu)) }
}

/// The bits of a Client Characteristic Configuration (Core 5.4, Vol 3, Part G, 3.3.3.3).
public struct ClientConfiguration: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let notifications = ClientConfiguration(rawValue: 1 << 0)
  public static let indications = ClientConfiguration(rawValue: 1 << 1)
}

struct PreparedWrite: Hashable, Sendable {
  var handle: UInt16
  var offset: Int
  var value: Bytes
}

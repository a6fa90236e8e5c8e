public import Bluetooth
public import BluetoothCodec
internal import GATT

/// A GATT server as a value: a client's PDU goes in, effects come out
/// (Core 5.4, Vol 3, Parts F and G).
///
/// It serves one client at a time, and keeps what a bonded one configured.
public struct GATTServer: Sendable {
  /// What follows from a PDU or a change.
  public enum Effect: Hashable, Sendable {
    /// Send these bytes; they are no longer than the MTU.
    case send(Bytes)
    /// The client has written a value, which the table holds now.
    case wrote(handle: UInt16, Bytes)
    /// The client has configured notifications and indications of a value.
    case configured(handle: UInt16, ClientConfiguration)
    /// The client has confirmed an indication.
    case confirmed
  }

  /// How the server behaves, within what the specification allows.
  public struct Options: Hashable, Sendable {
    /// ATT_MTU that the server offers; bytes.
    public var mtu: UInt16
    /// Whether Read Multiple (fixed and variable) is answered at all.
    public var answersReadMultiple: Bool
    /// Parts of long and reliable writes that wait for their execution.
    public var queueLimit: Int

    public init(mtu: UInt16 = 517, answersReadMultiple: Bool = true, queueLimit: Int = 64) {
      self.mtu = mtu
      self.answersReadMultiple = answersReadMultiple
      self.queueLimit = queueLimit
    }
  }

  /// Every ATT bearer of LE begins with this; bytes.
  public static let defaultMTU = 23

  /// The attributes with their values of today.
  public internal(set) var table: AttributeTable
  /// Changes count from the next PDU on.
  public var options: Options
  /// Errors to answer writes of these values with, whatever is written.
  public var refusals: [UInt16: ATTErrorCode] = [:]
  /// The protection of the link, which values may demand.
  public var security = SecurityLevel.low
  /// Whether the two ends share a key; decides which error demands encryption.
  public var isBonded = false

  /// ATT_MTU of the link; bytes.
  public internal(set) var mtu = Self.defaultMTU
  var configurations: [UInt16: ClientConfiguration] = [:]
  var clientFeatures: UInt8 = 0
  var prepared: [PreparedWrite] = []
  var indications: [ATTHandleValue] = []
  /// The handle of the indication that waits for its confirmation.
  var indicated: UInt16?
  var awareness = ChangeAwareness.aware
  /// Changed handles that the client has not confirmed to know.
  var unconfirmedChange: ATTHandleRange?

  /// A server before any client; every value as it was declared.
  public init(_ services: [ServiceDefinition], options: Options = Options()) {
    table = AttributeTable(services)
    self.options = options
  }

  /// Takes one PDU of the client.
  public mutating func receive(_ pdu: Bytes) -> [Effect] {
    guard let opcode = pdu.first.map(ATTOpcode.init(rawValue:)) else { return [] }
    do throws(MalformedBytes) {
      guard pdu.count <= mtu else {
        throw MalformedBytes(
          opcode.description, at: mtu, .tooLong(count: pdu.count, limit: mtu))
      }
      switch try ATTClientPDU(decoding: pdu) {
      case .request(let request): return answer(request)
      case .command(.write(let handle, let value)): return write(command: value, to: handle)
      // No key is shared that could sign; such a command is ignored.
      case .command(.signedWrite): return []
      case .confirmation: return confirm()
      }
    } catch {
      return answerMalformed(opcode, error)
    }
  }

  /// Ends the link: what a bond does not keep is forgotten.
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

  private mutating func answer(_ request: ATTRequest) -> [Effect] {
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

  /// An error for a request that is wrong or unknown; nothing for all that expects no answer.
  private func answerMalformed(_ opcode: ATTOpcode, _ error: MalformedBytes) -> [Effect] {
    guard !opcode.isCommand, opcode.sender != .server, opcode != .confirmation else { return [] }
    let code: ATTErrorCode = opcode.sender == nil ? .requestNotSupported : .invalidPDU
    return [send(.response(.error(ATTErrorResponse(opcode: opcode, handle: 0, code: code))))]
  }

  func send(_ pdu: ATTServerPDU) -> Effect { .send(pdu.encoded().prefix(mtu)) }
}

/// The bits of a CCCD (Core 5.4, Vol 3, Part G, 3.3.3.3).
public struct ClientConfiguration: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let notifications = ClientConfiguration(rawValue: 1 << 0)
  public static let indications = ClientConfiguration(rawValue: 1 << 1)
}

/// A part of a long or reliable write that waits for its execution.
struct PreparedWrite: Hashable, Sendable {
  var handle: UInt16
  var offset: Int
  var value: Bytes
}

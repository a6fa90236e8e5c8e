/// The return parameters of a command (Core 5.4, Vol 4, Part E, 7).
///
/// All but those of unknown commands begin with a status (1 byte).
public enum HCIReturn: Hashable, Sendable {
  case status(HCIStatus)
  case supportedCommands(HCISupportedCommands)
  /// The received signal strength of a link in dBm, or nil if unavailable.
  case rssi(connection: UInt16, Int8?)
  /// The PHYs on which this host transmits and receives on a link.
  case phy(connection: UInt16, transmit: PHY, receive: PHY)
  /// The status of a command that failed, and the meaningless bytes after it.
  case failure(HCIStatus, Bytes)
  /// The return parameters of any other command; empty after a spontaneous completion.
  case other(Bytes)

  init(of opcode: HCIOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .reset, .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters,
      .leSetExtendedScanEnable:
      self = .status(try reader.status())
    case .readLocalSupportedCommands, .readRSSI, .leReadPHY:
      let status = try reader.status()
      self =
        status.isSuccess
        ? try Self.success(opcode, &reader) : .failure(status, reader.rest())
    default: self = .other(reader.rest())
    }
  }

  private static func success(
    _ opcode: HCIOpcode, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> HCIReturn {
    switch opcode {
    case .readLocalSupportedCommands:
      return .supportedCommands(
        HCISupportedCommands(mask: try reader.read(HCISupportedCommands.count)))
    case .readRSSI: return .rssi(connection: try reader.uint16(), try reader.power())
    default:
      return .phy(
        connection: try reader.uint16(), transmit: PHY(rawValue: try reader.uint8()),
        receive: PHY(rawValue: try reader.uint8()))
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .status(let status): bytes.append(status.rawValue)
    case .failure(let status, let rest):
      bytes.append(status.rawValue)
      bytes += rest
    case .other(let parameters): bytes += parameters
    default:
      bytes.append(HCIStatus.success.rawValue)
      appendSuccess(to: &bytes)
    }
  }

  private func appendSuccess(to bytes: inout [UInt8]) {
    switch self {
    case .supportedCommands(let commands): bytes += commands.mask
    case .rssi(let connection, let rssi):
      bytes.append(littleEndian: connection)
      bytes.append(power: rssi)
    case .phy(let connection, let transmit, let receive):
      bytes.append(littleEndian: connection)
      bytes.append(transmit.rawValue)
      bytes.append(receive.rawValue)
    case .status, .failure, .other: break
    }
  }

  /// The status, or nil for commands that are not known to return one.
  public var status: HCIStatus? {
    switch self {
    case .status(let status), .failure(let status, _): status
    case .other: nil
    default: .success
    }
  }
}

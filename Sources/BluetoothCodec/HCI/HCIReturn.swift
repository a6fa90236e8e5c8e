/// What a command's completion returns, by its opcode (Core 5.4, Vol 4, Part E, 7).
public enum HCIReturn: Hashable, Sendable {
  /// Commands that return a status only.
  case status(HCIStatus)
  case localVersion(HCIVersion)
  /// Which commands the controller has, one bit each.
  case supportedCommands(HCISupportedCommands)
  /// The controller's public address; zero: it has none.
  case address(BluetoothAddress)
  /// dBm; nil if not available.
  case rssi(connection: UInt16, Int8?)
  case leFeatures(LEFeatures)
  /// The link's handle, and its PHYs by its own directions: what this host sends and receives.
  case phy(connection: UInt16, transmit: PHY, receive: PHY)
  /// The command failed; what follows the status means nothing.
  case failure(HCIStatus, Bytes)
  /// The parameters of a command that is not listed here, or none after a spontaneous completion.
  case other(Bytes)

  init(of opcode: HCIOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .setEventMask, .reset, .leSetEventMask, .leSetScanParameters, .leSetScanEnable,
      .leSetExtendedScanParameters, .leSetExtendedScanEnable:
      self = .status(try reader.status())
    case .readLocalVersion, .readLocalSupportedCommands, .readAddress, .readRSSI,
      .leReadLocalSupportedFeatures, .leReadPHY:
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
    case .readLocalVersion: return .localVersion(try HCIVersion(&reader))
    case .readLocalSupportedCommands:
      return .supportedCommands(
        HCISupportedCommands(mask: try reader.take(HCISupportedCommands.count)))
    case .readAddress: return .address(try reader.address())
    case .readRSSI: return .rssi(connection: try reader.uint16(), try reader.power())
    case .leReadLocalSupportedFeatures:
      return .leFeatures(LEFeatures(rawValue: try reader.uint64()))
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
    case .localVersion(let version): version.append(to: &bytes)
    case .supportedCommands(let commands): bytes += commands.mask
    case .address(let address): bytes.append(address)
    case .rssi(let connection, let rssi):
      bytes.append(littleEndian: connection)
      bytes.append(power: rssi)
    case .leFeatures(let features): bytes.append(littleEndian: features.rawValue)
    case .phy(let connection, let transmit, let receive):
      bytes.append(littleEndian: connection)
      bytes.append(transmit.rawValue)
      bytes.append(receive.rawValue)
    case .status, .failure, .other: break
    }
  }

  /// The command's status; nil where it is not known to return one.
  public var status: HCIStatus? {
    switch self {
    case .status(let status), .failure(let status, _): status
    case .other: nil
    default: .success
    }
  }
}

/// The L2CAP channels of a BR/EDR link, by its signals (Core 5.4, Vol 3, Part A, 4.2, 4.3, 4.6).
public struct ConnectedChannels: Hashable, Sendable {
  private struct Request: Hashable, Sendable {
    var psm: UInt16
    /// The CID that the requesting side assigned.
    var cid: UInt16
  }

  /// The PSM by the `isReceived` of a PDU and its CID, which the receiver assigned.
  private var psms: [Bool: [UInt16: UInt16]] = [:]
  private var requests: [Bool: [UInt8: Request]] = [:]
  /// The CIDs of the channels that carry sound, by `isReceived`.
  private var media: [Bool: Set<UInt16>] = [:]

  /// The PSM of AVDTP, whose first channel carries signals and whose later ones carry sound.
  public static let sound: UInt16 = 0x0019

  public init() {}

  /// Takes a PDU of the signalling channel, skipping malformed commands.
  public mutating func receive(signals: Bytes, isReceived: Bool) {
    var reader = ByteReader(signals, of: "L2CAP signal")
    while let code = try? reader.uint8(), let number = try? reader.uint8(),
      let length = try? reader.uint16(), var fields = try? reader.section(Int(length))
    {
      guard let first = try? fields.uint16(), let second = try? fields.uint16() else { continue }
      switch code {
      // Connection Request: PSM, source CID.
      case 0x02: requests[isReceived, default: [:]][number] = Request(psm: first, cid: second)
      // Connection Response: destination CID, source CID, result.
      case 0x03:
        guard (try? fields.uint16()) == 0,
          let request = requests[!isReceived]?.removeValue(forKey: number)
        else { continue }
        if request.psm == Self.sound, psms[isReceived]?.values.contains(Self.sound) == true {
          media[!isReceived, default: []].insert(first)
          media[isReceived, default: []].insert(second)
        }
        psms[!isReceived, default: [:]][first] = request.psm
        psms[isReceived, default: [:]][second] = request.psm
      // Disconnection Request: CIDs of the receiver and of the sender.
      case 0x06:
        remove(first, isReceived: isReceived)
        remove(second, isReceived: !isReceived)
      default: break
      }
    }
  }

  /// Returns the PSM of a PDU's channel, or nil if the channel was connected before.
  public func psm(of channel: UInt16, isReceived: Bool) -> UInt16? { psms[isReceived]?[channel] }

  /// Returns whether a channel carries sound.
  public func isSound(_ channel: UInt16, isReceived: Bool) -> Bool {
    media[isReceived]?.contains(channel) == true
  }

  private mutating func remove(_ channel: UInt16, isReceived: Bool) {
    psms[isReceived]?[channel] = nil
    media[isReceived]?.remove(channel)
  }
}

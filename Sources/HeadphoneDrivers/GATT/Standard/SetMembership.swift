internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// The membership of a headphone in a coordinated set (CSIS 1.0).
struct SetMembership: Hashable, Sendable {
  private(set) var set: CoordinatedSet
  /// The side that follows from the bud's rank, used if nothing else determines the side.
  private var rankedSide: Side?

  /// Creates a membership; arguments are nil if not reported, and ranks count from 1.
  init(key: SetKey, size: Int?, rank: UInt8?, side: Side?) {
    set = CoordinatedSet(key: key, size: size, side: side)
    rankedSide = size ?? 2 == 2 ? rank.flatMap { Side(rawValue: $0 &- 1) } : nil
  }

  /// Returns the part of a bud's only battery, and records the side of the bud.
  ///
  /// The audio location determines the side, or else the description of the battery, or else the
  /// rank.
  ///
  /// - Returns: nil unless the headphone is one of two buds with one battery each.
  mutating func parts(_ formats: [Bytes?]) -> [Part?]? {
    guard set.others == 1, formats.count == 1 else { return nil }
    let described: Side? =
      switch formats[0].flatMap(BatteryParts.part) {
      case .left: .left
      case .right: .right
      case .case, nil: nil
      }
    let side = set.side ?? described ?? rankedSide
    set.side = side
    return side.map { [$0.part] }
  }
}

enum SetReading: Hashable, Sendable {
  case none
  case member(SetMembership)
  /// The members are unknown, for a reason in words; with the event for a malformed key.
  case missing(String, HeadphoneEvent? = nil)

  static let unknownMembers = "the other members of its set"
  static let malformed = "\(unknownMembers): its set's key makes no sense"
  static let unreadable =
    "\(unknownMembers): its set's key is encrypted by a key that Earshot does not keep"
}

extension GATTBacked {
  /// Reads the coordinated set; `longTermKey` is called only if the set's key is encrypted.
  func readSet(
    by standard: StandardServices, _ longTermKey: () -> SecretKey?
  ) async throws(HeadphoneError) -> SetReading {
    guard let channel = standard.set else { return .none }
    let value: Bytes
    do throws(GATTError) {
      // Read alone and first: this read triggers pairing, and some servers do not respond at all if
      // one of several values requires pairing.
      value = try await client.read(channel.key.handle)
    } catch {
      // The other features of the headphone do not depend on the set.
      guard case .gatt = HeadphoneError(error) else { throw HeadphoneError(error) }
      return .missing("\(SetReading.unknownMembers): \(error.absence)")
    }
    let handles = [channel.size, channel.rank, standard.locations]
      .compactMap { $0?.canRead == true ? $0?.handle : nil }
    let values = try await gatt { client throws(GATTError) in
      try await client.readValues(handles).compactMapValues { try? $0.get() }
    }
    let key: SetKey
    do throws(MalformedBytes) {
      switch try ReceivedSetKey(decoding: value) {
      case .plain(let plain): key = plain
      case .encrypted(let encrypted):
        guard let longTermKey = longTermKey() else { return .missing(SetReading.unreadable) }
        key = encrypted.converted(by: longTermKey)
      }
    } catch {
      return .missing(SetReading.malformed, .malformed(error, value))
    }
    return .member(
      SetMembership(
        key: key, size: channel.size.flatMap { values[$0.handle]?.first }.map(Int.init),
        rank: channel.rank.flatMap { values[$0.handle]?.first },
        side: standard.locations.flatMap { values[$0.handle] }.flatMap(Side.init(locations:))))
  }
}

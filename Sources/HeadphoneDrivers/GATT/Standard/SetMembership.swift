internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// The membership of a headphone in a coordinated set (CSIS 1.0).
struct SetMembership: Hashable, Sendable {
  private(set) var set: CoordinatedSet
  /// The bud's side by its rank, where nothing else determines it.
  private var rankedSide: Side?

  /// - Parameters:
  ///   - size: the number of members; nil: the headphone does not report it.
  ///   - rank: of this member, from 1; nil: as above.
  ///   - side: where the headphone plays; nil: as above.
  init(key: SetKey, size: Int?, rank: UInt8?, side: Side?) {
    set = CoordinatedSet(key: key, size: size, side: side)
    rankedSide = size ?? 2 == 2 ? rank.flatMap { Side(rawValue: $0 &- 1) } : nil
  }

  /// The part of a bud's only battery: where it plays, else what describes the battery, else by
  /// rank.
  ///
  /// - Parameter formats: as for ``BatteryParts/parts(_:)``; nil there: no description.
  /// - Returns: nil where the headphone is no bud of two with a battery each.
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

/// What reading a coordinated set has shown.
enum SetReading: Hashable, Sendable {
  /// The headphone is a member of none.
  case none
  case member(SetMembership)
  /// Why the other members cannot be known, in words, and the key where it made no sense.
  case missing(String, HeadphoneEvent? = nil)

  static let unknownMembers = "the other members of its set"
  static let malformed = "\(unknownMembers): its set's key makes no sense"
  static let unreadable =
    "\(unknownMembers): its set's key is encrypted by a key that Earshot does not keep"
}

extension GATTBacked {
  /// Reads the coordinated set of which the headphone is a member, where there is one.
  ///
  /// - Parameter longTermKey: of the link; asked for only where the set's key is encrypted.
  func readSet(
    by standard: StandardServices, _ longTermKey: () -> SecretKey?
  ) async throws(HeadphoneError) -> SetReading {
    guard let channel = standard.set else { return .none }
    let value: Bytes
    do throws(GATTError) {
      // Alone, and first: reading it is what pairs, and there are servers that do not answer at all
      // where one of several values is for who is paired.
      value = try await client.read(channel.key.handle)
    } catch {
      // The rest of the headphone does not depend on it.
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

internal import BluetoothCodec
internal import GATT

/// The coordinated set of which the headphone is a member.
extension FamilyDriver {
  /// Reads it, where there is one.
  ///
  /// - Returns: why the other members cannot be known, in words; nil: they can, or there are none.
  func readSet() async throws(HeadphoneError) -> String? {
    set = nil
    guard let channel = standard.set else { return nil }
    let value: Bytes
    do throws(GATTError) {
      // Alone, and first: reading it is what pairs, and there are servers that do not answer at all
      // where one of several values is for who is paired.
      value = try await client.read(channel.key.handle)
    } catch .security, .att {
      // The rest of the headphone is there all the same.
      return Self.unread
    } catch {
      throw HeadphoneError(error)
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
        guard let longTermKey = longTermKey() else { return Self.unreadable }
        key = encrypted.converted(by: longTermKey)
      }
    } catch {
      report([.malformed(error, value)])
      return Self.unread
    }
    let size = channel.size.flatMap { values[$0.handle]?.first }.map(Int.init)
    let rank = channel.rank.flatMap { values[$0.handle]?.first }
    rankedSide = size ?? 2 == 2 ? rank.flatMap { Side(rawValue: $0 &- 1) } : nil
    let reported = standard.locations.flatMap { values[$0.handle] }.flatMap(Side.init(locations:))
    set = CoordinatedSet(key: key, size: size, side: reported)
    return nil
  }

  /// The part of a bud's only battery: where it plays, else what describes the battery, else by
  /// rank.
  ///
  /// - Parameter formats: as for ``BatteryParts/parts(_:)``; nil there: no description.
  /// - Returns: nil where the headphone is no bud of two with a battery each.
  func partsInSet(_ formats: [Bytes?]) -> [Part?]? {
    guard let set, set.others == 1, formats.count == 1 else { return nil }
    let described: Side? =
      switch formats[0].flatMap(BatteryParts.part) {
      case .left: .left
      case .right: .right
      case .case, nil: nil
      }
    let side = set.side ?? described ?? rankedSide
    self.set?.side = side
    return side.map { [$0.part] }
  }

  private static let unread = "the other members of its set: pair it, its set's key is not told"
  private static let unreadable =
    "the other members of its set: its set's key is encrypted by a key that Earshot does not keep"
}

extension Side {
  /// As `find` wants it.
  var mask: Sides { self == .left ? .left : .right }
}

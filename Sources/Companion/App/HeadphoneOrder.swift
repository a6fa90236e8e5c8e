import AudioRoute
import BluetoothCodec
import HeadphoneProtocols

/// The rank of a headphone in the list, nearest to the user's attention first.
package enum HeadphoneRank: Int, Hashable, Sendable, Comparable {
  case playing
  /// The headphone has a control link, or an audio link that could play.
  case connected
  /// The headphone has advertised in this run.
  case near
  /// The headphone was used on this computer, and has not advertised in this run.
  case known
  /// The headphone was paired elsewhere or named in a file, and never used here.
  case other

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  package var isHere: Bool { self < .known }
}

package struct HeadphonePlace: Hashable, Sendable {
  package let id: HeadphoneID
  package let rank: HeadphoneRank
}

extension State {
  package func rank(of headphone: HeadphoneState) -> HeadphoneRank {
    rank(of: headphone, route: route(of: headphone))
  }

  private func rank(of headphone: HeadphoneState, route: RouteState?) -> HeadphoneRank {
    switch route {
    case .connected: return .playing
    case .notRouted: return .connected
    case .none?, .unknown, nil: break
    }
    if headphone.link.isConnected { return .connected }
    if headphone.isNearby { return .near }
    return headphone.lastHeard == nil ? .other : .known
  }

  /// The identities of all headphones in the order of the list, which keys and clicks follow.
  ///
  /// Those nearby are sorted by the bars of their signal, known ones by when they were last heard,
  /// and the rest by discovery. While the cursor is in the list, the order is held, and new
  /// headphones are appended.
  package var headphoneOrder: [HeadphoneID] { headphonePlaces.map(\.id) }

  /// ``headphoneOrder`` with the ranks; with many headphones, compute it only once.
  package var headphonePlaces: [HeadphonePlace] {
    let sorted = sortedHeadphones
    guard let heldOrder else { return sorted }
    let ranks = Dictionary(sorted.map { ($0.id, $0) }) { first, _ in first }
    let held = Set(heldOrder)
    return heldOrder.compactMap { ranks[$0] } + sorted.filter { !held.contains($0.id) }
  }

  private var sortedHeadphones: [HeadphonePlace] {
    let devices = SoundDeviceTraits(audio)
    let places = headphones.enumerated().map { number, headphone in
      let route = devices.mayInclude(headphone) ? route(of: headphone) : nil
      let rank = rank(of: headphone, route: route)
      let order: Int64 =
        switch rank {
        case .near: -Int64(headphone.rssi.map { SignalStrength($0).rawValue } ?? 0)
        case .known: -(headphone.lastHeard?.milliseconds ?? 0)
        case .playing, .connected, .other: 0
        }
      return (place: HeadphonePlace(id: headphone.id, rank: rank), key: (rank, order, number))
    }
    return places.sorted { $0.key < $1.key }.map(\.place)
  }

  /// Holds the order of the list while the cursor is in it, also below other pages.
  mutating func holdOrder() {
    guard focus == .headphones else {
      heldOrder = nil
      return
    }
    if heldOrder == nil { heldOrder = sortedHeadphones.map(\.id) }
  }

  /// Returns the headphone `step` places from the selected one, wrapping around; nil without any.
  func neighbour(by step: Int) -> HeadphoneID? {
    let order = headphoneOrder
    guard !order.isEmpty else { return nil }
    let place = (order.firstIndex { $0 == headphones.selected?.id } ?? 0) + step
    return order[(place % order.count + order.count) % order.count]
  }
}

/// A filter that quickly rules out a sound device, which most of many headphones lack.
private struct SoundDeviceTraits {
  private var addresses: Set<String> = []
  /// The first scalars of the names, in lower case where they are ASCII.
  private var initials: Set<UInt32> = []

  init(_ audio: AudioObservation) {
    guard case .running(let sound) = audio else { return }
    let sinks = sound.sinks.filter { $0.bluetooth != nil }
    let all = sinks.compactMap { $0.bluetooth?.address } + sound.cards.compactMap(\.address)
    addresses = Set(all.map { $0.uppercased() })
    initials = Set(
      (sinks.map(\.description) + sound.cards.map(\.description)).compactMap(Self.initial))
  }

  private static func initial(of name: String) -> UInt32? {
    name.unicodeScalars.first { !$0.properties.isWhitespace }.map {
      ("A"..."Z").contains($0) ? $0.value | 0x20 : $0.value
    }
  }

  func mayInclude(_ headphone: HeadphoneState) -> Bool {
    guard !addresses.isEmpty || !initials.isEmpty else { return headphone.soundPin != nil }
    if headphone.soundPin != nil || headphone.address.kind == .public { return true }
    if let address = headphone.publicAddress { return addresses.contains(address.uppercased()) }
    guard let initial = Self.initial(of: headphone.name) else { return false }
    // Other letters may have other forms in lower case.
    return initial >= 0x80 || initials.contains(initial)
  }
}

extension HeadphoneState {
  package var lastHeard: Timestamp? {
    var last: Timestamp?
    func add(_ time: Timestamp?) {
      guard let time, last.map({ $0 < time }) ?? true else { return }
      last = time
    }
    add(received?.upperBound)
    add(lastPacket)
    add(lastUsed)
    for side in Side.allCases { add(sightings[side]?.at) }
    return last
  }
}

extension State {
  /// The time of the newest event; screens read no clock.
  package var latestTime: Timestamp? {
    [headphones.selected?.lastHeard, log.lines.last?.at].compactMap(\.self).max()
  }
}

extension Timestamp {
  /// Returns the time as "18:02", "yesterday 18:02", "3 days ago" or, after a month, "2026-03-14".
  package func words(at now: Timestamp) -> String {
    let time = clock.prefix(5)
    return switch now.day - day {
    case ...0: String(time)
    case 1: "yesterday \(time)"
    case 2...30: "\(now.day - day) days ago"
    default: date
    }
  }

  /// Returns the age in at most six columns: "18:02", "1 day", "12 d", "2026".
  package func shortWords(at now: Timestamp) -> String {
    switch now.day - day {
    case ...0: String(clock.prefix(5))
    case 1: "1 day"
    case 2...999: "\(now.day - day) d"
    default: String(date.prefix(4))
    }
  }
}

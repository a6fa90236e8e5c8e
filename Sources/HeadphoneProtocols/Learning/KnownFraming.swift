package import BluetoothCodec

/// The framing of a family, derived from the declarations that its driver uses.
package struct KnownFraming: Sendable {
  package let name: String
  /// The framings of either side, or none if each packet is a message.
  let formats: [FrameFormat]
  let isFrame: @Sendable (Bytes) -> Bool
  private let changed: @Sendable (Bytes, (Bytes) -> [UInt8]) -> [UInt8]?
  /// The family's protocol in its initial state, or nil if it cannot be tried.
  private let opened: (@Sendable () -> any HeadphoneProtocol)?

  private init(
    _ name: String, _ format: FrameFormat?, opened: (@Sendable () -> any HeadphoneProtocol)?,
    isFrame: @escaping @Sendable (Bytes) -> Bool
  ) {
    self.name = name
    formats = format.map { [$0] } ?? []
    self.isFrame = isFrame
    changed = { format?.frame($0, changing: $1) }
    self.opened = opened
  }

  private init<Frame: SerialFrame>(
    _ name: String, _: Frame.Type, opened: (@Sendable () -> any HeadphoneProtocol)?
  ) {
    self.name = name
    formats = Frame.formats
    isFrame = { (try? Frame(decoding: $0)) != nil }
    changed = { Frame.frame($0, changing: $1) }
    self.opened = opened
  }

  package static let all: [KnownFraming] =
    HeadphoneFamily.allCases.compactMap { KnownFraming($0) } + [
      KnownFraming("airpods", nil, opened: { AACPProtocol() }) {
        (try? AACPPacket(decoding: $0)) != nil
      },
      KnownFraming("earshot", HeadphonePacket.format, opened: nil) {
        (try? HeadphonePacket.format.content(of: $0, "packet")) != nil
      },
      KnownFraming("fast-pair", FastPairMessage.format, opened: { FastPairProtocol() }) {
        (try? FastPairMessage(decoding: $0))?.kind.isKnown == true
      },
    ]

  private init?(_ family: HeadphoneFamily) {
    if let serial = family.serialProtocol {
      self.init(family.rawValue, serial)
    } else if let gatt = family.gattProtocol {
      self.init(family.rawValue, gatt)
    } else {
      return nil
    }
  }

  private init<Language: SerialProtocol>(_ name: String, _: Language.Type) {
    let service = Language.services.first?.uuid ?? SerialService.serialPort
    self.init(name, Language.Frame.self, opened: { Language(on: service) })
  }

  private init<Language: FamilyProtocol>(_ name: String, _: Language.Type) {
    // The bytes do not depend on the characteristics.
    let both = Characteristic(
      uuid: .bit16(0), properties: [.write, .notify], declaration: 2, handle: 3, end: 4)
    let channel = FamilyChannel(
      of: Service(uuid: .bit16(0), range: .all), write: both, notify: both)
    var opened: (@Sendable () -> any HeadphoneProtocol)?
    if let channel { opened = { Language(on: channel, ModelCatalog()) } }
    self.init(name, Language.Frame.self, opened: opened)
  }

  func valuesRead(in pieces: [Bytes]) -> Int {
    guard var language = opened?() else { return 0 }
    _ = language.questions()
    var count = 0
    for piece in pieces {
      for message in language.messages(in: piece) {
        count += language.receive(message).events.count {
          switch $0 {
          case .malformed, .unknown: false
          default: true
          }
        }
      }
    }
    return count
  }
}

extension KnownFraming {
  private static let byProof = all.sorted { $0.proof > $1.proof }

  private var proof: Int { formats.map(\.proof).max() ?? 0 }

  /// Returns whole frames with other content of the same length, or nil if `bytes` are not frames.
  package static func frames(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    for framing in byProof {
      guard let frames = framing.frames(in: bytes) else { continue }
      let changed = frames.compactMap { framing.changed($0, change) }
      if changed.count == frames.count { return changed.flatMap(\.self) }
    }
    return nil
  }

  private func frames(in bytes: Bytes) -> [Bytes]? {
    var (rest, frames) = (bytes, [Bytes]())
    while !rest.isEmpty {
      let frame = formats.lazy.compactMap { format -> Bytes? in
        guard case .frame(let count) = format.beginning(of: rest) else { return nil }
        return rest.prefix(count)
      }.first(where: isFrame)
      guard let frame else { return nil }
      frames.append(frame)
      rest = rest.dropFirst(frame.count)
    }
    return frames
  }
}

extension HeadphonePacket {
  static let format = FrameFormat(
    marker: [marker], length: .init(at: 4, adding: 7), check: .sum(includesMarker: true),
    longest: 263)
}

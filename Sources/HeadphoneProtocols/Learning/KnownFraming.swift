internal import Bluetooth
internal import BluetoothCodec
internal import GATT

/// The framing of a family, from the declarations by which the family's driver reads and writes.
package struct KnownFraming: Sendable {
  /// The family's name, for example "sony".
  package let name: String
  /// The framings of either side; empty: each packet is a message.
  let formats: [FrameFormat]
  /// Whether the bytes are one whole frame, which the family's own decoder decides.
  let isFrame: @Sendable (Bytes) -> Bool
  /// The family's protocol before anything was received; nil: there is none to be tried.
  private let opened: (@Sendable () -> any HeadphoneProtocol)?

  private init(
    _ name: String, _ formats: [FrameFormat], opened: (@Sendable () -> any HeadphoneProtocol)?,
    isFrame: @escaping @Sendable (Bytes) -> Bool
  ) {
    self.name = name
    self.formats = formats
    self.isFrame = isFrame
    self.opened = opened
  }

  /// All that are known: those of the families, and Google's message stream.
  package static let all: [KnownFraming] =
    HeadphoneFamily.allCases.compactMap { KnownFraming($0) } + [
      KnownFraming("airpods", [], opened: { AACPProtocol() }) {
        (try? AACPPacket(decoding: $0)) != nil
      },
      KnownFraming("earshot", [HeadphonePacket.format], opened: nil) {
        (try? HeadphonePacket.format.content(of: $0, "packet")) != nil
      },
      KnownFraming("fast-pair", [FastPairMessage.format], opened: { FastPairProtocol() }) {
        (try? FastPairMessage(decoding: $0))?.kind.isKnown == true
      },
    ]

  /// The framing of a family; nil: it has no frames of its own.
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
    self.init(name, Language.Frame.formats, opened: { Language(on: service) }) {
      (try? Language.Frame(decoding: $0)) != nil
    }
  }

  private init<Language: FamilyProtocol>(_ name: String, _: Language.Type) {
    // Which characteristics they are makes no difference to the bytes.
    let both = Characteristic(
      uuid: .bit16(0), properties: [.write, .notify], declaration: 2, handle: 3, end: 4)
    let channel = FamilyChannel(
      of: Service(uuid: .bit16(0), range: .all), write: both, notify: both)
    var opened: (@Sendable () -> any HeadphoneProtocol)?
    if let channel { opened = { Language(on: channel, ModelCatalog()) } }
    self.init(name, Language.Frame.formats, opened: opened) {
      (try? Language.Frame(decoding: $0)) != nil
    }
  }

  /// The number of values that the family's protocol reads in what a headphone has sent.
  func valuesRead(in pieces: [Bytes]) -> Int {
    guard var language = opened?() else { return 0 }
    _ = language.questions()
    var count = 0
    for piece in pieces {
      for message in language.messages(in: piece) {
        count += language.receive(message).events.count {
          if case .malformed = $0 { false } else { true }
        }
      }
    }
    return count
  }
}

extension HeadphonePacket {
  /// The framing of docs/protocol.md.
  static let format = FrameFormat(
    marker: [marker], length: .init(at: 4, adding: 7), check: .sum(includesMarker: true),
    longest: 263)
}

extension FastPairMessage {
  /// The framing of the message stream.
  static let format = FrameFormat(
    marker: [], length: .init(at: 2, width: 2, isBigEndian: true, adding: 4), longest: 1024)
}

public import BluetoothCodec

/// The findings in a capture of a maker's program: what was said on which channel, which framing
/// fits it, and what changed when.
///
/// ```swift
/// let findings = CaptureFindings(in: traffic)
/// print(findings.channels.map { $0.framings.first?.name })  // ["sony"]
/// ```
public struct CaptureFindings: Hashable, Sendable {
  /// A framing that fits what was said on a channel.
  public struct Framing: Hashable, Sendable {
    /// The family whose framing it is; nil: of none that is known.
    public var name: String?
    /// Marker, length and checksum in words, of what was sent and of what was received.
    public var layouts: [String]
    /// The number of frames.
    public var frames: Int
    /// The bytes that are in frames, in percent.
    public var share: Int
    /// The values that the family's protocol reads in it.
    public var values: Int
    /// The bytes that a frame proves: marker, length, checksum and end.
    var proof: Int
  }

  /// A message, with the times at which it was sent.
  public struct Message: Hashable, Sendable {
    public var isReceived: Bool
    /// A frame of the best framing, or a value or piece where none fits.
    public var bytes: Bytes
    /// Seconds since the beginning of the capture, the first first.
    public var times: [Double]
    /// Offsets that differ from the most similar message before, without the checksum; empty: there
    /// is none that is similar.
    public var changed: [Int] = []
    /// Whether texts were replaced, and the checksum with them.
    public var isRedacted = false
    /// The framing; nil: none fits.
    fileprivate var format: FrameFormat?
  }

  /// A channel with its messages.
  public struct Channel: Hashable, Sendable {
    /// Index in ``CaptureFindings/links``.
    public var link: Int
    public var kind: CapturedTraffic.Kind
    /// The service, where the capture has its discovery.
    public var service: BluetoothUUID?
    /// The same of a characteristic.
    public var characteristic: BluetoothUUID?
    /// Values or pieces that were sent.
    public var sent: Int
    /// Values or pieces that were received.
    public var received: Int
    /// The framings that fit, the best first.
    public var framings: [Framing]
    /// Different messages in the order of their first times.
    public var messages: [Message]
    /// Whether there were more messages than are kept.
    public var isCut: Bool
  }

  /// The links in the order of their beginnings.
  public var links: [CapturedTraffic.Link]
  /// The channels in the order of their first messages.
  public var channels: [Channel]
  /// Seconds from the first record to the last.
  public var seconds: Double
  /// The records of the capture.
  public var packets: Int
  /// Packets that the phone has cut off.
  public var truncated: Int

  /// Looks at all channels of a capture.
  public init(in traffic: CapturedTraffic) {
    links = traffic.links
    packets = traffic.packets
    truncated = traffic.truncated
    let start = traffic.start ?? .unixEpoch
    seconds = (traffic.end ?? start).seconds(since: start)
    channels = traffic.channels.map { Channel($0, since: start) }
  }

  /// The same without names and addresses.
  ///
  /// - Parameters:
  ///   - redact: replaces texts and addresses in the content of a message; the length stays.
  ///   - address: the replacement of an address.
  public func redacted(
    _ redact: (Bytes) -> [UInt8], address: (BluetoothAddress) -> BluetoothAddress
  ) -> CaptureFindings {
    var findings = self
    for index in links.indices {
      guard let peer = links[index].peer else { continue }
      findings.links[index].peer = PeerAddress(address(peer.address), peer.kind)
    }
    for index in channels.indices {
      findings.channels[index].messages = channels[index].messages.map { $0.redacted(redact) }
    }
    return findings
  }
}

extension BtsnoopTime {
  /// Seconds since an earlier time.
  fileprivate func seconds(since start: BtsnoopTime) -> Double {
    Double(microsecondsSince1970 - start.microsecondsSince1970) / 1e6
  }
}

extension CaptureFindings.Message {
  /// The same message with texts replaced, and with a checksum that is right again.
  fileprivate func redacted(_ redact: (Bytes) -> [UInt8]) -> Self {
    var message = self
    if let format, let content = try? format.content(of: bytes, "frame") {
      let new = redact(content)
      guard new[...] != content else { return self }
      message.bytes = format.frame(around: new)[...]
    } else {
      message.bytes = redact(bytes)[...]
    }
    message.isRedacted = message.bytes != bytes
    return message
  }
}

// MARK: Finding

/// The pieces of one direction, and their division into frames.
private struct Direction {
  /// What is tried and kept of a channel, in pieces.
  static let most = 5_000

  var pieces: [CapturedTraffic.Message]

  /// The frames of a format, in the pieces that completed them; a piece that is a whole frame needs
  /// no format.
  func frames(
    of format: FrameFormat?, _ isFrame: (Bytes) -> Bool
  ) -> (frames: [(piece: Int, bytes: Bytes)], covered: Int) {
    var reader = format.map { FrameReader($0) }
    var frames: [(piece: Int, bytes: Bytes)] = []
    for (index, piece) in pieces.enumerated() {
      if isFrame(piece.bytes) {
        frames.append((index, piece.bytes))
      } else {
        for message in reader?.messages(in: piece.bytes) ?? [] where isFrame(message) {
          frames.append((index, message))
        }
      }
    }
    return (frames, frames.reduce(0) { $0 + $1.bytes.count })
  }

  /// The format that covers the most, and of those that do the one that most frames have; nil: none
  /// covers nine bytes of ten.
  func best(of formats: [FrameFormat?], _ isFrame: (Bytes) -> Bool) -> DirectionFit? {
    let total = pieces.reduce(0) { $0 + $1.bytes.count }
    let fits = formats.map { format in
      let (frames, covered) = frames(of: format, isFrame)
      return DirectionFit(format: format, frames: frames, covered: covered, total: total)
    }
    return fits.max { ($0.covered, $0.matching) < ($1.covered, $1.matching) }
      .flatMap { $0.covered * 10 >= total * 9 ? $0 : nil }
  }
}

/// A format that fits one direction.
private struct DirectionFit {
  var format: FrameFormat?
  var frames: [(piece: Int, bytes: Bytes)]
  var covered: Int
  var total: Int

  /// The frames that have the format; others are frames of the family's in another one.
  var matching: Int { frames.count { hasFormat($0.bytes) } }

  func hasFormat(_ frame: Bytes) -> Bool {
    format.map { (try? $0.content(of: frame, "frame")) != nil } ?? false
  }
}

extension CaptureFindings.Channel {
  /// Tries each framing on a channel.
  init(_ channel: CapturedTraffic.Channel, since start: BtsnoopTime) {
    let kept = channel.messages.prefix(Direction.most)
    let directions = [false, true].map { isReceived in
      Direction(pieces: kept.filter { $0.isReceived == isReceived })
    }.filter { !$0.pieces.isEmpty }
    let known = KnownFraming.all.compactMap { known -> (CaptureFindings.Framing, [DirectionFit])? in
      let formats: [FrameFormat?] = known.formats.isEmpty ? [nil] : known.formats
      let fits = directions.compactMap { $0.best(of: formats, known.isFrame) }
      guard fits.count == directions.count else { return nil }
      let received = kept.filter(\.isReceived).map(\.bytes)
      let framing = CaptureFindings.Framing(
        known.name, fits, values: known.valuesRead(in: received))
      return framing.isCertain(fits) ? (framing, fits) : nil
    }.sorted { $0.0.rank > $1.0.rank }
    var found = known
    // A length and a byte of marker may fit by chance; a checksum behind them says more.
    let isWeak = found.first.map { $0.0.values == 0 && $0.0.proof < 3 } ?? true
    if isWeak {
      let fits = directions.compactMap { direction in
        FramingSearch(direction.pieces.map(\.bytes)).format.flatMap { format in
          direction.best(of: [format]) { (try? format.content(of: $0, "frame")) != nil }
        }
      }
      if fits.count == directions.count, !fits.isEmpty {
        let framing = CaptureFindings.Framing(nil, fits, values: 0)
        let hasChecksum = fits.contains { ($0.format?.check.width ?? 0) > 0 }
        if framing.isCertain(fits), found.isEmpty || hasChecksum {
          found.insert((framing, fits), at: 0)
        }
      }
    }
    link = channel.link
    kind = channel.kind
    service = channel.service
    characteristic = channel.characteristic
    sent = channel.messages.count { !$0.isReceived }
    received = channel.messages.count(where: \.isReceived)
    framings = found.map(\.0)
    isCut = channel.messages.count > kept.count
    let parts = directions.enumerated().flatMap { index, direction in
      let fit = found.first?.1[index]
      let frames = fit?.frames ?? direction.pieces.enumerated().map { ($0, $1.bytes) }
      return frames.map { frame in
        let format = fit.flatMap { $0.hasFormat(frame.1) ? $0.format : nil }
        return (direction.pieces[frame.0], frame.1, format)
      }
    }
    var differences = MessageDifferences()
    for (piece, bytes, format) in parts.sorted(by: { $0.0.time < $1.0.time }) {
      differences.receive(
        CaptureFindings.Message(
          isReceived: piece.isReceived, bytes: bytes, times: [piece.time.seconds(since: start)],
          format: format))
    }
    messages = differences.messages
  }
}

extension CaptureFindings.Framing {
  fileprivate init(_ name: String?, _ fits: [DirectionFit], values: Int) {
    self.name = name
    layouts = fits.map { $0.format?.layout ?? "each packet is a message" }
    if Set(layouts).count == 1 { layouts = Array(layouts.prefix(1)) }
    frames = fits.reduce(0) { $0 + $1.frames.count }
    let total = fits.reduce(0) { $0 + $1.total }
    share = total == 0 ? 0 : fits.reduce(0) { $0 + $1.covered } * 100 / total
    self.values = values
    proof = fits.map { $0.format?.proof ?? 4 }.min() ?? 0
  }

  /// Whether it cannot well be chance.
  ///
  /// Two frames with a checksum or a marker are enough; a length alone has to fit several of them.
  fileprivate func isCertain(_ fits: [DirectionFit]) -> Bool {
    let lengths = Set(fits.flatMap { $0.frames.map(\.bytes.count) })
    return proof >= 2 ? frames >= 2 : frames >= 4 && lengths.count > 1
  }

  /// Values that are read say more than a checksum, and that more than bytes that are left over.
  fileprivate var rank: [Int] { [values > 0 ? 1 : 0, proof, share, values] }
}

extension [Int] {
  fileprivate static func > (a: [Int], b: [Int]) -> Bool { b.lexicographicallyPrecedes(a) }
}

/// Different messages, and what each changes in the most similar one before.
private struct MessageDifferences {
  /// Different messages that are kept, and those that a new one is compared with.
  private static let (most, compared) = (1_000, 100)
  /// Bytes that may differ in similar messages.
  private static let mostChanged = 4
  /// Times that are kept of one message.
  private static let mostTimes = 50

  private(set) var messages: [CaptureFindings.Message] = []
  private var places: [Key: Int] = [:]

  private struct Key: Hashable {
    var isReceived: Bool
    var bytes: Bytes
  }

  mutating func receive(_ message: CaptureFindings.Message) {
    let key = Key(isReceived: message.isReceived, bytes: message.bytes)
    if let place = places[key] {
      if messages[place].times.count < Self.mostTimes { messages[place].times += message.times }
      return
    }
    guard messages.count < Self.most else { return }
    var message = message
    message.changed = changes(in: message)
    places[key] = messages.count
    messages.append(message)
  }

  private func changes(in message: CaptureFindings.Message) -> [Int] {
    let check = message.format.map { $0.check.width + $0.end.count } ?? 0
    let similar = messages.suffix(Self.compared).reversed().lazy
      .filter { $0.isReceived == message.isReceived && $0.bytes.count == message.bytes.count }
      .map { other in
        zip(other.bytes, message.bytes).dropLast(check).enumerated()
          .filter { $0.element.0 != $0.element.1 }.map(\.offset)
      }
      .filter { (1...Self.mostChanged).contains($0.count) }
    return similar.min { $0.count < $1.count } ?? []
  }
}

public import BluetoothCodec

/// The analysis of a capture of a maker's program: channels, their framing, and changes over time.
public struct CaptureFindings: Hashable, Sendable {
  /// A framing that fits the traffic of a channel.
  public struct Framing: Hashable, Sendable {
    /// The family with this framing, or nil if it is unknown.
    public var name: String?
    /// The marker, length and checksum of each direction in words.
    public var layouts: [String]
    /// The number of frames.
    public var frames: Int
    /// The share of bytes that are in frames, in percent.
    public var share: Int
    /// The number of values that the family's protocol reads.
    public var values: Int
    /// The number of bytes that distinguish a frame: marker, length, checksum and end.
    var proof: Int
    /// The format for each direction that one fits, with true for received data.
    fileprivate(set) var formats: [Bool: FrameFormat] = [:]
  }

  /// A distinct message, with the times at which it was sent.
  public struct Message: Hashable, Sendable {
    public var isReceived: Bool
    /// A frame of the best framing, or a value or piece if none fits.
    public var bytes: Bytes
    /// The times in seconds since the start of the capture, in order.
    public var times: [Double]
    /// The offsets that differ from the most similar earlier message, ignoring the checksum.
    public var changed: [Int] = []
    /// Whether texts, and with them the checksum, were replaced.
    public var isRedacted = false
    fileprivate var format: FrameFormat?
  }

  /// A channel and its messages.
  public struct Channel: Hashable, Sendable {
    /// The index in ``CaptureFindings/links``.
    public var link: Int
    public var kind: CapturedTraffic.Kind
    /// The service, or nil without its discovery in the capture.
    public var service: BluetoothUUID?
    /// The characteristic, or nil without its discovery in the capture.
    public var characteristic: BluetoothUUID?
    /// The number of values or pieces sent to the headphone.
    public var sent: Int
    /// The number of values or pieces received.
    public var received: Int
    /// The framings that fit, best first.
    public var framings: [Framing]
    /// The distinct messages, in the order of their first times.
    public var messages: [Message]
    /// Whether later messages were dropped because there were too many.
    public var isCut: Bool
  }

  /// The links, in the order of their start.
  public var links: [CapturedTraffic.Link]
  /// The channels, in the order of their first messages.
  public var channels: [Channel]
  /// The seconds from the first record to the last.
  public var seconds: Double
  /// The number of records in the capture.
  public var packets: Int
  /// The number of packets that the phone truncated when it recorded them.
  public var truncated: Int

  /// Analyses all channels of a capture.
  public init(in traffic: CapturedTraffic) {
    links = traffic.links
    packets = traffic.packets
    truncated = traffic.truncated
    let start = traffic.start ?? .unixEpoch
    seconds = (traffic.end ?? start).seconds(since: start)
    channels = traffic.channels.map { Channel($0, since: start) }
  }

  /// Returns the findings without names and addresses; `redact` must keep a message's length.
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
  fileprivate func seconds(since start: BtsnoopTime) -> Double {
    Double(microsecondsSince1970 - start.microsecondsSince1970) / 1e6
  }
}

extension CaptureFindings.Message {
  fileprivate func redacted(_ redact: (Bytes) -> [UInt8]) -> Self {
    var message = self
    let frame =
      KnownFraming.frames(bytes, changing: redact) ?? format?.frame(bytes, changing: redact)
    message.bytes = (frame ?? redact(bytes))[...]
    message.isRedacted = message.bytes != bytes
    return message
  }
}

private struct Direction {
  /// The maximum number of pieces of a channel to analyse.
  static let most = 5_000

  var isReceived: Bool
  var pieces: [CapturedTraffic.Message]

  /// Returns the frames with the pieces that completed them; a whole frame needs no format.
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

  /// Returns the format that covers the most bytes, at least nine of ten, or nil.
  func best(of formats: [FrameFormat?], _ isFrame: (Bytes) -> Bool) -> DirectionFit? {
    let total = pieces.reduce(0) { $0 + $1.bytes.count }
    let fits = formats.map { format in
      let (frames, covered) = frames(of: format, isFrame)
      return DirectionFit(
        isReceived: isReceived, format: format, frames: frames, covered: covered, total: total)
    }
    return fits.max { ($0.covered, $0.matching) < ($1.covered, $1.matching) }
      .flatMap { $0.covered * 10 >= total * 9 ? $0 : nil }
  }
}

private struct DirectionFit {
  var isReceived: Bool
  var format: FrameFormat?
  var frames: [(piece: Int, bytes: Bytes)]
  var covered: Int
  var total: Int

  var matching: Int { frames.count { hasFormat($0.bytes) } }

  func hasFormat(_ frame: Bytes) -> Bool {
    format.map { (try? $0.content(of: frame, "frame")) != nil } ?? false
  }
}

extension CaptureFindings.Channel {
  init(_ channel: CapturedTraffic.Channel, since start: BtsnoopTime) {
    let kept = channel.messages.prefix(Direction.most)
    let directions = [false, true].map { isReceived in
      Direction(isReceived: isReceived, pieces: kept.filter { $0.isReceived == isReceived })
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
    // A length and a marker of one byte may fit by chance; a checksum is better evidence.
    let isWeak = found.first.map { $0.0.values == 0 && $0.0.proof < 3 } ?? true
    if isWeak {
      let searches = directions.map { FramingSearch($0.pieces.map(\.bytes)) }
      let formats = searches.map(\.format)
      let fits = directions.indices.compactMap { index -> DirectionFit? in
        let format =
          formats[index]
          ?? formats.lazy.compactMap(\.self).compactMap { searches[index].format(like: $0) }.first
        return format.flatMap { format in
          directions[index].best(of: [format]) { (try? format.content(of: $0, "frame")) != nil }
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
    for fit in fits { formats[fit.isReceived] = fit.format }
  }

  /// Returns whether the framing is hardly a coincidence; a length alone has to fit several frames.
  fileprivate func isCertain(_ fits: [DirectionFit]) -> Bool {
    let lengths = Set(fits.flatMap { $0.frames.map(\.bytes.count) })
    return proof >= 2 ? frames >= 2 : frames >= 4 && lengths.count > 1
  }

  fileprivate var rank: [Int] { [values > 0 ? 1 : 0, proof, share, values] }
}

extension [Int] {
  fileprivate static func > (a: [Int], b: [Int]) -> Bool { b.lexicographicallyPrecedes(a) }
}

private struct MessageDifferences {
  /// The maximum number of messages to keep, and to compare a new one with.
  private static let (most, compared) = (1_000, 100)
  private static let mostChanged = 4
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

internal import BluetoothCodec

/// A draft of a driver file, derived from a capture.
///
/// The draft is a valid file that only reads and sends nothing. The capture shows the channel, the
/// framing and the message numbers, but not what the values mean or which requests are safe.
public struct DriverDraft {
  private let sent: CaptureFindings.Channel
  private let received: CaptureFindings.Channel
  private let sending: Layout
  private let receiving: Layout

  /// Creates a draft for the channel with the most frames, or nil if no framing fits a driver file.
  public init?(_ findings: CaptureFindings) {
    let drafts = findings.channels.compactMap { channel -> (DriverDraft, frames: Int)? in
      guard let framing = channel.framings.first else { return nil }
      // On GATT, requests and answers have a characteristic each.
      let others = findings.channels.filter {
        $0.link == channel.link && $0.service == channel.service && $0.service != nil
      }
      let pair = channel.received > 0 && channel.sent > 0 ? [channel] : others
      guard let sent = pair.max(by: { $0.sent < $1.sent }), sent.sent > 0,
        let draft = DriverDraft(sent: sent, received: channel)
      else { return nil }
      return (draft, framing.frames)
    }
    guard let best = drafts.max(by: { $0.frames < $1.frames })?.0 else { return nil }
    self = best
  }

  private init?(sent: CaptureFindings.Channel, received: CaptureFindings.Channel) {
    guard received.received > 0, let fromFormat = received.framings.first?.formats[true],
      let toFormat = sent.framings.first?.formats[false]
        ?? FramingSearch(sent.messages.filter { !$0.isReceived }.map(\.bytes))
        .format(like: fromFormat)
    else { return nil }
    let requests = sent.messages.filter { !$0.isReceived && toFormat.fits($0.bytes) }
    let answers = received.messages.filter { $0.isReceived && fromFormat.fits($0.bytes) }
    let place = Self.commandPlace(requests, answers, toFormat, fromFormat)
    guard let sending = Layout(toFormat, requests, command: place),
      let receiving = Layout(fromFormat, answers, command: place),
      sending.uncounted == receiving.uncounted,
      toFormat.check == fromFormat.check || toFormat.check == .none || fromFormat.check == .none
    else { return nil }
    (self.sent, self.received) = (sent, received)
    (self.sending, self.receiving) = (sending, receiving)
  }

  private static let mostCompared = 100

  /// Returns the offset at which most answers repeat a byte of the request before them.
  private static func commandPlace(
    _ requests: [CaptureFindings.Message], _ answers: [CaptureFindings.Message],
    _ to: FrameFormat, _ from: FrameFormat
  ) -> Int {
    let first = max(to.marker.count, from.marker.count)
    let last = (requests + answers).map(\.bytes.count).min() ?? first
    let candidates = (first..<max(first + 1, min(last, first + 8))).filter {
      !to.isLength($0) && !from.isLength($0)
    }
    let times = answers.flatMap { answer in answer.times.map { (time: $0, bytes: answer.bytes) } }
      .sorted { $0.time < $1.time }
    func score(_ place: Int) -> (Int, Int) {
      var values: Set<UInt8> = []
      var count = 0
      for request in requests.prefix(mostCompared) {
        guard let byte = request.bytes.dropFirst(place).first else { continue }
        for time in request.times.prefix(3) {
          guard let next = times.first(where: { $0.time >= time && $0.time < time + 2 }),
            next.bytes.dropFirst(place).first == byte
          else { continue }
          count += 1
          values.insert(byte)
        }
      }
      return (values.count, count)
    }
    // Of several, the first is taken: a sequence number mostly follows the command.
    return candidates.reduce((place: first, score: (0, 0))) { best, place in
      let new = score(place)
      return new > best.score ? (place, new) : best
    }.place
  }

  /// The draft in TOML, to which further `[[string]]` tables can be appended.
  public var text: String {
    var lines = [
      """
      # A driver file by `earshot learn`. It reads what the headphone reports, and sends nothing.
      # docs/add-your-headphone.md says how to go on:
      # - give each row the values that you know;
      # - for a request that certainly changes nothing, add a line like the one after "asked with";
      # - earshot config check --driver FILE, then earshot --driver FILE status.
      name = "My headphone"
      # allow = "write"  # once the driver reads right, and a row has "set"

      [channel]
      """
    ]
    if case .attribute = received.kind {
      lines += [
        Self.uuid("service", received.service), Self.uuid("write", sent.characteristic),
        Self.uuid("notify", received.characteristic),
      ]
    } else {
      lines.append(Self.uuid("serial", received.service))
    }
    lines += ["", "[frame]", "to = \"\(sending.text)\"", "from = \"\(receiving.text)\""]
    if let uncounted = receiving.uncounted {
      lines.append("uncounted = \(uncounted)")
    }
    lines += receiving.check ?? sending.check ?? []
    for number in receiving.numbers { lines += ["", row(number)] }
    return lines.joined(separator: "\n")
  }

  private static func uuid(_ key: String, _ uuid: BluetoothUUID?) -> String {
    uuid.map { "\(key) = \"\($0)\"" }
      ?? "\(key) = \"\"  # not in the capture, which must begin before Bluetooth is switched on"
  }

  private static let shownPayloads = 3

  private func row(_ number: UInt8) -> String {
    let payloads = receiving.payloads(of: number).prefix(Self.shownPayloads).map {
      "#   \($0.isEmpty ? "(no payload)" : hexadecimal($0))"
    }
    let asked = sending.payloads(of: number).prefix(Self.shownPayloads).map {
      "# asked with: ask = \"\(hexadecimal($0))\""
    }
    return
      (["[[row]]", "number = 0x\(hexadecimal(number, width: 2))"] + asked
      + ["# The values in:"] + payloads + ["values = []"]).joined(separator: "\n")
  }
}

extension DriverDraft {
  private struct Layout {
    let text: String
    /// The bytes that the length does not count, or nil without a length.
    let uncounted: Int?
    let check: [String]?
    private let messages: [Bytes]
    private let command: Int
    private let head: Int
    private let tail: Int

    /// Returns nil for a framing that a driver file cannot have.
    init?(_ format: FrameFormat, _ messages: [CaptureFindings.Message], command: Int) {
      let length = format.length
      guard !messages.isEmpty, format.escape == nil, length?.isVariable != true,
        (length?.width ?? 1) <= 2, (length?.mask ?? .max) == .max
      else { return nil }
      switch format.check {
      case .none: check = nil
      case .sum(let includesMarker):
        check =
          ["check = \"sum\""] + (includesMarker ? [] : ["check-from = \(format.marker.count)"])
      case .sum16(let number):
        check = ["check = \"sum16\""] + (number == 0 ? [] : ["check-adds = \(number)"])
      case .xmodem(let skipping, let isBigEndian):
        check =
          ["check = \"\(isBigEndian ? "crc16" : "crc16-low-first")\""]
          + (skipping == 0 ? [] : ["check-from = \(skipping)"])
      case .crc32: check = ["check = \"crc32\"", "check-from = \(format.marker.count)"]
      }
      let lengthPlace = length.map { format.marker.count + $0.offset }
      let behindLength = length.map { format.marker.count + $0.offset + $0.width } ?? 0
      let head = max(behindLength, command + 1)
      let tail = format.check.width + format.end.count
      let messages = messages.map(\.bytes).filter { $0.count >= head + tail }
      guard !messages.isEmpty else { return nil }
      (self.head, self.tail, self.command, self.messages) = (head, tail, command, messages)
      uncounted = length?.overhead
      var words: [String] = []
      var place = 0
      while place < head {
        if place == lengthPlace, let length {
          words.append(
            "length" + (length.width == 1 ? "" : length.isBigEndian ? ":2" : ":2le"))
          place += length.width
          continue
        }
        let bytes = Set(messages.compactMap { $0.dropFirst(place).first })
        if place == command {
          words.append("command")
        } else if place < format.marker.count || bytes.count == 1, let byte = bytes.first {
          words.append(hexadecimal(byte, width: 2))
        } else if messages.allSatisfy({ message in
          message.dropFirst(place).first == message.prefix(place).reduce(0, ^)
        }) {
          words.append("xor")
        } else {
          words.append("..")
        }
        place += 1
      }
      text = (words + ["payload"] + format.end.map { hexadecimal($0, width: 2) })
        .joined(separator: " ")
    }

    var numbers: [UInt8] {
      messages.reduce(into: []) { numbers, message in
        guard let number = message.dropFirst(command).first, !numbers.contains(number) else {
          return
        }
        numbers.append(number)
      }
    }

    func payloads(of number: UInt8) -> [Bytes] {
      messages.filter { $0.dropFirst(command).first == number }
        .map { $0.dropFirst(head).dropLast(tail) }
    }
  }
}

extension FrameFormat {
  fileprivate func fits(_ frame: Bytes) -> Bool { (try? content(of: frame, "frame")) != nil }

  fileprivate func isLength(_ place: Int) -> Bool {
    length.map { (0..<$0.width).contains(place - marker.count - $0.offset) } ?? false
  }
}

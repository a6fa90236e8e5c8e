internal import BluetoothCodec
internal import Companion
public import HeadphoneProtocols
public import JSON

/// The findings in a capture about a headphone's protocol: `earshot learn`.
///
/// JSON of schema 1: `capture` with `seconds`, `packets` and `truncated`; `links`, each with
/// `transport` (`le`, `classic`, null: not known) and `address`; `channels`, each with `link`, its
/// index in `links`, `kind` (`attribute`, `serial`, `packets`, `unknown`), `number`, `service`,
/// `characteristic`, `sent`, `received`, `complete` and
///
/// - `framings`, the best first: `family` (null: none that is known), `layouts`, `frames`, `share`
///   in percent, and `values`, which Earshot reads in it;
/// - `messages`: `direction` (`to`, `from`), `bytes`, `times` in seconds, `changed`, which are
///   offsets, and `redacted`.
public struct LearnReport: Report, Hashable {
  private let findings: CaptureFindings

  public init(_ findings: CaptureFindings) { self.findings = findings }

  /// Messages of a channel in the text; JSON and the byte table have all.
  private static let shown = 40

  public var text: String {
    var lines = ["Capture  \(findings.length), \(findings.packets) packets"]
    if findings.truncated > 0 {
      lines.append(
        "         \(findings.truncated) of them are cut off: let the phone record all of a packet")
    }
    if findings.channels.isEmpty {
      lines.append("no channel of a headphone's own is in it")
    }
    for (number, link) in findings.links.enumerated() {
      let channels = findings.channels.filter { $0.link == number }
      guard !channels.isEmpty else { continue }
      lines += ["", "Link \(number + 1)  \(link.title)"]
      for channel in channels { lines += [""] + channelLines(channel) }
    }
    return lines.joined(separator: "\n")
  }

  private func channelLines(_ channel: CaptureFindings.Channel) -> [String] {
    var lines = ["  " + channel.title]
    lines.append(
      "    \(channel.sent) sent, \(channel.received) received, \(channel.messages.count) different")
    if channel.framings.isEmpty { lines.append("    no framing fits") }
    for (index, framing) in channel.framings.enumerated() {
      let what = framing.name.map { "that of \($0)" } ?? "none that is known"
      let values = framing.values > 0 ? ", \(framing.values) values are read" : ""
      lines.append(
        "    \(index == 0 ? "framing" : "or     ") \(what): \(framing.frames) frames, "
          + "\(framing.share)% of the bytes\(values)")
      if index == 0 { lines += framing.layouts.map { "            \($0)" } }
    }
    for message in channel.messages.prefix(Self.shown) { lines.append("    " + message.line) }
    let left = channel.messages.count - Self.shown
    if left > 0 { lines.append("    \(left) more; --table and --json have all") }
    return lines
  }

  public var json: JSON {
    [
      "schema": 1,
      "capture": [
        "seconds": .number(findings.seconds), "packets": JSON(findings.packets),
        "truncated": JSON(findings.truncated),
      ],
      "links": .array(findings.links.map(\.json)),
      "channels": .array(findings.channels.map(\.json)),
    ]
  }

  /// The beginnings of a file of bytes, as `Tests/HeadphoneProtocolsTests/Bytes` has one for each
  /// family: what each string means is left to be filled in.
  public var byteTable: String {
    var blocks = [
      """
      # Strings of a headphone, from a capture of \(findings.length) by `earshot learn`.
      # Write what each means (what was pressed in the maker's program, and what is shown then) and,
      # for those from the headphone, what is to be read in it: reads = ["noise-mode off"].
      # Remove what is not known. docs/add-your-headphone.md says more.
      """
    ]
    for (number, channel) in findings.channels.enumerated() {
      let framing = channel.framings.first
      let layouts = framing?.layouts.map { "\n# \($0)" }.joined() ?? ""
      blocks.append("# \(channel.title)\(framing.map { ", framing: \($0.title)" } ?? "")\(layouts)")
      blocks += channel.messages.enumerated().map { index, message in
        message.tableEntry(id: "C\(number + 1)-\(index + 1)")
      }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension CaptureFindings {
  /// "4 min 12 s".
  fileprivate var length: String {
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}

extension CapturedTraffic.Link {
  fileprivate var transport: String? { peer.map { $0.kind == .classic ? "classic" : "le" } }

  fileprivate var title: String {
    guard let peer else { return "up before the capture began" }
    return "\(peer.kind == .classic ? "BR/EDR" : "LE") \(peer.address)"
  }

  fileprivate var json: JSON {
    ["transport": JSON(transport), "address": JSON(peer.map { "\($0.address)" })]
  }
}

extension CaptureFindings.Channel {
  fileprivate var title: String {
    let place =
      switch kind {
      case .attribute(let handle): "attribute \(BluetoothCodec.hexadecimal(handle, width: 4))"
      case .serial(let number): "RFCOMM channel \(number)"
      case .packets(let psm): "L2CAP PSM \(BluetoothCodec.hexadecimal(psm, width: 4))"
      case .unknown(let channel):
        "L2CAP channel \(BluetoothCodec.hexadecimal(channel, width: 4)), opened before the capture"
      }
    let types = [("service", service), ("characteristic", characteristic)].compactMap {
      what, uuid in
      uuid.map { uuid in
        "\(what) \(uuid)" + (AttributeNames.name(of: uuid).map { " (\($0))" } ?? "")
      }
    }
    return ([place] + types).joined(separator: ", ")
  }

  private var kindName: (name: String, number: UInt16) {
    switch kind {
    case .attribute(let handle): ("attribute", handle)
    case .serial(let number): ("serial", UInt16(number))
    case .packets(let psm): ("packets", psm)
    case .unknown(let channel): ("unknown", channel)
    }
  }

  fileprivate var json: JSON {
    [
      "link": JSON(link), "kind": .string(kindName.name), "number": JSON(Int(kindName.number)),
      "service": JSON(service.map { "\($0)" }),
      "characteristic": JSON(characteristic.map { "\($0)" }), "sent": JSON(sent),
      "received": JSON(received), "complete": .bool(!isCut),
      "framings": .array(framings.map(\.json)), "messages": .array(messages.map(\.json)),
    ]
  }
}

extension CaptureFindings.Framing {
  fileprivate var title: String { name ?? "none that is known" }

  fileprivate var json: JSON {
    [
      "family": JSON(name), "layouts": .array(layouts.map { .string($0) }),
      "frames": JSON(frames), "share": JSON(share), "values": JSON(values),
    ]
  }
}

extension CaptureFindings.Message {
  /// Bytes of a message in a line of the text.
  private static let shown = 24
  /// Times in it.
  private static let shownTimes = 3

  private var direction: String { isReceived ? "from" : "to" }

  private var digits: String { HeadphoneProtocols.hexadecimal(bytes).lowercased() }

  private var when: String {
    let shown = times.prefix(Self.shownTimes).map { Self.text($0) }.joined(separator: ", ")
    return times.count > Self.shownTimes
      ? "\(shown) and \(times.count - Self.shownTimes) more" : shown
  }

  /// Seconds with three places.
  private static func text(_ seconds: Double) -> String {
    let milliseconds = max(0, Int((seconds * 1000).rounded()))
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private var change: String? {
    changed.isEmpty ? nil : "changed at \(changed.map(String.init).joined(separator: ", "))"
  }

  fileprivate var line: String {
    let shown = HeadphoneProtocols.hexadecimal(bytes.prefix(Self.shown)).lowercased()
    let rest = bytes.count > Self.shown ? " … (\(bytes.count) bytes)" : ""
    let notes = [change].compactMap(\.self).map { "  " + $0 }.joined()
    return "\(isReceived ? "<" : ">") \(when)  \(shown)\(rest)\(notes)"
  }

  fileprivate func tableEntry(id: String) -> String {
    let notes = [
      "at \(when) s", change, isRedacted ? "texts were replaced, and the checksum with them" : nil,
    ].compactMap(\.self).joined(separator: "; ")
    return """
      # \(notes)
      [[string]]
      id = "\(id)"
      direction = "\(direction)"
      bytes = "\(digits)"
      meaning = ""
      proof = "\(isRedacted ? "made of recorded bytes" : "recorded bytes")"
      """
  }

  fileprivate var json: JSON {
    [
      "direction": .string(direction), "bytes": .string(digits),
      "times": .array(times.map { .number($0) }), "changed": .array(changed.map { JSON($0) }),
      "redacted": .bool(isRedacted),
    ]
  }
}

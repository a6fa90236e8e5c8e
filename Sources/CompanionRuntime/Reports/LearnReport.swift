package import BluetoothCodec
internal import Companion
package import HeadphoneProtocols
package import JSON

/// The findings in a capture about a headphone's protocol.
package struct LearnReport: ObjectReport, Hashable {
  private let findings: CaptureFindings

  package init(_ findings: CaptureFindings) { self.findings = findings }

  /// The maximum number of messages per channel in the text; JSON and the byte table have all.
  private static let shown = 40

  package var text: String {
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

  package static let schemaName = SchemaName("learn", "`earshot learn --json`")

  package static let properties: [Property<Self>] = [
    Property(
      "capture",
      group: [
        Property("seconds", \.findings.seconds),
        Property("packets", \.findings.packets, in: .natural),
        Property("truncated", \.findings.truncated, in: .natural, "packets that are cut off"),
      ]),
    Property("links", \.findings.links),
    Property("channels", \.findings.channels),
  ]

  /// A driver file with the strings of the capture, whose meanings are blank.
  ///
  /// The strings have the form of those in `Tests/HeadphoneProtocolsTests/Bytes`. Without a framing
  /// that a driver file can have, there are only the strings.
  package var byteTable: String {
    let draft = DriverDraft(findings)?.text
    var blocks = [draft].compactMap(\.self)
    blocks.append(
      """
      # Strings of a headphone, from a capture of \(findings.length) by `earshot learn`.
      # Write what each means (what was pressed in the maker's program, and what is shown then) and,
      # for those from the headphone, what is to be read in it: reads = ["noise-mode off"].
      # Remove what is not known. docs/add-your-headphone.md says more.
      """)
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
  fileprivate var length: String {
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}

extension CapturedTraffic.Link: JSONObject {
  private enum Transport: String, JSONWord { case le, classic }

  private var transport: Transport? { peer.map { $0.kind == .classic ? .classic : .le } }

  fileprivate var title: String {
    guard let peer else { return "up before the capture began" }
    return "\(peer.kind == .classic ? "BR/EDR" : "LE") \(peer.address)"
  }

  package static let properties: [Property<Self>] = [
    Property("transport", \.transport, "null: the link was up before the capture began"),
    Property("address", \.peer?.address),
  ]
}

extension CaptureFindings.Channel: JSONObject {
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

  private enum Kind: String, JSONWord { case attribute, serial, packets, unknown }

  private var place: (kind: Kind, number: UInt16) {
    switch kind {
    case .attribute(let handle): (.attribute, handle)
    case .serial(let number): (.serial, UInt16(number))
    case .packets(let psm): (.packets, psm)
    case .unknown(let channel): (.unknown, channel)
    }
  }

  package static let properties: [Property<Self>] = [
    Property("link", \.link, in: .natural, "its index in `links`"),
    Property("kind", \.place.kind),
    Property("number", \.place.number, in: .natural, "of the handle, channel or PSM"),
    Property("service", \.service),
    Property("characteristic", \.characteristic),
    Property("sent", \.sent, in: .natural),
    Property("received", \.received, in: .natural),
    Property("complete", { !$0.isCut }, "false: there were more messages than are kept"),
    Property("framings", \.framings, "the best first"),
    Property("messages", \.messages),
  ]
}

extension CaptureFindings.Framing: JSONObject {
  fileprivate var title: String { name ?? "none that is known" }

  package static let properties: [Property<Self>] = [
    Property("family", \.name, "null: none that is known fits"),
    Property("layouts", \.layouts, "in words"),
    Property("frames", \.frames, in: .atLeast(1)),
    Property("share", \.share, in: .percent, "% of the bytes that are in frames"),
    Property("values", \.values, in: .natural, "how many Earshot reads in it"),
  ]
}

extension CaptureFindings.Message: JSONObject {
  /// The maximum number of bytes of a message in a line of text.
  private static let shown = 24
  private static let shownTimes = 3

  private enum Direction: String, JSONWord { case to, from }

  private var direction: Direction { isReceived ? .from : .to }

  private var digits: String { HeadphoneProtocols.hexadecimal(bytes).lowercased() }

  private var when: String {
    let shown = times.prefix(Self.shownTimes).map { Self.text($0) }.joined(separator: ", ")
    return times.count > Self.shownTimes
      ? "\(shown) and \(times.count - Self.shownTimes) more" : shown
  }

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
      direction = "\(direction.rawValue)"
      bytes = "\(digits)"
      meaning = ""
      proof = "\(isRedacted ? "made of recorded bytes" : "recorded bytes")"
      """
  }

  package static let properties: [Property<Self>] = [
    Property("direction", \.direction, "`to` or `from` the headphone"),
    Property("bytes", \.digits, matching: "^[0-9a-f]{2}( [0-9a-f]{2})*$|^$", "hexadecimal"),
    Property("times", \.times, "seconds since the beginning of the capture"),
    Property(
      "changed", \.changed, in: .natural, "offsets that differ from the most similar message before"
    ),
    Property("redacted", \.isRedacted, "texts were replaced, and the checksum with them"),
  ]
}

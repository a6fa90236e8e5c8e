package import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot doctor --sound`.
///
/// ```
/// Sound of WH-1000XM4
/// ✓ ok       computer   PipeWire 0.3.65: LDAC, aptX HD, aptX, SBC, SBC-XQ
/// ✓ ok       headphone  AAC, SBC (bitpool up to 53)
/// ✓ ok       in-use     music (A2DP), SBC, 44.1 kHz, bitpool up to 53, up to 328 kbit/s
/// ! warning  better     the headphone is set to prefer stability to quality, …
///                       → earshot setting connection-priority quality --device WH-1000XM4
///
/// Changes, newest last
/// 2026-11-28 21:03:11  codec: LDAC to SBC
/// ```
package struct SoundQualityReport: ObjectReport, Hashable {
  private let headphone: String?
  private let computer: [String]?
  private let offered: [MediaCapabilities]?
  private let profile: String?
  private let codec: String?
  private let stream: MediaCapabilities?
  private let findings: [SoundFinding]
  private let changes: [Change]

  /// The number of changes that are shown.
  private static let most = 20

  fileprivate struct Change: Hashable {
    var time: String
    var kind: SoundChange
    var what: String
  }

  /// Creates the report; `id` is the headphone of the log's lines, or nil for all headphones.
  package init(_ facts: SoundQualityFacts, of id: HeadphoneID?) {
    headphone = facts.name
    computer = facts.computerCodecs
    offered = facts.offered
    profile = facts.use?.profile.name
    codec = facts.use?.codec
    stream = facts.endpoints?.stream
    findings = facts.findings
    let records = facts.survey.log.lazy.compactMap(LogRecord.init).filter { record in
      record.sound != nil
        && (id == nil || record.headphone == nil || record.headphone == id?.rawValue)
    }
    changes = records.suffix(Self.most).compactMap { record in
      record.sound.map { Change(time: record.time, kind: $0, what: record.displayText) }
    }
  }

  package var hasHeadphone: Bool { headphone != nil }

  package static let schemaName = SchemaName("doctor-sound", "`earshot doctor --sound --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone, "its name; null: none was found"),
    Property(
      "computer", \.computer, "the codecs of the sound server, most preferred first; null: unknown"),
    Property(
      "offered", \.offered, "what the headphone offers, most preferred first; null: unknown"),
    Property(
      "profile", \.profile,
      "in use: `a2dp`, `hfp`, `le-audio`, or the sound server's own name; null: no sound"),
    Property("codec", \.codec, "in use, by the sound server's name"),
    Property("stream", \.stream, "the configuration of the sound; null: bluetoothd has none"),
    Property("findings", \.findings),
    Property("changes", \.changes, "of the log, newest last"),
  ]

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    let title = headphone.map { "Sound of \(displayable($0))" } ?? "Sound"
    let heading = changes.isEmpty ? "No change is in the log" : "Changes, newest last"
    return
      ([style.paint(title, .chosen)] + findings.flatMap { lines($0, style) }
      + ["", style.paint(heading, .chosen)]
      + (changes.isEmpty
        ? ["It is written while a screen or an agent runs: earshot agent"]
        : changes.map {
          style.paint(String($0.time.prefix(19)), .label) + "  \(displayable($0.what))"
        }))
      .joined(separator: "\n")
  }

  /// Returns a finding and, on the next line, its advice, ready to be copied.
  private func lines(_ finding: SoundFinding, _ style: TextStyle) -> [String] {
    let isPlain = style.ink == .plain
    let state =
      (isPlain ? "" : finding.state.mark + " ")
      + padded(finding.state.rawValue, to: DiagnosticResult.State.allCases.map(\.rawValue))
    let part = padded(finding.part.rawValue, to: SoundFinding.Part.allCases.map(\.rawValue))
    let line = style.paint(state, finding.state.paint) + "  \(part)  \(displayable(finding.what))"
    let indent = String(repeating: " ", count: state.count + part.count + 4)
    let advice = finding.advice.map {
      "\(indent)\(isPlain ? "->" : "→") \(displayable($0.text))"
    }
    return [line] + [advice].compactMap(\.self)
  }
}

extension DiagnosticResult.State {
  fileprivate var mark: String {
    switch self {
    case .ok: "✓"
    case .warning: "!"
    case .problem: "✗"
    case .unknown: "?"
    }
  }

  fileprivate var paint: Paint {
    switch self {
    case .ok: .good
    case .warning: .warning
    case .problem: .bad
    case .unknown: .label
    }
  }
}

extension SoundQualityReport.Change: JSONObject {
  static let properties: [Property<Self>] = [
    Property("time", \.time, "local"),
    Property("kind", \.kind),
    Property("what", \.what),
  ]
}

extension SoundFinding.Part: JSONWord {}
extension SoundChange: JSONWord {}

extension SoundFinding: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("part", \.part),
    Property("state", \.state),
    Property("what", \.what),
    Property("advice", \.advice?.text, "null: there is nothing to do"),
  ]
}

extension MediaCapabilities: NamedJSONObject {
  package static let schemaName = SchemaName("media-codec", "a codec of Bluetooth sound")

  package static let properties: [Property<Self>] = [
    Property("codec", \.codec, "as sound servers name it"),
    Property("rates", \.rates, "sampling rates in Hz"),
    Property("bitpool", { $0.bitpool.map { Int($0.upperBound) } }, "the highest, of SBC"),
    Property("bitRate", \.bitRate, "the highest in kbit/s; null: the codec does not tell"),
  ]
}

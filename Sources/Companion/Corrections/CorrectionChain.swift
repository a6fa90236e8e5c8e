import AudioRoute
import HeadphoneProtocols

/// A PipeWire filter-chain before a headphone's sink, which a child process runs.
///
/// The chain is a separate sink that plays on the headphone's. A chain in another slot can replace
/// it without a gap. There are only eight slots, because WirePlumber remembers sixteen chosen
/// outputs and should not forget the headphone.
package struct CorrectionChain: Hashable, Sendable {
  package var target: String
  /// The slot, 0 to 7.
  package var slot: Int
  /// The name that mixers show, not sanitised.
  package var description: String
  package var curve: ParametricEQ

  static func slot(after slot: Int) -> Int { (slot + 1) % slots }

  private static let slots = 8

  private static let prefix = "earshot.correction."

  /// The name of the chain's sink, from which any process can tell the target.
  package var name: String { "\(Self.prefix)\(slot).\(target)" }

  /// Returns the name of the sink behind a chain's sink, or nil if `sink` is no chain's.
  static func target(of sink: String) -> String? {
    guard sink.hasPrefix(prefix) else { return nil }
    let rest = sink.dropFirst(prefix.count)
    guard let slot = rest.first?.wholeNumberValue, slot < slots, rest.dropFirst().first == "."
    else { return nil }
    return String(rest.dropFirst(2))
  }

  /// The configuration for `pipewire -c`.
  ///
  /// Without `adapter` or `client-node` there is no sink, yet the process keeps running. The preamp
  /// is a shelf at 0 Hz, because `mixer` ignores its gain before 0.3.81. `node.passive` lets the
  /// headphone sleep. `node.dont-reconnect` keeps the correction off the loudspeakers when the
  /// headphone goes; WirePlumber 0.5 also needs `node.dont-fallback` for that.
  package var configuration: String {
    let filters =
      [Self.node("preamp", "bq_highshelf", 0, 1, curve.preamp)]
      + curve.filters.enumerated().map { number, filter in
        Self.node(
          "band\(number + 1)", filter.shape.label, filter.frequency, filter.quality, filter.gain)
      }
    let names = ["preamp"] + curve.filters.indices.map { "band\($0 + 1)" }
    let links = zip(names, names.dropFirst()).map {
      "          { output = \"\($0):Out\" input = \"\($1):In\" }"
    }
    return """
      context.properties = { log.level = 2 }
      context.modules = [
        { name = libpipewire-module-rt args = { nice.level = -11 } flags = [ ifexists nofail ] }
        { name = libpipewire-module-protocol-native }
        { name = libpipewire-module-client-node }
        { name = libpipewire-module-adapter }
        { name = libpipewire-module-filter-chain
          args = {
            node.description = \(Self.quoted(description))
            media.name = \(Self.quoted(name))
            audio.rate = 48000
            audio.channels = 2
            audio.position = [ FL FR ]
            filter.graph = {
              nodes = [
      \(filters.joined(separator: "\n"))
              ]
              links = [
      \(links.joined(separator: "\n"))
              ]
              inputs = [ "preamp:In" ]
              outputs = [ "\(names.last ?? "preamp"):Out" ]
            }
            capture.props = {
              node.name = \(Self.quoted(name))
              media.class = Audio/Sink
              state.restore-props = false
            }
            playback.props = {
              node.name = \(Self.quoted(name + ".output"))
              node.passive = true
              node.dont-reconnect = true
              node.dont-fallback = true
              stream.dont-remix = true
              state.restore-props = false
              target.object = \(Self.quoted(target))
            }
          }
        }
      ]

      """
  }

  private static func node(
    _ name: String, _ label: String, _ frequency: Double, _ quality: Double, _ gain: Double
  ) -> String {
    "          { type = builtin name = \(name) label = \(label) control = "
      + "{ \"Freq\" = \(number(frequency)) \"Q\" = \(number(quality)) \"Gain\" = \(number(gain)) } }"
  }

  private static func number(_ value: Double) -> String {
    let units = Int((min(max(-100_000, value.isFinite ? value : 0), 100_000) * 10_000).rounded())
    let decimals = String(abs(units) % 10_000)
    let padding = String(repeating: "0", count: 4 - decimals.count)
    return "\(units < 0 ? "-" : "")\(abs(units) / 10_000).\(padding)\(decimals)"
  }

  /// Returns a string for SPA's JSON, without characters that cannot be displayed.
  private static func quoted(_ text: String) -> String {
    let escaped = displayable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

extension ParametricEQ.Filter.Shape {
  fileprivate var label: String {
    switch self {
    case .peak: "bq_peaking"
    case .lowShelf: "bq_lowshelf"
    case .highShelf: "bq_highshelf"
    }
  }
}

package struct CorrectionSinks: Hashable, Sendable {
  var names: Set<String> = []
  var defaultSink: String?

  package var isInUse: Bool { defaultSink.map(names.contains) == true }
}

extension AudioSnapshot {
  /// Returns the snapshot without correction sinks; what plays on one plays on the headphone.
  ///
  /// A correction sink without its headphone's sink is about to disappear.
  func withoutCorrections() -> (AudioSnapshot, CorrectionSinks) {
    let targets = Dictionary(
      sinks.compactMap { sink in CorrectionChain.target(of: sink.name).map { (sink.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    var seen = self
    if !targets.isEmpty { seen.sinks.removeAll { targets[$0.name] != nil } }
    if let target = defaultSink.flatMap({ targets[$0] }) {
      seen.defaultSink = seen.sink(named: target) == nil ? nil : target
    }
    return (seen, CorrectionSinks(names: Set(targets.keys), defaultSink: defaultSink))
  }

  var isPipeWire: Bool { serverName.contains("PipeWire") }
}

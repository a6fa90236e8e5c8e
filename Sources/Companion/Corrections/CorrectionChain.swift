import AudioRoute
internal import Glibc
import HeadphoneProtocols

/// PipeWire's filter-chain before a headphone's sink: what a child process of the program runs.
///
/// It is a sink of its own, which plays on the headphone's. Two of them, in two slots, let one take the place of the other
/// without a gap. There are more slots, so that a name is free for long before it is used again, and few enough for
/// WirePlumber, which remembers sixteen chosen outputs, not to forget the headphone.
public struct CorrectionChain: Hashable, Sendable {
  /// The name of the headphone's sink.
  public var target: String
  /// 0 to 7.
  public var slot: Int
  /// What mixers show, unsanitised.
  public var description: String
  /// The filters, with a preamp that keeps them from clipping.
  public var curve: ParametricEQ

  /// The slot after another.
  static func slot(after slot: Int) -> Int { (slot + 1) % slots }

  private static let slots = 8

  private static let prefix = "earshot.correction."

  /// The name of its sink, which says where it plays: to every process, not only to the one that started it.
  public var name: String { "\(Self.prefix)\(slot).\(target)" }

  /// The name of the sink on which a sink of this kind plays; nil: it is another kind.
  static func target(of sink: String) -> String? {
    guard sink.hasPrefix(prefix) else { return nil }
    let rest = sink.dropFirst(prefix.count)
    guard let slot = rest.first?.wholeNumberValue, slot < slots, rest.dropFirst().first == "."
    else { return nil }
    return String(rest.dropFirst(2))
  }

  /// The configuration of `pipewire -c`.
  ///
  /// Each line was measured: without `adapter` or `client-node` there is no sink, and the process lives on. The preamp is
  /// a shelf at 0 Hz, because `mixer` ignores its gain before 0.3.81. `node.passive` lets the headphone sleep, and
  /// `node.dont-reconnect` keeps the correction from the loudspeakers when the headphone goes, with WirePlumber 0.5 only
  /// beside `node.dont-fallback`.
  public var configuration: String {
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

  /// A number with at most four decimals, never in exponents.
  private static func number(_ value: Double) -> String {
    let units = Int((min(max(-100_000, value.isFinite ? value : 0), 100_000) * 10_000).rounded())
    let decimals = String(abs(units) % 10_000)
    let padding = String(repeating: "0", count: 4 - decimals.count)
    return "\(units < 0 ? "-" : "")\(abs(units) / 10_000).\(padding)\(decimals)"
  }

  /// A string of SPA's JSON; characters that a screen could not show are left out.
  private static func quoted(_ text: String) -> String {
    let escaped = displayable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

extension ParametricEQ.Filter.Shape {
  /// The builtin filter of PipeWire.
  fileprivate var label: String {
    switch self {
    case .peak: "bq_peaking"
    case .lowShelf: "bq_lowshelf"
    case .highShelf: "bq_highshelf"
    }
  }
}

extension ParametricEQ.Filter {
  /// Q, which for a shelf with a slope follows from that (Audio EQ Cookbook).
  fileprivate var quality: Double {
    switch width {
    case .quality(let quality): return quality
    case .slope(let slope):
      let amplitude = pow(10, gain / 40)
      return 1 / max(0.01, (amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
    }
  }
}

/// The sinks of corrections that the sound server has, and whether the sound goes through one.
public struct CorrectionSinks: Hashable, Sendable {
  /// Their names.
  var names: Set<String> = []
  /// The default sink as the server names it; nil: there is none.
  var defaultSink: String?

  /// Whether the sound goes through a correction.
  public var isInUse: Bool { defaultSink.map(names.contains) == true }
}

extension AudioSnapshot {
  /// The server without the sinks of corrections: what plays on one counts as playing on the headphone behind it.
  ///
  /// One whose headphone's sink is gone is about to go, too.
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

  /// Whether the server can have a filter-chain.
  var isPipeWire: Bool { serverName.contains("PipeWire") }
}

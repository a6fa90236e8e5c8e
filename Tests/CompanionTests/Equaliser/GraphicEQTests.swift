import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

@Suite struct `A graphic equaliser's text` {
  private func parse(_ text: String) throws -> ParametricEQ {
    try ParametricEQ(parsing: Array(text.utf8))
  }

  /// Returns a curve as AutoEq writes it: 127 points rounded to 0.1 dB, and one cut below hearing.
  private func text(of curve: ParametricEQ) -> String {
    let frequencies = ParametricEQ.frequencies(count: 127)
    let points = zip(frequencies, curve.response(at: frequencies)).map { frequency, gain in
      "\(Int(frequency.rounded())) \((gain * 10).rounded() / 10)"
    }
    return "GraphicEQ: 10 -84; " + points.joined(separator: "; ")
  }

  @Test(arguments: [
    "Sennheiser HD 650", "Sony WH-1000XM4", "1MORE Aero (ANC On)", "1Custom SA05",
  ])
  func `becomes peaks that are within 0.5 dB of the curve`(name: String) throws {
    let wanted = try #require(bundledCorrections.correction(named: name)?.curve)
    let curve = try parse(text(of: wanted))
    #expect(curve.filters.count <= 20)
    for frequency in ParametricEQ.frequencies(from: 30, to: 16_000, count: 100) {
      let (gain, should) = (curve.response(at: frequency), wanted.response(at: frequency))
      #expect(abs(gain - should) < 0.5, "\(Int(frequency)) Hz: \(gain), not \(should)")
    }
  }

  @Test func `reports the distance from its lines`() throws {
    let points: [(Int, Int)] = [
      (1000, 0), (1100, -12), (1210, 0), (1300, 9), (1400, -9), (1500, 0),
    ]
    let text = points.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    let curve = try parse("# mine\nGraphicEQ: \(text)")
    let told = try #require(curve.omissions.first)
    let frequencies = ParametricEQ.frequencies(count: 400)
    let graphic = GraphicEQ(
      points: points.map { GraphicEQ.Point(frequency: Double($0.0), gain: Double($0.1)) })
    let worst = frequencies.map { abs(graphic.gain(at: $0) - curve.response(at: $0)) }.max() ?? 0
    #expect(told.hasPrefix("line 2: GraphicEQ became \(curve.filters.count) peaks: off by "))
    #expect(told.contains(decibelText(worst, sign: false)))
  }

  @Test func `that is level is a preamp, and adds to the preamp of the file`() throws {
    let curve = try parse("Preamp: -1 dB\nGraphicEQ: 20 -3; 20000 -3;")
    #expect(curve.filters.isEmpty)
    #expect(abs(curve.preamp + 4) < 1e-9)
  }

  @Test func `has straight lines over the logarithm of the frequency, and is level outside`() {
    let graphic = GraphicEQ(
      points: [.init(frequency: 100, gain: -2), .init(frequency: 400, gain: 4)])
    #expect(graphic.gain(at: 20) == -2)
    #expect(abs(graphic.gain(at: 200) - 1) < 1e-9)
    #expect(graphic.gain(at: 9000) == 4)
  }

  @Test func `that jumps as no peak can is followed within bounds`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2 {
      let points = (1...40).map { "\($0 * 400) \(Int.random(in: -120...40, using: &random))" }
      let text = "GraphicEQ: " + points.joined(separator: ";")
      guard let curve = try? parse(text) else { continue }
      #expect(curve.response(at: ParametricEQ.frequencies(count: 50)).allSatisfy { $0.isFinite })
      #expect(curve.filters.allSatisfy { abs($0.gain) <= 15 && 20...20_001 ~= $0.frequency })
      #expect(curve.adjusted(strength: 100, bass: 6).peak < 0.01)
    }
  }
}

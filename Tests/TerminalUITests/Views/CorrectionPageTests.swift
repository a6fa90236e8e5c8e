import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let correctionPage: [Golden] = [
    .screen("correction") { Example.correction() },
    .screen("correction-40x12", .small) { Example.correction() },
  ]
}

extension Example {
  /// Returns a model with a correction in its own bands.
  static func correction() -> State {
    let curve = ParametricEQ(
      preamp: -5.9,
      filters: [
        .init(.lowShelf, frequency: 105, gain: 5, width: .quality(0.7)),
        .init(.peak, frequency: 300, gain: -3, width: .quality(1)),
        .init(.peak, frequency: 4000, gain: 5, width: .quality(2)),
        .init(.highShelf, frequency: 10_000, gain: -3, width: .quality(0.7)),
      ])
    let found = ["Maker Aurora Pro", "Maker Aurora Pro (ANC off)"].map {
      Correction(name: $0, form: "over-ear", source: "oratory1990", curve: curve)
    }
    return state().changed { state in
      let now = Timestamp(milliseconds: 0)
      for event: CorrectionEvent in [
        .changed(.line("Maker Aurora Pro")), .changed(.strength(80)),
        .found(
          CorrectionModel(found).map(CorrectionMatch.certain) ?? .missing, for: ["Maker Aurora Pro"]
        ),
        .changed(.on(true)),
      ] {
        _ = state.reduce(.correction(aurora, event), at: now)
      }
      state.page = .correction(line: 5)
    }
  }
}

@Suite struct `The page of the correction` {
  @Test func `clicks go to its lines`() throws {
    let screen = view(Example.correction(), size: .ordinary)
    let row = try #require((0..<24).first { screen.text(row: $0).contains("Strength") })
    #expect(screen.actions(for: Mouse(.press, column: 10, row: row)).contains(.pointed(.line(2))))
  }
}

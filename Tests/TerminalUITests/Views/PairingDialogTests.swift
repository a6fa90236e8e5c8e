import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The questions of pairing over the page.
  static let pairing: [Golden] =
    [
      .screen("pairing", showsRoles: true) { asked(.enter, "the virtual headphone says 897932") },
      .screen("pairing-40x12", .small) { asked(.enter, "the virtual headphone says 897932") },
      .rows("pairing-typed", unlike: { asked(.enter, "the virtual headphone says 897932") }) {
        let typed = asked(.enter) {
          $0.typed = "0314"
          $0.complaint = "the number has six digits"
        }
        return [("typed", typed)]
      },
    ]
    + [Size.ordinary, .small].map { size in
      .rows(
        "pairing-questions" + size.suffix, size,
        unlike: { asked(.enter, "the virtual headphone says 897932") }
      ) {
        [
          ("consent", asked(.consent)),
          (
            "compare",
            asked(.compare(Passkey(truncating: 31_415)), "the virtual headphone says 031415")
          ),
          ("show", asked(.show(Passkey(truncating: 926_535), entered: 2))),
          ("PIN", asked(.enterPIN)), ("PIN, typed", asked(.enterPIN) { $0.typed = "47 Ö\u{202E}" }),
          ("show a PIN", asked(.showPIN(.usual))),
        ]
      }
    }

  fileprivate static func asked(
    _ request: PairingRequest, _ hint: String? = nil,
    _ change: (inout PairingDialog) -> Void = { _ in }
  ) -> State {
    var open = PairingDialog(
      PairingAgent.Question(
        id: 1, peer: PeerAddress(BluetoothAddress(value: 1), .random), request: request, hint: hint,
        limit: .seconds(25)), for: Example.aurora)
    open.secondsLeft = 19
    change(&open)
    return Example.state().with { $0.link = .connected(.pairing()) }
      .changed { $0.pairings = [open] }
  }
}

@Suite struct `What pairing asks` {
  @Test func `says the number at every size that has room for six digits`() {
    for columns in [20, 30, 40, 76, 120] {
      for rows in 5...24 {
        let screen = view(
          Golden.asked(.compare(Passkey(truncating: 888_888))),
          size: Size(columns: columns, rows: rows))
        let text = (0..<rows).map { screen.text(row: $0) }
        #expect(
          text.contains { $0.contains("888888") || $0.contains("|_| |_| |_|   |_| |_| |_|") },
          "\(columns)x\(rows)")
        #expect(text.contains { $0.contains("y Yes") }, "\(columns)x\(rows)")
      }
    }
  }

  @Test func `y and n answer, digits are typed`() {
    let keys = KeyMap.standard
    let consent = Golden.asked(.consent)
    #expect(
      keys.actions(for: .character("y"), in: consent) == [.pressed(.right), .pressed(.accept)])
    #expect(keys.actions(for: .character("n"), in: consent) == [.pressed(.back)])
    let enter = Golden.asked(.enter)
    #expect(keys.actions(for: .character("7"), in: enter) == [.typed(.character("7"))])
    #expect(keys.actions(for: .enter, in: enter) == [.pressed(.accept)])
    #expect(keys.actions(forPaste: "12", in: enter).count == 2)
    let pin = Golden.asked(.enterPIN)
    #expect(keys.actions(for: .character("y"), in: pin) == [.typed(.character("y"))])
    let show = Golden.asked(.show(Passkey(truncating: 0), entered: 0))
    #expect(keys.actions(for: .escape, in: show) == [.pressed(.back)])
    #expect(keys.actions(forPaste: "12", in: Example.state()) == [])
  }

  @Test(arguments: 0...9) func `no two digits look the same`(digit: Int) {
    let rows = { (text: String) in (0..<LargeDigits.rows).map { LargeDigits.row($0, of: text) } }
    for other in 0...9 where other != digit { #expect(rows("\(digit)") != rows("\(other)")) }
    #expect(rows("\(digit)").allSatisfy { $0.count == 3 })
    #expect(LargeDigits.row(0, of: "123456").count == LargeDigits.columns)
  }
}

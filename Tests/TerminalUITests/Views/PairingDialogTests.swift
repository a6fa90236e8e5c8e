import Bluetooth
import BluetoothCodec
import Companion
import Headphones
import Testing

@testable import TerminalUI

@Suite struct `What pairing asks` {
  private static let methods: [(String, PairingRequest, String?)] = [
    ("consent", .consent, nil),
    ("compare", .compare(Passkey(truncating: 31_415)), "the virtual headphone says 031415"),
    ("show", .show(Passkey(truncating: 926_535), entered: 2), nil),
    ("enter", .enter, "the virtual headphone says 897932"),
  ]

  private func dialog(
    _ request: PairingRequest, _ hint: String? = nil,
    _ change: (inout PairingDialog) -> Void = { _ in }
  ) -> State {
    var open = PairingDialog(
      PairingAgent.Question(
        id: 1, peer: PeerAddress(BluetoothAddress(value: 1), .random), request: request, hint: hint,
        limit: .seconds(25)), for: Example.aurora)
    open.secondsLeft = 19
    change(&open)
    return Example.state().with { $0.link = .pairing }.changed { $0.dialog = .pairing(open) }
  }

  @Test(arguments: [(80, 24), (120, 40), (40, 12)])
  func `stands large over the page`(columns: Int, rows: Int) {
    for (name, need, hint) in Self.methods {
      expectScreen(
        view(dialog(need, hint), size: Size(columns: columns, rows: rows)),
        "pairing-\(name)-\(columns)x\(rows)")
    }
  }

  @Test func `shows what was typed, and what is wrong with it`() {
    let state = dialog(.enter) {
      $0.digits = "0314"
      $0.complaint = "the number has six digits"
    }
    expectScreen(view(state, size: .ordinary), "pairing-typed")
  }

  @Test func `says the number at every size that has room for six digits`() {
    for columns in [20, 30, 40, 76, 120] {
      for rows in 5...24 {
        let screen = view(
          dialog(.compare(Passkey(truncating: 888_888))), size: Size(columns: columns, rows: rows))
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
    let consent = dialog(.consent)
    #expect(
      keys.actions(for: .character("y"), in: consent) == [.pressed(.right), .pressed(.accept)])
    #expect(keys.actions(for: .character("n"), in: consent) == [.pressed(.back)])
    let enter = dialog(.enter)
    #expect(keys.actions(for: .character("7"), in: enter) == [.typed(.character("7"))])
    #expect(keys.actions(for: .enter, in: enter) == [.pressed(.accept)])
    #expect(keys.actions(forPaste: "12", in: enter).count == 2)
    let show = dialog(.show(Passkey(truncating: 1), entered: 0))
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

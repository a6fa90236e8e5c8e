import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The inspector page with each position of the cursor, state of the link and dialog.
  static let inspector: [Golden] =
    [Size.ordinary, .large, .small].map { size in
      .screen("inspector" + size.suffix, size, showsRoles: size == .ordinary) {
        scene("subscribed")
      }
    }
    + [Size.ordinary, .small].map { size in
      .rows("inspector-scenes" + size.suffix, size, unlike: { scene("subscribed") }) {
        scenes.map(\.0).filter { $0 != "subscribed" }.map { ($0, scene($0)) }
      }
    } + [
      .rows("inspector-dialogs", unlike: { scene("subscribed") }) {
        let write = AttributeWrite(
          headphone: Example.aurora, handle: 0x22, bytes: [0xA5, 1, 2], withResponse: false)
        let dialogs: [(String, Dialog)] = [
          ("entry", .entry(TextEntry(.attribute(write), text: "A5 01"))),
          ("question", .question(Question(.writeAttribute(write)))),
        ]
        return dialogs.map { name, dialog in
          (name, inspecting(line: 8).changed { $0.dialog = dialog })
        }
      }
    ]

  private static func scene(_ name: String) -> State {
    let scene = scenes.first { $0.0 == name }
    return inspecting(line: scene?.1 ?? 0).with { scene?.2(&$0) }
  }

  fileprivate static func inspecting(line: Int) -> State {
    Example.state().with { $0.inspection = inspection() }
      .changed { $0.page = .inspector(line: line) }
  }

  private static func inspection() -> Inspection {
    var inspection = Inspection()
    inspection.stage = .known
    inspection.services = [
      InspectedService(
        title: "Battery (180F)", start: 0x10, end: 0x14,
        characteristics: [
          InspectedCharacteristic(
            title: "Battery Level (2A19)", handle: 0x12, properties: "read, notify",
            abilities: [.read, .subscribe],
            descriptors: [
              InspectedDescriptor(
                title: "Client Characteristic Configuration (2902)", handle: 0x13),
              InspectedDescriptor(title: "Characteristic Presentation Format (2904)", handle: 0x14),
            ])
        ]),
      InspectedService(
        title: "Device Information (180A)", start: 0x15, end: 0x19,
        characteristics: [
          InspectedCharacteristic(
            title: "Model Number String (2A24)", handle: 0x17, properties: "read",
            abilities: [.read]),
          InspectedCharacteristic(
            title: "System ID (2A23)", handle: 0x19, properties: "read", abilities: [.read]),
        ]),
      InspectedService(
        title: "12345678-1234-5678-1234-56789ABCDEF0", start: 0x20, end: 0x2F,
        characteristics: [
          InspectedCharacteristic(
            title: "Command (12345678-1234-5678-1234-56789ABCDEF3)", handle: 0x22,
            properties: "write without response, write",
            abilities: [.write, .writeWithoutResponse]),
          InspectedCharacteristic(
            title: "Event (12345678-1234-5678-1234-56789ABCDEF4)", handle: 0x24,
            properties: "notify", abilities: [.subscribe]),
        ]),
    ]
    func value(_ content: InspectedValue.Content, reported: Int = 0) -> InspectedValue {
      InspectedValue(content, seenAt: Example.now, reported: reported)
    }
    inspection.values = [
      0x12: value(.bytes([0x54], displayText: "84%")),
      0x13: value(.bytes([1, 0], displayText: "notify")),
      0x14: value(.bytes([4, 0, 0xAD, 0x27, 1, 0x0D, 1], displayText: "uint8, %, left")),
      0x17: value(
        .bytes(
          Array("EA\u{1B}[31m".utf8) + Array(repeating: 0x41, count: 70),
          displayText: "\"EA\u{1B}[31m…\""
        )),
      0x19: value(.unreadable("ATT error 0x05 reading 0019: insufficient authentication; pair")),
      0x24: value(.bytes([2, 84, 79, 62], displayText: nil), reported: 12),
    ]
    inspection.subscribed = [0x24]
    inspection.pending = [0x12]
    return inspection
  }

  /// The scenes: name, line of the cursor, and change.
  private static let scenes: [(String, Int, @Sendable (inout HeadphoneState) -> Void)] = [
    ("characteristic", 1, { _ in }),
    ("long-value", 5, { _ in }),
    ("subscribed", 9, { _ in }),
    (
      "stale", 6,
      {
        $0.link = .unwanted(.disconnected(.user))
        $0.inspection?.isOfThisLink = false
      }
    ),
    ("reading", 0, { $0.inspection = Inspection() }),
    (
      "unconnected", 0,
      {
        $0.link = .unwanted(.idle)
        $0.inspection = nil
      }
    ),
    ("unknown", 0, { $0.inspection = nil }),
    (
      "failed", 0,
      {
        $0.inspection?.services = []
        $0.inspection?.stage = .failed("the headphone's services changed meanwhile")
      }
    ),
  ]
}

@Suite struct `The inspector's page` {
  @Test(arguments: 0..<11, [0, 1, 3, 9, 25, 200])
  func `keeps the cursor in sight at any size`(line: Int, columns: Int) {
    let state = Golden.inspecting(line: line)
    for rows in [0, 1, 2, 4, 7, 13, 60] {
      let screen = view(state, size: Size(columns: columns, rows: rows))
      guard columns >= 9, rows >= 7, line < 10 else { continue }
      let text = (0..<rows).map { screen.text(row: $0) }.joined()
      #expect(text.contains("▸"), "the cursor is out of sight")
    }
  }
}

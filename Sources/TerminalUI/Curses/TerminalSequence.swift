internal import Companion
internal import HeadphoneProtocols

/// The parts of a screen that a terminal shows outside its cells.
package struct WindowInfo: Hashable, Sendable {
  package var title = ""
  /// The progress of a firmware update in %, or nil if none runs.
  package var progress: UInt8?

  package init(title: String = "", progress: UInt8? = nil) {
    self.title = title
    self.progress = progress
  }
}

enum TerminalSequence {
  /// DECRQM, by which a terminal says whether it has a mode (xterm's control sequences).
  static let synchronizationQuery = "\u{1B}[?2026$p"
  /// The start of a frame, which the terminal shows at once (mode 2026).
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"

  static func title(_ text: String) -> String {
    "\u{1B}]2;\(displayable(text).prefix(80))\u{07}"
  }

  static func notification(
    _ summary: String, _ body: String, as form: TerminalNotification
  ) -> String {
    let (summary, body) = (displayable(summary), displayable(body))
    switch form {
    case .off: return ""
    case .osc9:
      let text = body.isEmpty ? summary : "\(summary): \(body)"
      // A number and a semicolon would be one of ConEmu's commands.
      let isCommand = text.prefix { $0 != ";" }.allSatisfy(\.isNumber)
      return "\u{1B}]9;\(isCommand ? " " : "")\(text)\u{07}"
    case .osc777:
      let parts = [summary, body].map { $0.replacing(";", with: ",") }
      return "\u{1B}]777;notify;\(parts[0]);\(parts[1])\u{07}"
    case .osc99:
      let title = "\u{1B}]99;i=earshot:d=\(body.isEmpty ? 1 : 0);\(summary)\u{1B}\\"
      return title
        + (body.isEmpty ? "" : "\u{1B}]99;i=earshot:d=1:p=body;\(body)\u{1B}\\")
    }
  }
}

extension WindowInfo {
  /// Creates the title and progress: "Aurora Buds 79%", the charge of the bud that ends first.
  init(_ state: State) {
    guard let headphone = state.headphones.selected else {
      title = "earshot"
      return
    }
    let levels = headphone.isLive ? headphone.budLevels : []
    title =
      displayable(state.name(of: headphone.id)) + (levels.min().map { " \($0)%" } ?? "")
      + " - earshot"
    progress = state.headphones.lazy.compactMap(\.firmwareProgress).first
  }
}

extension HeadphoneState {
  fileprivate var budLevels: [UInt8] {
    shownParts.filter { $0 != .case }.compactMap { battery?.value[$0]?.level }
      + [onlyCharge].compactMap(\.self)
  }
}

internal import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot status --all`: every known or nearby headphone.
package struct StatusListReport: ObjectReport {
  private let state: State

  package init(_ state: State) { self.state = state }

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    style.table(
      ["headphone", "controls", "battery", "noise control"],
      state.headphones.map { headphone in
        return [
          displayable(state.name(of: headphone.id)), headphone.linkText,
          headphone.battery?.value.displayText(isOnlyOne: headphone.hasOneBattery) ?? "",
          headphone.link.isReady ? headphone.name(of: .noiseMode) ?? "" : "",
        ]
      }, omitsEmpty: true)
  }

  package static let schemaName = SchemaName("status-all", "`earshot status --all --json`")

  package static let properties: [Property<Self>] = [
    Property("headphones") { report in
      report.state.headphones.map { StatusReport($0, in: report.state) }
    }
  ]
}

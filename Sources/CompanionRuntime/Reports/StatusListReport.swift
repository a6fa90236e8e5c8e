internal import BluetoothCodec
public import Companion
internal import HeadphoneProtocols
public import JSON

/// The report of `earshot status --all`: every known or nearby headphone.
public struct StatusListReport: ObjectReport {
  private let state: State

  public init(_ state: State) { self.state = state }

  public var text: String { text(.plain) }

  public func text(_ style: TextStyle) -> String {
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

  public static let schemaName = SchemaName("status-all", "`earshot status --all --json`")

  public static let properties: [Property<Self>] = [
    Property("headphones") { report in
      report.state.headphones.map { StatusReport($0, in: report.state) }
    }
  ]
}

package import Companion
internal import HeadphoneProtocols
package import JSON

package struct PairedDevicesReport: ObjectReport, Hashable {
  private let multipoint: Bool?
  private let actions: [PairedDeviceAction]
  private let devices: [PairedDevice]

  /// Creates the report; `state` has the adapter, by which this computer is recognised.
  package init(_ headphone: HeadphoneState, in state: State) {
    if case .toggle(let isOn)? = headphone.setting(.multipoint).confirmed {
      multipoint = isOn
    } else {
      multipoint = nil
    }
    actions = headphone.pairedDeviceActions
    devices = state.pairedDevices(of: headphone)
  }

  package var text: String {
    let isOn = multipoint.map { [("two devices at a time", $0 ? "on" : "off")] } ?? []
    return table(isOn + devices.map { ($0.title, "\($0.stateText) (\($0.address))") })
  }

  package static let schemaName = SchemaName("multipoint", "`earshot multipoint --json`")

  package static let properties: [Property<Self>] = [
    Property(
      "multipoint", \.multipoint, "whether two can be connected at a time; null: not reported"),
    Property("actions", \.actions, "what the headphone can do with one of `devices`"),
    Property("devices", \.devices),
  ]
}

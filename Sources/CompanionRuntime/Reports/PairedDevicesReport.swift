public import Companion
internal import HeadphoneProtocols
public import JSON

/// `earshot multipoint`: the phones and computers that the headphone is paired with.
///
/// Text: a line for each. JSON of schema 1: `multipoint`, whether two can be connected at a time
/// (null: not reported), `actions` that the headphone takes, and `devices`, each with `name`,
/// `address`, `connected`, `playing`, `preferred` and `thisComputer` (null: not reported).
public struct PairedDevicesReport: Report, Hashable {
  private let multipoint: Bool?
  private let actions: [PairedDeviceAction]
  private let devices: [PairedDevice]

  /// Only what the headphone has reported.
  ///
  /// - Parameter state: has the adapter, by which this computer is recognised.
  public init(_ headphone: HeadphoneState, in state: State) {
    if case .toggle(let isOn)? = headphone.setting(.multipoint).confirmed {
      multipoint = isOn
    } else {
      multipoint = nil
    }
    actions = headphone.pairedDeviceActions
    devices = state.pairedDevices(of: headphone)
  }

  public var text: String {
    let isOn = multipoint.map { [("two devices at a time", $0 ? "on" : "off")] } ?? []
    return table(isOn + devices.map { ($0.title, "\($0.stateText) (\($0.address))") })
  }

  public var json: JSON {
    [
      "schema": 1, "multipoint": JSON(multipoint),
      "actions": .array(actions.map { .string($0.rawValue) }),
      "devices": .array(devices.map(\.json)),
    ]
  }
}

internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import DBus
internal import HeadphoneProtocols
internal import JSON

/// The interface that desktop widgets for BudsLink use (docs/dbus.md).
enum BudsLink {
  static let service = "io.github.maniacx.BudsLink"
  static let root = "/io/github/maniacx/BudsLink"
  static let device = "\(service).Device"
  static let action = DBusInterface.Method(
    "UiAction", [.init("action", "s"), .init("value", "i")])

  /// The version of the interface, which widgets compare with theirs.
  static let version = "0.0.1"
  static let hold = DBusInterface.Method("HoldService", [.init("client", "s")])
  static let release = DBusInterface.Method("ReleaseService", [.init("client", "s")])
  static let serviceVersion = DBusInterface.Method(
    "ServiceVersion", returns: [.init("version", "s")])
  static let list = DBusInterface.Method("ListDevices", returns: [.init("devices", "ao")])
  static let manager = DBusInterface(
    "\(service).DeviceManager", methods: [hold, release, serviceVersion, list],
    signals: [
      .init("DeviceAdded", [.init("device", "o")]), .init("DeviceRemoved", [.init("device", "o")]),
    ])
}

/// A connected headphone as widgets for BudsLink show it.
struct BudsLinkDevice: Hashable, Sendable {
  let path: String
  private let id: HeadphoneID
  private let alias: String
  private let modes: [ANCMode]
  private let mode: ANCMode?
  private let hasOneBattery: Bool
  private let batteries: [Part: Battery]
  private let overall: UInt8?

  /// Returns the connected headphones; of those with one address the first.
  static func all(in state: State) -> [BudsLinkDevice] {
    guard case .ready(let adapter) = state.adapter else { return [] }
    var paths: Set<String> = []
    return state.headphones.filter(\.link.isReady).map { BudsLinkDevice($0, on: adapter) }
      .filter { paths.insert($0.path).inserted }
  }

  private init(_ headphone: HeadphoneState, on adapter: Adapter) {
    // As that of bluetoothd's object, which widgets compare.
    let address = headphone.publicAddress ?? headphone.address.address.description
    path = "\(BudsLink.root)/Devices/\(adapter.name)/dev_\(address.replacing(":", with: "_"))"
    id = headphone.id
    alias = headphone.name
    modes = headphone.capabilities?.ancModes ?? []
    mode = headphone.anc.confirmed
    hasOneBattery = headphone.hasOneBattery
    batteries = headphone.battery?.value ?? [:]
    overall = headphone.onlyCharge
  }

  /// Returns the words of the command for what a widget's user did, or nil if it means nothing.
  func command(for action: String, _ value: Int) -> [String]? {
    guard action == "toggle1State", value > 0, value <= modes.count else { return nil }
    return ["anc", "--device", id.rawValue, "--", modes[value - 1].name]
  }

  var interface: DBusInterface {
    DBusInterface(
      BudsLink.device,
      properties: [
        .init("Alias", "s", .string(alias)), .init("Config", "s", .string("\(config)")),
        .init("State", "s", .string("\(state)")),
      ], methods: [BudsLink.action])
  }

  /// The titles, and the icons, which are names of the widgets' files.
  var config: JSON {
    let icon: JSON = hasOneBattery ? "headphone1" : "earbuds"
    let icons: [JSON] = hasOneBattery ? [icon] : ["earbuds-left", "earbuds-right", "case-oval"]
    var all: [JSON.Member] = [.init("commonIcon", icon), .init("albumArtIcon", icon)]
    for (index, part) in Part.allCases.enumerated() {
      let isShown = index < icons.count && (index == 0 || batteries[part] != nil)
      all.append(.init("battery\(index + 1)Icon", isShown ? icons[index] : .null))
      all.append(.init("battery\(index + 1)ShowOnDisconnect", .bool(part != .case && isShown)))
    }
    all.append(.init("toggle1Title", modes.isEmpty ? "" : "Noise control"))
    all.append(.init("toggle2Title", ""))
    for index in 0..<4 {
      let mode = modes.indices.contains(index) ? modes[index] : nil
      all.append(.init("toggle1Button\(index + 1)Icon", JSON(mode?.widgetIcon)))
      all.append(.init("toggle1Button\(index + 1)Name", .string(mode?.title ?? "")))
      all.append(.init("toggle2Button\(index + 1)Icon", .null))
      all.append(.init("toggle2Button\(index + 1)Name", ""))
    }
    // Widgets count the elements without asking whether there are any.
    for box in 1...4 {
      for list in ["optionsBox\(box)", "box\(box)CheckButton", "box\(box)RadioButton"] {
        all.append(.init(list, []))
      }
      for title in ["box\(box)SliderTitle", "box\(box)RadioTitle"] { all.append(.init(title, "")) }
    }
    all += [
      .init("labelWidth", 4), .init("labelIndicatorEnabled", 0),
      .init("panelButtonLabelFixed", true), .init("showSettingsButton", false),
    ]
    return .object(all)
  }

  var state: JSON {
    let levels = [batteries[.left]?.level, batteries[.right]?.level].compactMap(\.self)
    var all: [JSON.Member] = [
      .init("computedBatteryLevel", JSON(levels.min() ?? overall ?? batteries[.case]?.level ?? 0))
    ]
    for (index, part) in Part.allCases.enumerated() {
      // One figure for the whole headphone is that of the first battery.
      let level = batteries[part]?.level ?? (index == 0 ? overall : nil)
      let status = batteries[part]?.isCharging == true ? "charging" : "discharging"
      all.append(.init("battery\(index + 1)Level", JSON(level ?? 0)))
      all.append(
        .init("battery\(index + 1)Status", .string(level == nil ? "not-reported" : status)))
    }
    all += [
      .init("toggle1State", JSON(mode.flatMap(modes.firstIndex).map { $0 + 1 } ?? 0)),
      .init("toggle1Visible", .bool(!modes.isEmpty)),
      .init("toggle2State", 0), .init("toggle2Visible", false), .init("optionsBoxVisible", 0),
    ]
    for box in 1...4 {
      for name in ["SliderValue", "CheckButton1State", "CheckButton2State", "RadioButtonState"] {
        all.append(.init("box\(box)\(name)", 0))
      }
    }
    for label in 1...3 { all.append(.init("labelIndicator\(label)", "")) }
    return .object(all)
  }
}

extension ANCMode {
  /// The name of the widgets' icon file.
  fileprivate var widgetIcon: String {
    switch self {
    case .off: "bbm-anc-off-symbolic.svg"
    case .noiseCancelling: "bbm-anc-on-symbolic.svg"
    case .transparency: "bbm-transperancy-symbolic.svg"
    case .adaptive: "bbm-adaptive-symbolic.svg"
    }
  }
}

package import BluetoothCodec
internal import HeadphoneProtocols

enum AttributeNames {
  /// Returns the name of a type, if known; the SIG's numbers take precedence.
  static func name(of uuid: BluetoothUUID) -> String? {
    if let short = uuid.short16, let name = assigned[short] { return name }
    return ControlService.allNames[uuid]
  }

  /// Returns the standard characteristic of a name such as "battery-level", or of its beginning.
  ///
  /// Of several names the shortest is meant if the others continue it: "battery" is the level, not
  /// the status.
  fileprivate static func characteristic(named word: String) -> UInt16? {
    let names = assigned.filter { (0x2A00...0x2BFF).contains($0.key) }
      .mapValues { $0.lowercased().replacing(" ", with: "-") }
    let meant = names.filter { $0.value.hasPrefix(word.lowercased()) }
    guard !word.isEmpty, let first = meant.min(by: { $0.value.count < $1.value.count }),
      meant.values.allSatisfy({ $0.hasPrefix(first.value) })
    else { return nil }
    return first.key
  }

  /// The names of the Assigned Numbers, 3.4, 3.7 and 3.8, as far as headphones use them.
  private static let assigned: [UInt16: String] = [
    0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1802: "Immediate Alert",
    0x180A: "Device Information", 0x180F: "Battery", 0x1844: "Volume Control",
    0x1846: "Coordinated Set Identification", 0x184E: "Audio Stream Control",
    0x184F: "Broadcast Audio Scan", 0x1850: "Published Audio Capabilities",
    0x1853: "Common Audio", 0x1855: "Telephony and Media Audio",
    0x2900: "Characteristic Extended Properties", 0x2901: "Characteristic User Description",
    0x2902: "Client Characteristic Configuration", 0x2903: "Server Characteristic Configuration",
    0x2904: "Characteristic Presentation Format", 0x2905: "Characteristic Aggregate Format",
    0x2A00: "Device Name", 0x2A01: "Appearance",
    0x2A04: "Peripheral Preferred Connection Parameters", 0x2A05: "Service Changed",
    0x2A06: "Alert Level", 0x2A19: "Battery Level", 0x2A23: "System ID",
    0x2A24: "Model Number String",
    0x2A25: "Serial Number String", 0x2A26: "Firmware Revision String",
    0x2A27: "Hardware Revision String", 0x2A28: "Software Revision String",
    0x2A29: "Manufacturer Name String", 0x2A50: "PnP ID", 0x2AA6: "Central Address Resolution",
    0x2B29: "Client Supported Features", 0x2B2A: "Database Hash",
    0x2B3A: "Server Supported Features", 0x2B7D: "Volume State", 0x2B7E: "Volume Control Point",
    0x2B7F: "Volume Flags", 0x2B84: "Set Identity Resolving Key", 0x2B85: "Coordinated Set Size",
    0x2B86: "Set Member Lock", 0x2B87: "Set Member Rank", 0x2BC9: "Sink PAC",
    0x2BCA: "Sink Audio Locations",
    0x2BED: "Battery Level Status",
    // Member UUIDs (Assigned Numbers 3.10).
    0xFE2C: "Google Fast Pair",
  ]
}

extension BluetoothUUID {
  /// Creates the type of a standard characteristic from its hyphenated name or a beginning of it.
  package init?(characteristic name: String) {
    guard let short = AttributeNames.characteristic(named: name) else { return nil }
    self = .bit16(short)
  }
}

extension ControlService {
  /// The names in docs/protocol.md section 3, with both forms of the service's UUID.
  fileprivate static let allNames: [BluetoothUUID: String] = {
    var names: [BluetoothUUID: String] = [:]
    for control in [ControlService.short, .long] {
      names[control.service] = "Headphone Control"
      names[control.ancMode] = "ANC Mode"
      names[control.eqPreset] = "EQ Preset"
      names[control.command] = "Command"
      names[control.event] = "Event"
      names[control.firmwareData] = "Firmware Data"
    }
    return names
  }()
}

internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

extension VirtualModel {
  /// Returns the services of this model (docs/protocol.md section 3).
  ///
  /// The order keeps handles stable: Generic Access, Generic Attribute, batteries and information,
  /// then the control service or the service of a family.
  func services(named name: String) -> [ServiceDefinition] {
    let common = [gap(named: name), Self.gatt]
    guard let family else {
      return common + batteries.map(batteryService) + [deviceInformation, controlService]
        + furtherServices.map { ServiceDefinition($0, []) }
    }
    let standard =
      batteries.map(batteryService) + [
        deviceInformation, Self.immediateAlert, Self.volumeControl,
      ]
    return common + family.standardServices(standard) + [family.control].compactMap(\.self)
  }

  private func gap(named name: String) -> ServiceDefinition {
    ServiceDefinition(
      .gapService,
      [
        CharacteristicDefinition(.deviceName, .read, value: Array(name.utf8)),
        // Appearance: wearable audio device, earbud.
        CharacteristicDefinition(.appearance, .read, value: [0x41, 0x09]),
      ])
  }

  private static let gatt = ServiceDefinition(
    .gattService,
    [
      CharacteristicDefinition(.serviceChanged, .indicate),
      CharacteristicDefinition(
        .clientSupportedFeatures, [.read, .write], value: [0], accepts: .upTo(8)),
      CharacteristicDefinition(.databaseHash, .read),
    ])

  private func batteryService(of part: Part) -> ServiceDefinition {
    let uuids = BatteryUUIDs.standard
    let format = DescriptorDefinition(uuids.format, value: part.presentationFormat)
    return ServiceDefinition(
      uuids.service,
      [
        CharacteristicDefinition(
          uuids.level, [.read, .notify], descriptors: describesBatteries ? [format] : [])
      ])
  }

  private var deviceInformation: ServiceDefinition {
    let uuids = InformationUUIDs.standard
    let texts = [
      (uuids.manufacturer, information.manufacturer), (uuids.model, information.model),
      (uuids.serial, information.serial), (uuids.firmware, information.firmware),
      (uuids.hardware, information.hardware),
    ]
    return ServiceDefinition(
      uuids.service,
      texts.compactMap { uuid, text in
        text.map { CharacteristicDefinition(uuid, .read, value: Array($0.utf8)) }
      })
  }

  /// The control service; command and event are always present, the rest depends on the features.
  private var controlService: ServiceDefinition {
    var characteristics: [CharacteristicDefinition] = []
    if features.contains(.anc) {
      characteristics.append(
        secured(control.ancMode, [.read, .write, .notify], .byte(0...3), value: [0]))
    }
    if features.contains(.eq) {
      characteristics.append(
        secured(control.eqPreset, [.read, .write, .notify], .byte(0...3), value: [0]))
    }
    characteristics.append(secured(control.command, [.write, .writeWithoutResponse], .upTo(512)))
    characteristics.append(secured(control.event, pushes, .upTo(512)))
    if firmware != nil {
      characteristics.append(secured(control.firmwareData, .writeWithoutResponse, .upTo(512)))
    }
    return ServiceDefinition(control.service, characteristics)
  }

  private func secured(
    _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ accepts: AcceptedValues,
    value: [UInt8] = []
  ) -> CharacteristicDefinition {
    CharacteristicDefinition(
      uuid, properties, value: value, accepts: accepts, readSecurity: security,
      writeSecurity: security)
  }
}

extension Part {
  /// The presentation format: uint8, exponent 0, percentage, and the part in the SIG's namespace.
  ///
  /// The namespace has no description for a case, which therefore has "main" (0x0106).
  fileprivate var presentationFormat: [UInt8] {
    let place: UInt8 =
      switch self {
      case .left: 0x0D
      case .right: 0x0E
      case .case: 0x06
      }
    return [0x04, 0x00, 0xAD, 0x27, 0x01, place, 0x01]
  }
}

internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

extension VirtualModel {
  /// The services that this model offers (docs/protocol.md section 3).
  ///
  /// Generic Access and Generic Attribute come first, then batteries, information and the control
  /// service, so that handles are stable for a model.
  ///
  /// A family's own service comes last, so that standard services keep their handles.
  ///
  /// - Parameter name: the value of Device Name.
  func services(named name: String) -> [ServiceDefinition] {
    let common = [gap(named: name), Self.gatt]
    guard let family else {
      return common + batteries.map(batteryService) + [deviceInformation, controlService]
    }
    let standard =
      batteries.map(batteryService) + [
        deviceInformation, Self.immediateAlert, Self.volumeControl,
      ]
    return common + family.standardServices(standard) + [family.control].compactMap(\.self)
  }

  /// Generic Access, with the name that a command may change.
  private func gap(named name: String) -> ServiceDefinition {
    ServiceDefinition(
      .gapService,
      [
        CharacteristicDefinition(.deviceName, .read, value: Array(name.utf8)),
        // Appearance: wearable audio device, earbud.
        CharacteristicDefinition(.appearance, .read, value: [0x41, 0x09]),
      ])
  }

  /// Generic Attribute, with which a client caches the services.
  private static let gatt = ServiceDefinition(
    .gattService,
    [
      CharacteristicDefinition(.serviceChanged, .indicate),
      CharacteristicDefinition(
        .clientSupportedFeatures, [.read, .write], value: [0], accepts: .upTo(8)),
      CharacteristicDefinition(.databaseHash, .read),
    ])

  /// A Battery service for one part; a presentation format says which, where the model has one.
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

  /// Device Information, with the texts that the model has and no others.
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

  /// The control service of docs/protocol.md section 3.
  ///
  /// Noise control, equaliser and firmware data are there only where the model has the feature;
  /// command and event always.
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

  /// A characteristic that demands the model's security for reading and writing.
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
  /// Format uint8, exponent 0, unit percentage, and the place in the SIG's namespace; the case has
  /// none of its own there and is "main" (0x0106).
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

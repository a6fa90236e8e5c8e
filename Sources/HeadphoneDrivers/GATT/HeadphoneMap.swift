internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

struct HeadphoneMap: Hashable, Sendable {
  var profile: DeviceProfile
  var command: Characteristic
  var event: Characteristic
  var ancMode: Characteristic?
  var eqPreset: Characteristic?
  var firmwareData: Characteristic?
  var batteries: [Characteristic]
  var information: [BluetoothUUID: Characteristic]

  var readableInformation: [Characteristic] {
    information.values.filter(\.canRead).sorted { $0.handle < $1.handle }
  }

  /// The handle of the event's client configuration, or nil if it is unknown.
  var eventConfiguration: UInt16? { event.descriptor(.clientConfiguration)?.handle }

  static let controlService = "control service"

  /// Finds the characteristics of the first profile whose control service exists.
  ///
  /// - Throws: `notAHeadphone` if the control service, its command or its event is missing.
  init(_ database: Database, _ profiles: [DeviceProfile]) throws(HeadphoneError) {
    let found = profiles.lazy.flatMap { profile in
      profile.controlServices.compactMap { names in
        database.service(names.service).map { (profile, names, $0) }
      }
    }.first
    guard let (profile, names, service) = found else {
      throw .notAHeadphone(missing: Self.controlService)
    }
    self.profile = profile
    guard let command = service.characteristic(names.command),
      !command.properties.isDisjoint(with: [.write, .writeWithoutResponse])
    else { throw .notAHeadphone(missing: "command characteristic \(names.command)") }
    guard let event = service.characteristic(names.event),
      !event.properties.isDisjoint(with: [.notify, .indicate])
    else { throw .notAHeadphone(missing: "event characteristic \(names.event)") }
    self.command = command
    self.event = event
    ancMode = service.characteristic(names.ancMode)
    eqPreset = service.characteristic(names.eqPreset)
    firmwareData = service.characteristic(names.firmwareData)
    batteries = database.services(profile.battery.service).compactMap {
      $0.characteristic(profile.battery.level)
    }
    information = [:]
    for service in database.services(profile.information.service) {
      for characteristic in service.characteristics
      where profile.information.has(characteristic.uuid) {
        information[characteristic.uuid] = characteristic
      }
    }
  }
}

extension InformationUUIDs {
  fileprivate func has(_ uuid: BluetoothUUID) -> Bool {
    [manufacturer, model, serial, firmware, hardware].contains(uuid)
  }

  func information(_ text: (BluetoothUUID) -> String?) -> DeviceInformation {
    DeviceInformation(
      manufacturer: text(manufacturer), model: text(model), serial: text(serial),
      firmware: text(firmware), hardware: text(hardware))
  }
}

internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

extension AttributeTable {
  mutating func store(_ events: [WireEvent], of model: VirtualModel) {
    for event in events {
      for (handle, value) in values(after: event, of: model) { setValue(value, at: handle) }
    }
  }

  func values(
    after event: WireEvent, of model: VirtualModel
  ) -> [(handle: UInt16, value: [UInt8])] {
    switch event {
    case .anc(let mode): value(of: model.control.ancMode, [mode.rawValue])
    case .eq(let preset, _): value(of: model.control.eqPreset, [preset.rawValue])
    case .battery(let report):
      zip(handles(of: BatteryUUIDs.standard.level), model.batteries).compactMap { handle, part in
        report.batteries[part]?.level.map { (handle, [$0]) }
      }
    default: []
    }
  }

  private func value(
    of uuid: BluetoothUUID, _ value: [UInt8]
  ) -> [(handle: UInt16, value: [UInt8])] {
    handle(of: uuid).map { [($0, value)] } ?? []
  }
}

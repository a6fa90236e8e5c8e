package import BluetoothCodec

extension Characteristic {
  package var canRead: Bool { properties.contains(.read) }
  package var canWrite: Bool { properties.contains(.write) }
}

package import GATT

extension Characteristic {
  /// Whether it can be read.
  package var canRead: Bool { properties.contains(.read) }
  /// Whether it can be written with a response.
  package var canWrite: Bool { properties.contains(.write) }
}

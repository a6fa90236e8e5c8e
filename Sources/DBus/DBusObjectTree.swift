/// The objects of a service, built from the replies and signals of its ObjectManager.
///
/// The tree is limited in size, in case a service invents objects. A missed signal leaves it
/// outdated until a new reply replaces everything (D-Bus Specification, "Standard Interfaces").
package struct DBusObjectTree: Hashable, Sendable {
  package typealias Properties = [String: DBusValue]

  /// The greatest number of objects, about a hundred times that of a desktop's bluetoothd.
  static let objectLimit = 4096
  static let interfaceLimit = 64
  static let propertyLimit = 256

  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"

  package private(set) var objects: [String: [String: Properties]] = [:]

  package init() {}

  package subscript(path: String, interface: String) -> Properties? {
    objects[path]?[interface]
  }

  /// Replaces the tree with a GetManagedObjects reply, "a{oa{sa{sv}}}".
  ///
  /// - Returns: all paths, and those that existed before.
  /// - Throws: ``DBusError/malformed(_:)`` for another type; the tree then stays unchanged.
  @discardableResult
  package mutating func replace(with reply: [DBusValue]) throws(DBusError) -> Set<String> {
    guard let table = reply.first?.table else { throw .malformed("GetManagedObjects") }
    let before = Set(objects.keys)
    objects = [:]
    for (path, interfaces) in table { add(interfaces, at: path) }
    return before.union(objects.keys)
  }

  /// Applies InterfacesAdded, InterfacesRemoved or PropertiesChanged, and returns the path.
  ///
  /// Changes of an unknown interface are ignored. A property that is only invalidated is removed.
  /// The result is nil for other or malformed signals.
  package mutating func apply(_ signal: DBusSignal) -> String? {
    switch (signal.interface, signal.member) {
    case (Self.manager, "InterfacesAdded"):
      guard signal.arguments.count >= 2, let path = signal.arguments[0].path else { return nil }
      add(signal.arguments[1], at: path)
      return path
    case (Self.manager, "InterfacesRemoved"):
      guard signal.arguments.count >= 2, let path = signal.arguments[0].path,
        let interfaces = signal.arguments[1].strings
      else { return nil }
      for interface in interfaces { objects[path]?[interface] = nil }
      if objects[path]?.isEmpty == true { objects[path] = nil }
      return path
    case (Self.properties, "PropertiesChanged"):
      guard signal.arguments.count >= 2, let interface = signal.arguments[0].string,
        let changed = signal.arguments[1].table, objects[signal.path]?[interface] != nil
      else { return nil }
      merge(changed, into: interface, at: signal.path)
      for name in signal.arguments.dropFirst(2).first?.strings ?? [] {
        objects[signal.path]?[interface]?[name] = nil
      }
      return signal.path
    default: return nil
    }
  }

  private mutating func add(_ interfaces: DBusValue, at path: String) {
    guard let interfaces = interfaces.table,
      objects[path] != nil || objects.count < Self.objectLimit
    else { return }
    for (interface, properties) in interfaces {
      guard let properties = properties.table,
        objects[path]?[interface] != nil
          || objects[path]?.count ?? 0 < Self.interfaceLimit
      else { continue }
      objects[path, default: [:]][interface] = [:]
      merge(properties, into: interface, at: path)
    }
  }

  private mutating func merge(_ properties: Properties, into interface: String, at path: String) {
    var merged = objects[path]?[interface] ?? [:]
    for (name, value) in properties {
      guard merged[name] != nil || merged.count < Self.propertyLimit else { continue }
      merged[name] = value
    }
    objects[path]?[interface] = merged
  }
}

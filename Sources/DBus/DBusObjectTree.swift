/// The objects of a service as its ObjectManager describes them (D-Bus Specification,
/// "org.freedesktop.DBus.ObjectManager"): interfaces by path, properties by interface.
///
/// A value: it is made of replies and signals, and bounded against a service that invents objects.
public struct DBusObjectTree: Hashable, Sendable {
  /// The properties of one interface, by name.
  public typealias Properties = [String: DBusValue]

  /// About a hundred times what a desktop's bluetoothd has.
  static let objectLimit = 4096
  /// Of one object.
  static let interfaceLimit = 64
  /// Of one interface.
  static let propertyLimit = 256

  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// By path and interface.
  public private(set) var objects: [String: [String: Properties]] = [:]

  public init() {}

  /// The properties of an interface; nil: the object, or its interface, is not there.
  public subscript(path: String, interface: String) -> Properties? {
    objects[path]?[interface]
  }

  /// Makes the tree what GetManagedObjects returned.
  ///
  /// - Returns: every path that is there now or was before.
  /// - Throws: ``DBusError/malformed(_:)`` where the reply has another type; the tree stays then.
  @discardableResult
  public mutating func replace(with reply: [DBusValue]) throws(DBusError) -> Set<String> {
    guard let table = reply.first?.table else { throw .malformed("GetManagedObjects") }
    let before = Set(objects.keys)
    objects = [:]
    for (path, interfaces) in table { add(interfaces, at: path) }
    return before.union(objects.keys)
  }

  /// Follows a signal.
  ///
  /// - Returns: the path whose object may have changed; nil: the signal is none of these, or makes
  ///   no sense.
  public mutating func apply(_ signal: DBusSignal) -> String? {
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

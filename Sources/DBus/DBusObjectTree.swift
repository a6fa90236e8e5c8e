/// The objects of a service, as its ObjectManager reports them: interfaces by path, properties by
/// interface.
///
/// A value that is built from replies and signals (D-Bus Specification, "Standard Interfaces"), and
/// bounded against a service that invents objects. Missing a signal leaves it outdated; a new reply
/// replaces everything.
///
/// ```swift
/// var tree = DBusObjectTree()
/// let reply = try await bus.call(
///   DBusCall(
///     "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/", to: "org.bluez"))
/// try tree.replace(with: reply)
/// let adapter = tree["/org/bluez/hci0", "org.bluez.Adapter1"]
/// print(adapter?["Address"]?.string ?? "no adapter")
/// ```
public struct DBusObjectTree: Hashable, Sendable {
  /// The properties of one interface, by name.
  public typealias Properties = [String: DBusValue]

  /// The number of objects, about a hundred times that of a desktop's bluetoothd.
  static let objectLimit = 4096
  /// The number of interfaces of one object.
  static let interfaceLimit = 64
  /// The number of properties of one interface.
  static let propertyLimit = 256

  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// All properties by object path and interface.
  public private(set) var objects: [String: [String: Properties]] = [:]

  /// An empty tree.
  public init() {}

  /// The properties of an interface; `nil` if the object or its interface does not exist.
  public subscript(path: String, interface: String) -> Properties? {
    objects[path]?[interface]
  }

  /// Replaces the tree with the reply of GetManagedObjects.
  ///
  /// - Parameter reply: the body of the reply, "a{oa{sa{sv}}}".
  /// - Returns: every path that exists now or existed before.
  /// - Throws: ``DBusError/malformed(_:)`` if the reply has another type; the tree then stays as it
  ///   is.
  @discardableResult
  public mutating func replace(with reply: [DBusValue]) throws(DBusError) -> Set<String> {
    guard let table = reply.first?.table else { throw .malformed("GetManagedObjects") }
    let before = Set(objects.keys)
    objects = [:]
    for (path, interfaces) in table { add(interfaces, at: path) }
    return before.union(objects.keys)
  }

  /// Applies InterfacesAdded, InterfacesRemoved or PropertiesChanged.
  ///
  /// Changes of an unknown interface are ignored; a property that is only invalidated is removed.
  ///
  /// - Parameter signal: any signal of the service.
  /// - Returns: the path whose object may have changed; `nil` for other or malformed signals.
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

  /// Adds interfaces to an object; those beyond the limits are dropped.
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

  /// Updates the properties of an interface; new ones beyond the limit are dropped.
  private mutating func merge(_ properties: Properties, into interface: String, at path: String) {
    var merged = objects[path]?[interface] ?? [:]
    for (name, value) in properties {
      guard merged[name] != nil || merged.count < Self.propertyLimit else { continue }
      merged[name] = value
    }
    objects[path]?[interface] = merged
  }
}

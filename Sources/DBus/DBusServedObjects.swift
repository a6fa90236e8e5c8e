/// The objects that a connection serves, and their standard interfaces, as a value.
struct DBusServedObjects: Sendable {
  /// The path of the ObjectManager, above all other objects.
  let root: String
  private(set) var objects: [String: [DBusInterface]] = [:]

  private static let text = DBusInterface.Method.Argument("xml", "s")
  private static let name = DBusInterface.Method.Argument("interface", "s")
  private static let property = DBusInterface.Method.Argument("property", "s")
  private static let introspectable = DBusInterface(
    DBusStandard.introspectable, methods: [.init("Introspect", returns: [text])])
  private static let properties = DBusInterface(
    DBusStandard.properties,
    methods: [
      .init("Get", [name, property], returns: [.init("value", "v")]),
      .init("GetAll", [name], returns: [.init("properties", "a{sv}")]),
      .init("Set", [name, property, .init("value", "v")]),
    ],
    signals: [
      .init(
        "PropertiesChanged",
        [name, .init("changed", "a{sv}"), .init("invalidated", "as")])
    ])
  private static let manager = DBusInterface(
    DBusStandard.manager,
    methods: [.init("GetManagedObjects", returns: [.init("objects", "a{oa{sa{sv}}}")])],
    signals: [
      .init("InterfacesAdded", [.init("object", "o"), .init("interfaces", "a{sa{sv}}")]),
      .init("InterfacesRemoved", [.init("object", "o"), .init("interfaces", "as")]),
    ])

  init(root: String) { self.root = root }

  /// Replaces all objects, and returns the signals that tell of the changes.
  ///
  /// An interface whose members have changed is removed and added again.
  mutating func replace(with new: [String: [DBusInterface]]) -> [DBusSignal] {
    let old = objects
    objects = new
    return Set(old.keys).union(new.keys).sorted().flatMap { path in
      signals(of: path, from: old[path] ?? [], to: new[path] ?? [])
    }
  }

  private func signals(
    of path: String, from old: [DBusInterface], to new: [DBusInterface]
  ) -> [DBusSignal] {
    var (added, removed, changed): ([DBusInterface], [String], [DBusSignal]) = ([], [], [])
    let former = Dictionary(old.map { ($0.name, $0) }) { $1 }
    let present = Dictionary(new.map { ($0.name, $0) }) { $1 }
    for interface in old
    where present[interface.name]?.declaresSame(as: interface) != true {
      removed.append(interface.name)
    }
    for interface in new {
      guard let before = former[interface.name], before.declaresSame(as: interface) else {
        added.append(interface)
        continue
      }
      interface.changes(from: before, at: path).map { changed.append($0) }
    }
    var signals: [DBusSignal] = []
    // The manager tells of objects below it, not of itself.
    if path != root {
      if !removed.isEmpty {
        signals.append(
          DBusSignal(
            "InterfacesRemoved", of: DBusStandard.manager, at: root,
            [.objectPath(path), .strings(removed)]))
      }
      if !added.isEmpty {
        signals.append(
          DBusSignal(
            "InterfacesAdded", of: DBusStandard.manager, at: root,
            [.objectPath(path), Self.table(added)]))
      }
    }
    return signals + changed
  }

  /// Whether there is an object at the path, or one below it.
  func has(_ path: String) -> Bool { objects[path] != nil || !children(of: path).isEmpty }

  enum Answer: Hashable, Sendable {
    case reply(DBusReply)
    case call(DBusObjectCall)
  }

  func answer(to request: DBusRequest, at path: String) -> Answer {
    let own = objects[path] ?? []
    let isNamed = !request.interface.isEmpty
    let meant = (own + standard(at: path)).first { interface in
      isNamed
        ? interface.name == request.interface
        : interface.methods.contains { $0.name == request.member }
    }
    guard let meant else {
      return .reply(isNamed ? .unknown("Interface", request.interface) : .unknownMethod)
    }
    guard let method = meant.methods.first(where: { $0.name == request.member }) else {
      return .reply(.unknownMethod)
    }
    let wanted = method.arguments.map(\.signature)
    guard request.arguments.map(\.signature) == wanted else {
      return .reply(.invalid("\(method.name) takes \"\(wanted.joined())\""))
    }
    let words = request.arguments.map { $0.string ?? "" }
    return switch (meant.name, method.name) {
    case (DBusStandard.introspectable, _): .reply(.values([.string(introspection(of: path))]))
    case (DBusStandard.manager, _): .reply(.values([managed]))
    case (DBusStandard.properties, "GetAll"): .reply(properties(of: words[0], at: path))
    case (DBusStandard.properties, "Get"): .reply(value(of: words[1], in: words[0], at: path))
    case (DBusStandard.properties, _):
      answer(setting: words[1], of: words[0], at: path, to: request.arguments[2])
    default:
      .call(DBusObjectCall(.method(method.name, request.arguments), of: meant.name, at: path))
    }
  }

  /// Returns the interfaces that a name means, all for an empty one (D-Bus Specification).
  private func interfaces(named name: String, at path: String) -> [DBusInterface] {
    (objects[path] ?? []).filter { name.isEmpty || $0.name == name }
  }

  private func properties(of interface: String, at path: String) -> DBusReply {
    let meant = interfaces(named: interface, at: path)
    guard
      !meant.isEmpty || interface.isEmpty
        || standard(at: path).contains(where: { $0.name == interface })
    else { return .unknown("Interface", interface) }
    return .values([.options(meant.reduce(into: [:]) { $0.merge($1.values) { $1 } })])
  }

  private func value(of property: String, in interface: String, at path: String) -> DBusReply {
    let meant = interfaces(named: interface, at: path).flatMap(\.properties)
    guard let declared = meant.first(where: { $0.name == property }) else {
      return .unknown("Property", property)
    }
    return declared.value.map { .values([.variant($0)]) }
      ?? .error(
        name: "org.freedesktop.DBus.Error.Failed", message: "\(property) is not known now")
  }

  private func answer(
    setting property: String, of interface: String, at path: String, to value: DBusValue
  ) -> Answer {
    for meant in interfaces(named: interface, at: path) {
      guard let declared = meant.properties.first(where: { $0.name == property }) else { continue }
      guard declared.isWritable else {
        return .reply(
          .error(
            name: "org.freedesktop.DBus.Error.PropertyReadOnly",
            message: "\(property) is read-only"))
      }
      guard declared.takes(value.content) else {
        return .reply(.invalid("\(property) takes \"\(declared.signature)\""))
      }
      return .call(DBusObjectCall(.property(property, value.content), of: meant.name, at: path))
    }
    return .reply(.unknown("Property", property))
  }

  private func standard(at path: String) -> [DBusInterface] {
    [Self.introspectable] + (objects[path] == nil ? [] : [Self.properties])
      + (path == root ? [Self.manager] : [])
  }

  /// The reply of GetManagedObjects, "a{oa{sa{sv}}}".
  private var managed: DBusValue {
    let entries = objects.filter { $0.key != root }.map { path, interfaces in
      (DBusValue.objectPath(path), Self.table(interfaces))
    }
    return .dictionary(
      key: "o", value: "a{sa{sv}}", Dictionary(entries) { $1 })
  }

  private static func table(_ interfaces: [DBusInterface]) -> DBusValue {
    let entries = interfaces.map { (DBusValue.string($0.name), DBusValue.options($0.values)) }
    return .dictionary(key: "s", value: "a{sv}", Dictionary(entries) { $1 })
  }

  // MARK: Introspection

  private func children(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let below = objects.keys.filter { $0.hasPrefix(prefix) && $0 != path }
    return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }

  /// Returns the description of an object (D-Bus Specification, "Introspection Data Format").
  private func introspection(of path: String) -> String {
    let interfaces = ((objects[path] ?? []) + standard(at: path)).map(\.introspection)
    let nodes = children(of: path).map { "  <node name=\"\($0)\"/>" }
    return ([Self.head, "<node>"] + interfaces + nodes + ["</node>"])
      .joined(separator: "\n") + "\n"
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    """
}

extension DBusReply {
  fileprivate static func unknown(_ what: String, _ name: String) -> DBusReply {
    .error(
      name: "org.freedesktop.DBus.Error.Unknown\(what)",
      message: "no \(what.lowercased()) \"\(name)\"")
  }

  package static func invalid(_ message: String) -> DBusReply {
    .error(name: "org.freedesktop.DBus.Error.InvalidArgs", message: message)
  }
}

extension DBusInterface {
  fileprivate var introspection: String {
    let members =
      methods.map { method in
        let arguments =
          method.arguments.map { $0.introspection(" direction=\"in\"") }
          + method.results.map { $0.introspection(" direction=\"out\"") }
        return element("method", method.name, "", Self.documentation(method.meaning) + arguments)
      }
      + properties.map { property in
        let silent =
          property.isSignalled
          ? []
          : [
            """
                  <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            """
          ]
        return element(
          "property", property.name,
          " type=\"\(property.signature)\" access=\"\(property.isWritable ? "readwrite" : "read")\"",
          silent + Self.documentation(property.meaning))
      }
      + signals.map { signal in
        element("signal", signal.name, "", signal.arguments.map { $0.introspection("") })
      }
    return (["  <interface name=\"\(name)\">"] + members + ["  </interface>"])
      .joined(separator: "\n")
  }

  private func element(
    _ kind: String, _ name: String, _ attributes: String, _ content: [String]
  ) -> String {
    let start = "    <\(kind) name=\"\(name)\"\(attributes)"
    return content.isEmpty
      ? start + "/>" : ([start + ">"] + content + ["    </\(kind)>"]).joined(separator: "\n")
  }

  private static func documentation(_ meaning: String) -> [String] {
    guard !meaning.isEmpty else { return [] }
    let text = meaning.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    return ["      <annotation name=\"org.gtk.GDBus.DocString\" value=\"\(text)\"/>"]
  }
}

extension DBusInterface.Method.Argument {
  fileprivate func introspection(_ direction: String) -> String {
    "      <arg name=\"\(name)\" type=\"\(signature)\"\(direction)/>"
  }
}

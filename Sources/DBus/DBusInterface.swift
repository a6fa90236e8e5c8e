/// An interface of an object that this process serves: its members, and the values of its
/// properties.
///
/// A property without a value is declared, but not among the object's properties, as with optional
/// properties of bluetoothd.
package struct DBusInterface: Hashable, Sendable {
  package struct Property: Hashable, Sendable {
    package var name: String
    /// The signature of the value, such as "as".
    package var signature: String
    /// The value with that signature, or nil if it is unknown.
    package var value: DBusValue?
    package var isWritable: Bool
    /// Whether a change is signalled; a client otherwise reads the value when it needs it.
    package var isSignalled: Bool
    /// The meaning in words for introspection, or empty if the name suffices.
    package var meaning: String

    package init(
      _ name: String, _ signature: String, _ value: DBusValue?, isWritable: Bool = false,
      isSignalled: Bool = true, meaning: String = ""
    ) {
      self.name = name
      self.signature = signature
      self.value = value
      self.isWritable = isWritable
      self.isSignalled = isSignalled
      self.meaning = meaning
    }

    /// Whether a value has the declared type, or a number another type of number.
    func takes(_ value: DBusValue) -> Bool {
      func general(_ signature: String) -> String {
        String(signature.map { "ynqiuxt".contains($0) ? "d" : $0 })
      }
      return general(value.signature) == general(signature)
    }
  }

  package struct Method: Hashable, Sendable {
    package struct Argument: Hashable, Sendable {
      package var name: String
      /// The signature of a single complete type, such as "as".
      package var signature: String

      package init(_ name: String, _ signature: String) {
        self.name = name
        self.signature = signature
      }
    }

    package var name: String
    package var arguments: [Argument]
    package var results: [Argument]
    package var meaning: String

    package init(
      _ name: String, _ arguments: [Argument] = [], returns results: [Argument] = [],
      meaning: String = ""
    ) {
      self.name = name
      self.arguments = arguments
      self.results = results
      self.meaning = meaning
    }
  }

  package var name: String
  package var properties: [Property]
  package var methods: [Method]
  /// The signals, which have arguments only; properties need none.
  var signals: [Method] = []

  package init(_ name: String, properties: [Property] = [], methods: [Method] = []) {
    self.name = name
    self.properties = properties
    self.methods = methods
  }

  package init(_ name: String, methods: [Method], signals: [Method]) {
    self.init(name, methods: methods)
    self.signals = signals
  }

  var values: DBusObjectTree.Properties {
    properties.reduce(into: [:]) { $0[$1.name] = $1.value }
  }

  /// Whether `other` has the same members, whatever their values.
  func declaresSame(as other: DBusInterface) -> Bool {
    methods == other.methods && declarations == other.declarations
  }

  private var declarations: [Property] {
    properties.map { property in
      var property = property
      property.value = nil
      return property
    }
  }

  /// Returns PropertiesChanged for what differs from the former values, or nil for no signal.
  ///
  /// A value that became unknown is invalidated (D-Bus Specification, "Standard Interfaces").
  func changes(from former: DBusInterface, at path: String) -> DBusSignal? {
    let (old, new) = (former.values, values)
    let signalled = properties.filter(\.isSignalled).map(\.name)
    let changed = signalled.filter { new[$0] != nil && new[$0] != old[$0] }
    let lost = signalled.filter { new[$0] == nil && old[$0] != nil }
    guard !changed.isEmpty || !lost.isEmpty else { return nil }
    return DBusSignal(
      "PropertiesChanged", of: DBusStandard.properties, at: path,
      [
        .string(name), .options(new.filter { changed.contains($0.key) }), .strings(lost),
      ])
  }
}

/// The names of the standard interfaces (D-Bus Specification, "Standard Interfaces").
enum DBusStandard {
  static let properties = "org.freedesktop.DBus.Properties"
  static let manager = "org.freedesktop.DBus.ObjectManager"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let peer = "org.freedesktop.DBus.Peer"
}

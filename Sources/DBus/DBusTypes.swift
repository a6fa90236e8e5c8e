package struct DBusCall: Hashable, Sendable {
  /// A well-known name, or the unique name of a connection (":1.42").
  ///
  /// Only a unique name is certain to reach the process that was seen before, and never starts one.
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]
  /// Whether the bus may start the service of a well-known name that has no owner.
  package var startsService = false

  package init(
    _ member: String, of interface: String, at path: String, to destination: String,
    _ arguments: [DBusValue] = []
  ) {
    self.member = member
    self.interface = interface
    self.path = path
    self.destination = destination
    self.arguments = arguments
  }
}

/// A signal from a connection whose identity was verified.
package struct DBusSignal: Hashable, Sendable {
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(
    _ member: String, of interface: String, at path: String, _ arguments: [DBusValue] = []
  ) {
    self.member = member
    self.interface = interface
    self.path = path
    self.arguments = arguments
  }
}

/// A method call from another connection to an object that this process exports.
package struct DBusRequest: Hashable, Sendable {
  /// The caller's unique name, set by the bus.
  package var sender: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(
    _ member: String, of interface: String, from sender: String, _ arguments: [DBusValue] = []
  ) {
    self.member = member
    self.interface = interface
    self.sender = sender
    self.arguments = arguments
  }
}

/// A call of a served object's own member, which follows the declaration.
package struct DBusObjectCall: Hashable, Sendable {
  package enum Member: Hashable, Sendable {
    case method(String, [DBusValue])
    /// A property and a value of the declared type; a number may have another type of number.
    case property(String, DBusValue)
  }

  package var path: String
  package var interface: String
  package var member: Member

  package init(_ member: Member, of interface: String, at path: String) {
    self.member = member
    self.interface = interface
    self.path = path
  }
}

package enum DBusReply: Hashable, Sendable {
  /// A method return with these values, which must match the method's signature.
  case values([DBusValue])
  /// An error reply with a D-Bus error name, such as "org.bluez.Error.Rejected".
  case error(name: String, message: String)

  package static let unknownMethod = DBusReply.error(
    name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no such method")
}

package enum DBusNameEvent: Hashable, Sendable {
  /// The unique name of the new owner, or nil if there is none or the bus is gone.
  ///
  /// The first event of every watch.
  case owner(String?)
  case signal(DBusSignal)
}

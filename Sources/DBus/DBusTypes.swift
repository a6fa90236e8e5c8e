/// A method call to another connection of the bus.
public struct DBusCall: Hashable, Sendable {
  /// A well-known name, or the unique name of a connection (":1.42").
  ///
  /// Only a unique name is certain to reach the process that was seen before, and never starts one.
  public var destination: String
  /// The object path.
  public var path: String
  /// The interface that has the method.
  public var interface: String
  /// The name of the method.
  public var member: String
  /// The body of the message, in order.
  public var arguments: [DBusValue]
  /// Whether the bus may start the service of a well-known name that has no owner.
  public var startsService = false

  public init(
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
public struct DBusSignal: Hashable, Sendable {
  /// The object path.
  public var path: String
  /// The interface that has the signal.
  public var interface: String
  /// The name of the signal.
  public var member: String
  /// The body of the message, in order.
  public var arguments: [DBusValue]

  public init(
    _ member: String, of interface: String, at path: String, _ arguments: [DBusValue] = []
  ) {
    self.member = member
    self.interface = interface
    self.path = path
    self.arguments = arguments
  }
}

/// A method call from another connection to an object that this process exports.
public struct DBusRequest: Hashable, Sendable {
  /// The caller's unique name, set by the bus.
  public var sender: String
  /// The interface that has the method.
  public var interface: String
  /// The name of the method.
  public var member: String
  /// The body of the message, in order.
  public var arguments: [DBusValue]

  public init(
    _ member: String, of interface: String, from sender: String, _ arguments: [DBusValue] = []
  ) {
    self.member = member
    self.interface = interface
    self.sender = sender
    self.arguments = arguments
  }
}

/// A call of a served object's own member, which follows the declaration.
public struct DBusObjectCall: Hashable, Sendable {
  /// What is called, or which writable property is set.
  public enum Member: Hashable, Sendable {
    /// A method and arguments of the declared types.
    case method(String, [DBusValue])
    /// A property and a value of the declared type; a number may have another type of number.
    case property(String, DBusValue)
  }

  /// The object path.
  public var path: String
  /// The interface that declares the member.
  public var interface: String
  public var member: Member

  public init(_ member: Member, of interface: String, at path: String) {
    self.member = member
    self.interface = interface
    self.path = path
  }
}

/// The reply to a ``DBusRequest`` or a ``DBusObjectCall``.
public enum DBusReply: Hashable, Sendable {
  /// A method return with these values, which must match the method's signature.
  case values([DBusValue])
  /// An error reply with a D-Bus error name, such as "org.bluez.Error.Rejected".
  case error(name: String, message: String)

  public static let unknownMethod = DBusReply.error(
    name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no such method")
}

/// An event of a watched well-known name.
public enum DBusNameEvent: Hashable, Sendable {
  /// The unique name of the new owner, or nil if there is none or the bus is gone.
  ///
  /// This is the first event of every watch.
  case owner(String?)
  case signal(DBusSignal)
}

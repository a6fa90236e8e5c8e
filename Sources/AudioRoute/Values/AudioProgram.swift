/// A program that plays.
package struct AudioProgram: Hashable, Sendable {
  /// The name that the program gives itself, for example "Firefox"; unsanitised.
  package var name: String
  /// The name of its file, for example "firefox", or nil if the server does not report it.
  package var binary: String?

  package init(name: String, binary: String? = nil) {
    self.name = name
    self.binary = binary
  }

  /// Returns whether one of its names is `name`, ignoring case.
  package func isCalled(_ name: String) -> Bool {
    [self.name, binary].contains { $0?.lowercased() == name.lowercased() }
  }
}

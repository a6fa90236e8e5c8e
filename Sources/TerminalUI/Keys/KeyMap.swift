package import Companion

/// The assignment of keys to commands.
///
/// Two commands may share a key if no page has both. A key is always left to quit, accept and go back.
package struct KeyMap: Hashable, Sendable {
  private var keys: [UserCommand: [Key]]
  private var commands: [Key: [UserCommand]]
  /// The standard keys that bindings have given to other commands.
  package private(set) var displaced: [DisplacedKey] = []

  package static let standard = KeyMap(
    Dictionary(
      uniqueKeysWithValues: UserCommand.allCases.map { command in
        (command, command.keys.compactMap(Key.init(name:)))
      }))

  private init(_ keys: [UserCommand: [Key]]) {
    self.keys = keys
    commands = [:]
    for command in UserCommand.allCases {
      for key in keys[command] ?? [] { commands[key, default: []].append(command) }
    }
  }

  /// Returns the command of a key on the main page, or else on the first page with such a command.
  package func command(for key: Key) -> UserCommand? { commands[key]?.first }

  /// Returns the command of a key on a page, else that of its ``Key/alternative``, or nil.
  func command(for key: Key, on page: PageKind) -> UserCommand? {
    commands[key]?.first { $0.isOn(page) }
      ?? key.alternative.flatMap { other in commands[other]?.first { $0.isOn(page) } }
  }

  /// Returns the keys of a command, the one to show first.
  package func keys(for command: UserCommand) -> [Key] { keys[command] ?? [] }

  /// Returns the map with bindings from the configuration applied.
  ///
  /// Each binding replaces all keys of its command; an empty list removes them. A command without a
  /// binding loses a key that a binding gives to another command on one of its pages.
  ///
  /// - Throws: ``KeyMapError`` for the first binding that is invalid or conflicts with another one, or
  ///   leaves no key to quit, accept or go back.
  package func applying(_ preferences: [KeyBinding]) throws(KeyMapError) -> KeyMap {
    var changed = keys
    var origin: [UserCommand: KeyBinding] = [:]
    for request in preferences {
      guard let command = UserCommand(name: request.command) else { throw .unknownCommand(request) }
      guard origin[command] == nil else { throw .twice(request) }
      origin[command] = request
      changed[command] = try request.keys.map { name throws(KeyMapError) in
        guard let key = Key(name: name) else { throw .unknownKey(request, name: name) }
        return key
      }
    }
    let displaced = Self.displaced(in: changed, by: origin)
    for lost in displaced { changed[lost.command]?.removeAll { $0 == lost.key } }
    try Self.check(changed, origin, displaced)
    var map = KeyMap(changed)
    map.displaced = displaced
    return map
  }

  /// Returns the map with the bindings that are valid together, and the errors of the others.
  package func applyingWhatFits(_ preferences: [KeyBinding]) -> (map: KeyMap, errors: [KeyMapError])
  {
    var preferences = preferences
    var errors: [KeyMapError] = []
    while true {
      do throws(KeyMapError) {
        return (try applying(preferences), errors)
      } catch {
        errors.append(error)
        guard let refused = error.request, let place = preferences.lastIndex(of: refused) else {
          return (self, errors)
        }
        preferences.remove(at: place)
      }
    }
  }

  private static func displaced(
    in keys: [UserCommand: [Key]], by origin: [UserCommand: KeyBinding]
  ) -> [DisplacedKey] {
    let bound = UserCommand.allCases.filter { origin[$0] != nil }
    return UserCommand.allCases.filter { origin[$0] == nil }.flatMap { command in
      (keys[command] ?? []).compactMap { key in
        bound.first { keys[$0]?.contains(key) == true && $0.competes(with: command) }
          .flatMap { origin[$0] }.map { DisplacedKey(key: key, command: command, binding: $0) }
      }
    }
  }

  private static func check(
    _ keys: [UserCommand: [Key]], _ origin: [UserCommand: KeyBinding], _ displaced: [DisplacedKey]
  ) throws(KeyMapError) {
    var owners: [Key: [UserCommand]] = [:]
    for command in UserCommand.allCases {
      guard let request = origin[command] else { continue }
      for key in keys[command] ?? [] {
        if let owner = owners[key]?.first(where: { $0 != command && $0.competes(with: command) }) {
          throw .inUse(request, key: key.name, by: owner.name)
        }
        owners[key, default: []].append(command)
      }
    }
    for command in [UserCommand.quit, .accept, .back] where keys[command]?.isEmpty != false {
      let taker = displaced.last { $0.command == command }?.binding
      throw .noKeyLeft(origin[command] ?? taker, command: command.name)
    }
  }
}

/// A standard key that a binding gives to another command.
package struct DisplacedKey: Hashable, Sendable {
  package let key: Key
  /// The command that has lost the key.
  package let command: UserCommand
  package let binding: KeyBinding

  package var displayText: String {
    "\(key.name) is \"\(binding.command)\" here, and no longer \"\(command.name)\""
  }
}

package struct KeyBinding: Hashable, Sendable {
  /// The name of the command in ``/Companion/UserCommand``, for example "next-anc".
  package var command: String
  /// The names of the keys as in ``Key``, for example "a", "^L" or "PgUp".
  package var keys: [String]
  /// The line in the configuration file, or nil if the binding is not from a file.
  package var line: Int?

  package init(command: String, keys: [String], line: Int? = nil) {
    self.command = command
    self.keys = keys
    self.line = line
  }
}

package enum KeyMapError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownCommand(KeyBinding)
  case unknownKey(KeyBinding, name: String)
  case twice(KeyBinding)
  case inUse(KeyBinding, key: String, by: String)
  /// A command that the screen needs would have no key.
  case noKeyLeft(KeyBinding?, command: String)

  package var request: KeyBinding? {
    switch self {
    case .unknownCommand(let request), .unknownKey(let request, _), .twice(let request),
      .inUse(let request, _, _):
      request
    case .noKeyLeft(let request, _): request
    }
  }

  package var line: Int? { request?.line }

  package var description: String { (line.map { "line \($0): " } ?? "") + what }

  package var what: String {
    switch self {
    case .unknownCommand(let request):
      return "there is no command \"\(request.command)\"; `earshot keys` lists them all"
    case .unknownKey(_, let name):
      return "there is no key \"\(name)\"; keys are written a, A, ^L, F1, PgUp, Space, Esc"
    case .twice(let request):
      return "\"\(request.command)\" has its keys already; write them all in one line"
    case .inUse(let request, let key, let other):
      return "\(key) cannot be \"\(request.command)\", it is \"\(other)\"; give that another key"
    case .noKeyLeft(_, let command):
      return "no key would be left for \"\(command)\"; give it one"
    }
  }
}

extension UserCommand {
  /// Returns whether both commands claim their keys on one page.
  fileprivate func competes(with other: UserCommand) -> Bool {
    !claimedPages.isDisjoint(with: other.claimedPages)
  }

  init?(name: String) {
    guard let command = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

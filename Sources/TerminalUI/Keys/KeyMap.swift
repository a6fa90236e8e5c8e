public import Companion

/// Which key asks for what.
///
/// ```swift
/// let keys = try KeyMap.standard.applying([KeyBinding(command: "next-anc", keys: ["x"])])
/// keys.command(for: .character("x"))     // .nextANC
/// keys.actions(for: .character("x"), in: state)
/// ```
///
/// A key belongs to pages: two commands may share one as long as no page has both. At least one key
/// always quits.
public struct KeyMap: Hashable, Sendable {
  /// Each key of each command, the first being the one that is shown.
  private var keys: [UserCommand: [Key]]
  /// Several have a key in common where no page knows more than one of them.
  private var commands: [Key: [UserCommand]]

  /// The map without changes by the configuration.
  public static let standard = KeyMap(
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

  /// The command of a key on the main page, or else on the first page that knows it; nil: none.
  public func command(for key: Key) -> UserCommand? { commands[key]?.first }

  /// The command of a key on a page; nil: none.
  func command(for key: Key, on page: PageKind) -> UserCommand? {
    commands[key]?.first { $0.isOn(page) }
  }

  /// The keys of a command, the one to show first; empty: it has none.
  public func keys(for command: UserCommand) -> [Key] { keys[command] ?? [] }

  /// The same map with the configuration's changes: each gives a command all the keys that it has
  /// then.
  ///
  /// - Throws: the first wish that names what does not exist, or takes a key that another command
  ///   has; and a map without a key to quit with.
  /// - Parameter preferences: The lines of the configuration; each replaces all keys of its
  ///   command, and an empty list takes them away.
  public func applying(_ preferences: [KeyBinding]) throws(KeyMapError) -> KeyMap {
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
    try Self.check(changed, origin)
    return KeyMap(changed)
  }

  /// The same map with those wishes that can be granted together, and why others cannot.
  ///
  /// For the start of the program: a mistake in one line must not cost the user all the others.
  public func applyingWhatFits(_ preferences: [KeyBinding]) -> (map: KeyMap, errors: [KeyMapError])
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

  /// Two commands of one page must not share a key.
  ///
  /// - Throws: ``KeyMapError/taken(_:key:by:)``, naming the line that asked for it, or
  ///   ``KeyMapError/noWayOut(_:)``.
  private static func check(
    _ keys: [UserCommand: [Key]], _ origin: [UserCommand: KeyBinding]
  ) throws(KeyMapError) {
    var owners: [Key: [UserCommand]] = [:]
    for command in UserCommand.allCases {
      for key in keys[command] ?? [] {
        defer { owners[key, default: []].append(command) }
        guard
          let owner = owners[key]?.first(where: {
            $0 != command && !$0.claimedPages.isDisjoint(with: command.claimedPages)
          })
        else { continue }
        // One of the two is a wish: the standard map has no conflict.
        guard let request = origin[command] ?? origin[owner] else { continue }
        let other = origin[command] == nil ? command : owner
        throw .inUse(request, key: key.name, by: other.name)
      }
    }
    guard keys[.quit]?.isEmpty == false else { throw .noWayOut(origin[.quit]) }
  }
}

/// A line of the configuration: the keys that a command shall have.
public struct KeyBinding: Hashable, Sendable {
  /// The command's name in ``/Companion/UserCommand``, for example "next-anc".
  public var command: String
  /// The keys by their names in ``Key``, for example "a", "^L", "PgUp"; empty: none.
  public var keys: [String]
  /// Where it is written; nil: not in a file.
  public var line: Int?

  public init(command: String, keys: [String], line: Int? = nil) {
    self.command = command
    self.keys = keys
    self.line = line
  }
}

/// Why a wish for keys cannot be granted.
public enum KeyMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No command has this name.
  case unknownCommand(KeyBinding)
  /// No key has this name.
  case unknownKey(KeyBinding, name: String)
  /// A command is given keys a second time.
  case twice(KeyBinding)
  /// Another command has this key.
  case inUse(KeyBinding, key: String, by: String)
  /// Nothing would quit; nil: not by one wish.
  case noWayOut(KeyBinding?)

  /// The wish that cannot be granted.
  public var request: KeyBinding? {
    switch self {
    case .unknownCommand(let request), .unknownKey(let request, _), .twice(let request),
      .inUse(let request, _, _):
      request
    case .noWayOut(let request): request
    }
  }

  /// The line of the configuration that is wrong.
  public var line: Int? { request?.line }

  public var description: String { (line.map { "line \($0): " } ?? "") + what }

  /// Why, without the place.
  public var what: String {
    switch self {
    case .unknownCommand(let request):
      return "there is no command \"\(request.command)\"; `earshot keys` lists them all"
    case .unknownKey(_, let name):
      return "there is no key \"\(name)\"; keys are written a, A, ^L, F1, PgUp, Space, Esc"
    case .twice(let request):
      return "\"\(request.command)\" has its keys already; write them all in one line"
    case .inUse(let request, let key, let other):
      return "\(key) cannot be \"\(request.command)\", it is \"\(other)\"; give that another key"
    case .noWayOut:
      return "no key would quit; give \"quit\" one"
    }
  }
}

extension UserCommand {
  /// The command that the configuration calls so.
  init?(name: String) {
    guard let command = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

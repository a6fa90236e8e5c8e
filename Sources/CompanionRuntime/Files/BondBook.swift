public import BluetoothCodec
public import GATT
internal import Synchronization

/// The bonds of earlier runs, in a file that only its owner reads.
///
/// Other processes may write it too: each change reads it anew.
public final class BondBook: BondKeeping {
  private static let version: Int64 = 1

  private struct Contents {
    /// Nil: not read yet.
    var bonds: [Bond]?
    var watchers: [AsyncStream<Void>.Continuation] = []
    var failure: FileError?
  }

  /// Nil: bonds last as long as the program.
  private let file: PrivateFile?
  private let contents = Mutex(Contents())

  /// Reads nothing yet; the file need not be there.
  public init(in folder: StateFolder) { file = folder.file("bonds.json") }

  /// For virtual headphones, which know no bond of earlier runs.
  public init() { file = nil }

  /// As the file had them when it was last read; empty if it cannot be read.
  public func bonds() -> [Bond] {
    contents.withLock { contents in
      if let bonds = contents.bonds { return bonds }
      let bonds = read(&contents)
      contents.bonds = bonds
      return bonds ?? []
    }
  }

  /// Writes the file anew with the key; ``failure`` tells if that went wrong.
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {
    change { bonds in
      let identity = key.identity
      let index = bonds.firstIndex { $0.adapter == adapter && $0.identity == identity }
      var bond = index.map { bonds[$0] } ?? Bond(adapter: adapter, identity: identity)
      bond.take(key)
      if let index { bonds[index] = bond } else { bonds.append(bond) }
    }
  }

  /// Writes the file anew without the device; ``failure`` tells if that went wrong.
  public func drop(_ identity: PeerAddress) {
    change { $0.removeAll { $0.identity == identity } }
  }

  /// Why the file could not be read or written, the last time that it was tried; nil: it could.
  public var failure: FileError? { contents.withLock { $0.failure } }

  /// Yields after each change.
  public func changes() -> AsyncStream<Void> {
    let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    contents.withLock { $0.watchers.append(watcher) }
    return changes
  }

  private func change(_ body: (inout [Bond]) -> Void) {
    let watchers = contents.withLock { contents -> [AsyncStream<Void>.Continuation] in
      // What cannot be understood is left as it is, and the new bond lasts as long as the program.
      let stored = file == nil ? contents.bonds : read(&contents)
      var bonds = stored ?? contents.bonds ?? []
      let before = bonds
      body(&bonds)
      contents.bonds = bonds
      guard bonds != before else { return [] }
      if let file, contents.failure == nil {
        do throws(FileError) {
          try file.replace(with: Array("\(Self.json(of: bonds))\n".utf8))
        } catch {
          contents.failure = error
        }
      }
      return contents.watchers
    }
    for watcher in watchers { watcher.yield() }
  }

  /// Nil if it cannot be read.
  private func read(_ contents: inout Contents) -> [Bond]? {
    contents.failure = nil
    guard let file else { return [] }
    do throws(FileError) {
      guard let bytes = try file.read() else { return [] }
      return try Self.bonds(in: bytes, of: file)
    } catch {
      contents.failure = error
      return nil
    }
  }

  private static func bonds(in bytes: [UInt8], of file: PrivateFile) throws(FileError) -> [Bond] {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .malformed(path: file.path, reason: error.description)
    }
    guard json["version"]?.wholeNumber == version, let items = json["bonds"]?.elements else {
      throw .malformed(path: file.path, reason: "not a list of bonds of version \(version)")
    }
    return items.compactMap(Bond.init(json:))
  }

  private static func json(of bonds: [Bond]) -> JSON {
    ["version": .integer(version), "bonds": .array(bonds.map(\.json))]
  }
}

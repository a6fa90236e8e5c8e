public import Bluetooth
public import BluetoothCodec
internal import GATT
internal import Synchronization

/// The bonds of earlier runs, in a file that only its owner reads.
///
/// Other processes may write it too: each change reads it anew.
public final class BondFile: BondStore {
  private struct Contents {
    /// Nil: not read yet.
    var bonds: [Bond]?
    var watchers: [AsyncStream<Void>.Continuation] = []
    var failure: FileError?
  }

  /// Nil: bonds last as long as the program.
  private let list: ListFile?
  private let contents = Mutex(Contents())
  /// Held for a change, which waits for the disk and for other processes; who only reads does not.
  private let changing = Mutex(())

  /// Reads nothing yet; the file need not be there.
  public init(in folder: StateFolder) {
    list = ListFile(file: folder.file("bonds.json"), key: "bonds", subject: "bonds")
  }

  /// For virtual headphones, which know no bond of earlier runs.
  public init() { list = nil }

  /// As the file had them when it was last read; empty if it cannot be read.
  public func bonds() -> [Bond] {
    contents.withLock { contents in
      if let bonds = contents.bonds { return bonds }
      do throws(FileError) {
        contents.bonds = try stored()
        contents.failure = nil
      } catch {
        contents.failure = error
      }
      return contents.bonds ?? []
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
    let watchers = changing.withLock { _ -> [AsyncStream<Void>.Continuation] in
      // What cannot be understood is left as it is, and the new bond lasts as long as the program.
      var before = contents.withLock { $0.bonds } ?? []
      var failure: FileError?
      do throws(FileError) {
        try list?.file.alone { () throws(FileError) in
          before = try stored()
          var bonds = before
          body(&bonds)
          if bonds != before { try list?.write(bonds.map(\.json)) }
        }
      } catch {
        failure = error
      }
      var bonds = before
      body(&bonds)
      return contents.withLock { contents in
        (contents.bonds, contents.failure) = (bonds, failure)
        return bonds == before ? [] : contents.watchers
      }
    }
    for watcher in watchers { watcher.yield() }
  }

  private func stored() throws(FileError) -> [Bond] {
    try list?.items().compactMap(Bond.init(json:)) ?? []
  }
}

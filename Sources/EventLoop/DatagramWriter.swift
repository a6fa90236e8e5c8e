internal import Glibc
internal import Synchronization

/// Where the words of a program go that others depend on: it never waits for who reads them.
///
/// A pipe that nobody empties and a terminal that was stopped (^S) take nothing for as long as they
/// like. What there is room for goes out at once, the rest as soon as there is room; what comes
/// when much waits already is lost, and counted where it is missing.
public final class DatagramWriter: Sendable {
  private struct Waiting {
    var bytes: [UInt8] = []
    var lost = 0
    var isDraining = false
  }

  /// Bytes that may wait.
  public static let most = 1 << 16

  private let descriptor: Int32
  private let loop: PollLoop
  private let waiting = Mutex(Waiting())

  /// - Parameter descriptor: stays the caller's, and as it is: its modes are not this process's
  ///   alone.
  public init(_ descriptor: Int32, loop: PollLoop = .shared) {
    self.descriptor = descriptor
    self.loop = loop
  }

  /// Writes whole lines, soon.
  public func send(_ text: String) {
    let mustDrain = waiting.withLock { waiting in
      guard waiting.bytes.count + text.utf8.count <= Self.most else {
        waiting.lost += 1
        return false
      }
      waiting.bytes += text.utf8
      guard !waiting.isDraining else { return false }
      waiting.isDraining = !write(&waiting)
      return waiting.isDraining
    }
    if mustDrain { Task { await drain() } }
  }

  private func drain() async {
    while (try? await loop.writable(descriptor)) != nil {
      let isDone = waiting.withLock { waiting in
        let isDone = write(&waiting)
        waiting.isDraining = !isDone
        return isDone
      }
      if isDone { return }
    }
    waiting.withLock { $0.isDraining = false }
  }

  /// Returns whether all has gone out.
  private func write(_ waiting: inout Waiting) -> Bool {
    var rest = waiting.bytes[...]
    defer { waiting.bytes = Array(rest) }
    while true {
      if rest.isEmpty {
        guard waiting.lost > 0 else { return true }
        rest = Array("(\(waiting.lost) messages were lost: nobody read them)\n".utf8)[...]
        waiting.lost = 0
      }
      switch writeWhatFits(rest, to: descriptor) {
      case .done(let count): rest = rest.dropFirst(count)
      case .wouldBlock: return false
      case .failed:
        (rest, waiting.lost) = ([], 0)
        return true
      }
    }
  }
}

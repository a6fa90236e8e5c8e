internal import Bluetooth
public import BluetoothCodec
internal import EventLoop
internal import Glibc
internal import Locking

/// A btsnoop file to which records are appended.
///
/// A thread of its own writes: a slow disk must delay neither the thread that polls the links nor
/// the main actor. Records wait in memory meanwhile, and those that do not fit are counted in the
/// next record, as btsnoop intends ("cumulative drops").
///
/// A capture may contain keys and the plain text of encrypted links, so only its owner can read the
/// file.
///
/// ```swift
/// let file = try CaptureFile(path: "trace.btsnoop", datalink: .uart)
/// file.append(record)
/// if let error = await file.finish() { print(error) }
/// ```
final class CaptureFile: Sendable {
  /// The records that wait for the disk, protected by one lock.
  private struct Waiting {
    var records: [BtsnoopRecord] = []
    /// The size of their packets.
    var bytes = 0
    /// The number of records so far that did not fit.
    var drops: UInt32 = 0
    var isBeingWritten = false
    var failure: CaptureError?
  }

  /// The default limit for waiting packets: more than a minute of a firmware update.
  private static let mostBytes = 4 << 20
  /// The thread that all captures of the process share.
  private static let thread = FileIO(threadName: "earshot-capture")

  private let path: String
  private let descriptor: Int32
  private let datalink: BtsnoopDatalink
  private let limit: Int
  private let filter: CaptureFilter?
  private let waiting = Mutex(Waiting())

  /// Creates or truncates the file, and writes its header.
  ///
  /// - Parameters:
  ///   - path: the file; an existing one loses its contents and other users' permission to read it.
  ///   - datalink: the content of the records.
  ///   - filter: changes each record before it is written, on the thread that writes.
  ///   - limit: the number of bytes that may wait for the disk.
  /// - Throws: the error of the system call that failed.
  init(
    path: String, datalink: BtsnoopDatalink, filter: CaptureFilter? = nil,
    limit: Int = mostBytes
  ) throws(CaptureError) {
    self.path = path
    self.datalink = datalink
    self.limit = limit
    self.filter = filter
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CaptureError(path: path, errno: errno) }
    var status = stat()
    // A file that was there would keep its mode; a pipe or a device is left alone.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(descriptor, 0o600)
    }
    if let code = write(BtsnoopHeader(datalink).encoded()) {
      throw CaptureError(path: path, errno: code)
    }
  }

  deinit { close(descriptor) }

  /// Appends a record soon, and returns at once.
  ///
  /// After a failure nothing more is written, so that the file stays well-formed.
  func append(_ record: BtsnoopRecord) {
    let mustStart = waiting.withLock { waiting in
      guard waiting.failure == nil else { return false }
      guard waiting.bytes + record.data.count <= limit else {
        waiting.drops += 1
        return false
      }
      var record = record
      record.drops = waiting.drops
      waiting.records.append(record)
      waiting.bytes += record.data.count
      defer { waiting.isBeingWritten = true }
      return !waiting.isBeingWritten
    }
    if mustStart { Task { await Self.thread.run { self.writeWaiting() } } }
  }

  /// Returns when all appended records are in the file.
  ///
  /// - Returns: the reason why the file is incomplete; `nil` if it is complete.
  func finish() async -> CaptureError? {
    await Self.thread.run { self.writeWaiting() }
    return waiting.withLock { waiting in
      if let failure = waiting.failure { return failure }
      return waiting.drops > 0 ? CaptureError(path: path, drops: Int(waiting.drops)) : nil
    }
  }

  /// Writes the waiting records, for as long as the disk needs.
  private func writeWaiting() {
    while true {
      let records = waiting.withLock { waiting in
        defer { (waiting.records, waiting.bytes) = ([], 0) }
        waiting.isBeingWritten = !waiting.records.isEmpty
        return waiting.records
      }
      guard !records.isEmpty else { return }
      let bytes = records.flatMap { (filter?($0, datalink) ?? $0).encoded() }
      guard let code = write(bytes) else { continue }
      waiting.withLock { $0.failure = CaptureError(path: path, errno: code) }
    }
  }

  /// Writes bytes; returns the errno of a failure.
  private func write(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch EventLoop.write(rest, to: descriptor) {
      case .done(let count): rest = rest.dropFirst(count)
      case .failed(let code): return code
      case .wouldBlock: return EAGAIN
      }
    }
    return nil
  }
}

/// A change of each record before it is written, for example to remove keys.
public typealias CaptureFilter = @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord

/// A capture that cannot be written, or is incomplete.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why a capture is incomplete.
  public enum Reason: Hashable, Sendable {
    /// A system call failed with this errno; later records are not written.
    case system(errno: Int32)
    /// The disk was too slow for this number of records.
    case dropped(Int)
  }

  /// The file, as the user named it.
  public var path: String
  /// The reason.
  public var reason: Reason

  /// A failed system call.
  public init(path: String, errno: Int32) {
    self.path = path
    reason = .system(errno: errno)
  }

  /// Records were dropped because the disk was too slow.
  public init(path: String, drops: Int) {
    self.path = path
    reason = .dropped(drops)
  }

  public var description: String {
    switch reason {
    case .system(let code): "cannot write the capture \(path): \(describeErrno(code))"
    case .dropped(let count):
      "the capture \(path) lacks \(count) packets: the disk was too slow"
    }
  }

  /// What the user can do about it.
  public var advice: String {
    switch reason {
    case .system: "name a file where you may write and the disk has room"
    case .dropped: "name a file on a faster disk"
    }
  }
}

extension BtsnoopTime {
  /// The wall-clock time of the machine.
  static var now: BtsnoopTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return BtsnoopTime(
      microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

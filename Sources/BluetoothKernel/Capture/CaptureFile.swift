public import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Glibc
internal import Locking

/// A btsnoop file to which records are appended, and which only its owner can read.
///
/// A dedicated thread writes, so that a slow disk delays neither the links nor the main actor.
/// Waiting records that do not fit in memory are counted in the next one, as btsnoop's "cumulative
/// drops".
final class CaptureFile: Sendable {
  private struct Waiting {
    var records: [BtsnoopRecord] = []
    var bytes = 0
    var drops: UInt32 = 0
    var isBeingWritten = false
    var hasRecords = false
    var failure: CaptureError?
  }

  /// The default limit for waiting packets: more than a minute of a firmware update.
  private static let mostBytes = 4 << 20
  private static let thread = FileIO(threadName: "earshot-capture")

  private let path: String
  private let descriptor: Int32
  private let datalink: BtsnoopDatalink
  private let limit: Int
  private let filter: CaptureFilter?
  private let waiting = Mutex(Waiting())

  /// Creates or truncates the file, and writes its header; `limit` bytes may wait for the disk.
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
    // An existing file would keep its mode; the mode of a pipe or a device is not changed.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(descriptor, 0o600)
    }
    if let code = write(BtsnoopHeader(datalink).encoded()) {
      throw CaptureError(path: path, errno: code)
    }
  }

  deinit { close(descriptor) }

  /// Queues a record for writing; after a failure none is written, so the file stays well-formed.
  func append(_ record: BtsnoopRecord) {
    let mustStart = waiting.withLock { waiting in
      waiting.hasRecords = true
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

  /// Waits until all records are in the file, or returns the reason why it is incomplete or empty.
  func finish() async -> CaptureError? {
    await Self.thread.run { self.writeWaiting() }
    return waiting.withLock { waiting in
      if let failure = waiting.failure { return failure }
      guard waiting.hasRecords else { return CaptureError(emptyAt: path) }
      return waiting.drops > 0 ? CaptureError(path: path, drops: Int(waiting.drops)) : nil
    }
  }

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

/// A function that changes each record before it is written, for example to remove keys.
public typealias CaptureFilter = @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord

/// The error of a capture that cannot be written, or is incomplete or empty.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why a capture is incomplete.
  public enum Reason: Hashable, Sendable {
    /// A system call failed with this errno; later records are not written.
    case system(errno: Int32)
    /// The disk was too slow for this number of records.
    case dropped(Int)
    case empty
  }

  /// The file, as the user named it.
  public var path: String
  public var reason: Reason

  /// Creates the error of a failed system call.
  public init(path: String, errno: Int32) {
    self.path = path
    reason = .system(errno: errno)
  }

  /// Creates the error of a capture that lacks `drops` records.
  public init(path: String, drops: Int) {
    self.path = path
    reason = .dropped(drops)
  }

  init(emptyAt path: String) {
    self.path = path
    reason = .empty
  }

  public var description: String {
    switch reason {
    case .system(let code): "cannot write the capture \(path): \(describeErrno(code))"
    case .dropped(let count):
      "the capture \(path) lacks \(count) packets: the disk was too slow"
    case .empty: "nothing was recorded in \(path): no headphone was connected meanwhile"
    }
  }

  /// Advice for the user on how to get a complete capture.
  public var advice: String {
    switch reason {
    case .system: "name a file where you may write and the disk has room"
    case .dropped: "name a file on a faster disk"
    case .empty:
      "record a command that connects one, such as status; "
        + "scans and other programs are recorded only with CAP_NET_RAW"
    }
  }
}

extension BtsnoopTime {
  static var now: BtsnoopTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return BtsnoopTime(
      microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

internal import Bluetooth
public import BluetoothCodec
internal import EventLoop
internal import GATT
internal import Glibc
internal import Synchronization

/// A btsnoop file that grows: each record is in it as soon as it is appended.
///
/// It may hold keys and what was said on encrypted links: only its owner can read it.
final class CaptureFile: Sendable {
  private let path: String
  private let descriptor: Int32
  private let datalink: BtsnoopDatalink
  private let failure = Mutex<CaptureError?>(nil)
  private let filter: CaptureFilter?

  /// Makes the file, or empties it.
  ///
  /// - Parameter filter: changes each record before it is written.
  init(
    path: String, datalink: BtsnoopDatalink, filter: CaptureFilter? = nil
  ) throws(CaptureError) {
    self.path = path
    self.datalink = datalink
    self.filter = filter
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CaptureError(path: path, errno: errno) }
    var status = stat()
    // A file that was there keeps its mode otherwise; a pipe or a device is left alone.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(descriptor, 0o600)
    }
    write(BtsnoopHeader(datalink).encoded())
    if let failed { throw failed }
  }

  deinit { close(descriptor) }

  /// Why the file is not complete; nil if it is.
  var failed: CaptureError? { failure.withLock(\.self) }

  /// Appends a record; after a failure nothing more is written, so that what is there stays whole.
  func append(_ record: BtsnoopRecord) {
    write((filter?(record, datalink) ?? record).encoded())
  }

  private func write(_ bytes: [UInt8]) {
    failure.withLock { failure in
      guard failure == nil else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let result = rest.withUnsafeBytes { bytes in
          systemCall { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
        }
        switch result {
        case .done(let count): rest = rest.dropFirst(count)
        case .failed(let code): failure = CaptureError(path: path, errno: code)
        case .wouldBlock: failure = CaptureError(path: path, errno: EAGAIN)
        }
        if failure != nil { return }
      }
    }
  }
}

/// Changes a record before it is written, for example to take keys out of it.
public typealias CaptureFilter = @Sendable (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord

/// A capture that cannot be written.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// As it was asked for.
  public var path: String
  /// What the first system call that failed has left; later records are not written.
  public var errno: Int32

  public init(path: String, errno: Int32) {
    self.path = path
    self.errno = errno
  }

  public var description: String { "cannot write the capture \(path): \(describeErrno(errno))" }

  /// What to do about it.
  public var advice: String { "name a file in a directory of yours that has room" }
}

extension BtsnoopTime {
  /// The machine's time of day.
  static var now: BtsnoopTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return BtsnoopTime(
      microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

public import HeadphoneProtocols

/// A firmware update that was begun on this machine and not finished.
///
/// The headphone knows its progress; only this machine knows which file it was.
public struct InterruptedUpdate: Hashable, Sendable {
  /// The present state of the image's file.
  public enum File: String, Hashable, Sendable, CaseIterable {
    case there, gone
    /// Another image is in its place.
    case changed
  }

  /// Absolute.
  public var path: String
  /// The image's version.
  public var version: FirmwareVersion
  /// Bytes that the headphone had.
  public var bytes: Int
  /// Bytes of the image.
  public var total: Int
  /// When it had them.
  public var timestamp: Timestamp
  /// The present state of the image's file.
  public var file: File

  public init(
    path: String, version: FirmwareVersion, bytes: Int, total: Int, timestamp: Timestamp, file: File
  ) {
    self.path = path
    self.version = version
    self.bytes = bytes
    self.total = total
    self.timestamp = timestamp
    self.file = file
  }

  /// %, 0 to 100.
  public var percent: Int { total > 0 ? bytes * 100 / total : 0 }

  /// "the update to 1.5.0 stopped at 37%, 2026-11-21 14:03:22".
  public var displayText: String {
    "the update to \(version) stopped at \(percent)%, \(timestamp.date) \(timestamp.clock)"
  }

  /// What to do about a file that is not there as it was; nil: it is.
  public var advice: String? {
    switch file {
    case .there: nil
    case .gone: "Its file is gone: choose it again."
    case .changed: "Its file has changed: installing it would start over."
    }
  }
}

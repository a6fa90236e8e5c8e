public import HeadphoneProtocols

/// A firmware update that this computer began and did not finish.
///
/// The headphone knows the progress, but only this computer knows the file.
public struct InterruptedUpdate: Hashable, Sendable {
  /// The current state of the image's file.
  public enum File: String, Hashable, Sendable, CaseIterable {
    case there, gone
    /// Another image has replaced the file.
    case changed
  }

  /// The absolute path.
  public var path: String
  public var version: FirmwareVersion
  /// The number of bytes that the headphone had received.
  public var bytes: Int
  /// The size of the image in bytes.
  public var total: Int
  /// The time of the last progress.
  public var timestamp: Timestamp
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

  /// The progress, 0 to 100 %.
  public var percent: Int { total > 0 ? bytes * 100 / total : 0 }

  /// The text "the update to 1.5.0 stopped at 37%, 2026-11-21 14:03:22".
  public var displayText: String {
    "the update to \(version) stopped at \(percent)%, \(timestamp.date) \(timestamp.clock)"
  }

  /// The advice if the file has gone or changed, or nil if it is unchanged.
  public var advice: String? {
    switch file {
    case .there: nil
    case .gone: "Its file is gone: choose it again."
    case .changed: "Its file has changed: installing it would start over."
    }
  }
}

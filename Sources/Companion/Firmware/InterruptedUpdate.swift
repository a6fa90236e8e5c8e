package import HeadphoneProtocols

/// An unfinished update: the headphone knows the progress, but only this computer the file.
package struct InterruptedUpdate: Hashable, Sendable {
  package enum File: String, Hashable, Sendable, CaseIterable {
    case there, gone
    case changed
  }

  /// The absolute path.
  package var path: String
  package var version: FirmwareVersion
  /// The number of bytes that the headphone had received.
  package var bytes: Int
  package var total: Int
  package var timestamp: Timestamp
  package var file: File

  package init(
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
  package var percent: Int { total > 0 ? bytes * 100 / total : 0 }

  /// The text "the update to 1.5.0 stopped at 37%, 2026-11-21 14:03:22".
  package var displayText: String {
    "the update to \(version) stopped at \(percent)%, \(timestamp.date) \(timestamp.clock)"
  }

  /// The advice if the file has gone or changed; nil if it is unchanged.
  package var advice: String? {
    switch file {
    case .there: nil
    case .gone: "Its file is gone: choose it again."
    case .changed: "Its file has changed: installing it would start over."
    }
  }
}

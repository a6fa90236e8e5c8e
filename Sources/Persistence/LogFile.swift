internal import Companion
internal import EventLoop
package import Logging

/// A swift-log handler that appends to a file without waiting for the disk.
package struct LogFile: LogHandler {
  package var logLevel: Logger.Level
  /// The metadata of all lines, written before the text and sorted by key.
  package var metadata: Logger.Metadata = [:]
  private let subsystem: String
  private let stream: AppendedFile

  /// Opens the log of a part of the program; at 1 MiB the log is rotated, and kept as `.1`.
  package init(_ file: PrivateFile, subsystem: String, level: Logger.Level) throws(FileError) {
    self.subsystem = subsystem
    logLevel = level
    stream = try AppendedFile(file)
  }

  /// Opens the file on the logs' thread, or throws ``FileError/stalled(path:)`` after `limit`.
  package static func opened(
    _ file: PrivateFile, subsystem: String, level: Logger.Level, within limit: Duration
  ) async throws(FileError) -> LogFile {
    let opening = await AppendedFile.thread.run(within: limit) {
      Result { () throws(FileError) in try LogFile(file, subsystem: subsystem, level: level) }
    }
    guard let opening else { throw .stalled(path: file.path) }
    return try opening.get()
  }

  /// Starts the thread of the logs, which otherwise the first log would start.
  ///
  /// A process without free descriptors for the thread exits, best before it opens a terminal.
  package static func startThread() { _ = AppendedFile.thread }

  /// Writes all pending lines of all logs, as `exit` does, within 2 s.
  package static func flush() { AppendedFile.writeAll() }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Appends one line: time, level, subsystem, metadata, and the text without line breaks.
  package func log(event: LogEvent) {
    let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
    let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    stream.append(
      "\(Timestamp.now.stamp) \(event.level) \(subsystem)\(details): \(oneLine("\(event.message)"))\n"
    )
  }

  /// Replaces control characters, so that names from devices cannot forge lines of the log.
  private func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

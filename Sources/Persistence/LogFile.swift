internal import Companion
public import Logging

/// A swift-log handler that appends lines to one file, and keeps nobody waiting for the disk.
public struct LogFile: LogHandler {
  /// Lines below it are not written.
  public var logLevel: Logger.Level
  /// Written between time and text, in the order of the keys.
  public var metadata: Logger.Metadata = [:]
  private let subsystem: String
  private let stream: AppendedFile

  /// The file is begun anew at 1 MB; the one before is kept as `.1`.
  ///
  /// - Throws: if the file cannot be opened.
  public init(_ file: PrivateFile, subsystem: String, level: Logger.Level) throws(FileError) {
    self.subsystem = subsystem
    logLevel = level
    stream = try AppendedFile(file)
  }

  /// Writes all lines so far, of all logs; the end of the program by `exit` does it by itself.
  public static func flush() { AppendedFile.writeAll() }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Appends one line: time, level, subsystem, metadata, and the text without line breaks.
  public func log(event: LogEvent) {
    let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
    let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    stream.append(
      "\(Timestamp.now.stamp) \(event.level) \(subsystem)\(details): \(oneLine("\(event.message)"))\n"
    )
  }

  /// Text from the air must not forge lines of the log.
  private func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

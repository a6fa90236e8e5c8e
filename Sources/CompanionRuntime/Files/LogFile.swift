internal import Companion
internal import Glibc
public import Logging
internal import Synchronization

/// A swift-log handler that appends lines to one file.
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

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Appends one line: time, level, subsystem, metadata, and the text without line breaks.
  public func log(event: LogEvent) {
    let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
    let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    stream.append(
      "\(Moment.now.stamp) \(event.level) \(subsystem)\(details): \(oneLine("\(event.message)"))\n")
  }

  /// Text from the air must not forge lines of the log.
  private func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

/// A file that grows by whole lines.
private final class AppendedFile: Sendable {
  private static let limit = 1 << 20
  private let descriptor: Int32

  init(_ file: PrivateFile) throws(FileError) {
    try file.makeFolder()
    var status = stat()
    if stat(file.path, &status) == 0, status.st_size > Self.limit {
      rename(file.path, "\(file.path).1")
    }
    descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .system(errno: errno, during: "open", path: file.path)
    }
  }

  deinit { close(descriptor) }

  /// One write, so that lines of several processes do not mix; a full disk loses lines, not more.
  func append(_ line: String) {
    var line = line
    line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
  }
}

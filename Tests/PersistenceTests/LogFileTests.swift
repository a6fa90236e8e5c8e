import Logging
import Persistence
import TestSupport
import Testing

@Suite struct LogFileTests {
  private let folder = TemporaryFolder()
  private var file: PrivateFile { folder.state.file("earshot.log") }
  private var before: PrivateFile { folder.state.file("earshot.log.1") }

  private func logger() throws -> Logger {
    let handler = try LogFile(file, subsystem: "app", level: .info)
    return Logger(label: "test") { _ in handler }
  }

  private func numbers(in file: PrivateFile) throws -> [Int] {
    let text = String(decoding: try #require(try file.read(atMost: 1 << 22)), as: UTF8.self)
    return text.split(separator: "\n").compactMap {
      $0.split(separator: " ").last.flatMap { Int($0) }
    }
  }

  @Test func `a log that is written for long is begun again, and the one before is kept`() throws {
    let logger = try logger()
    let filling = String(repeating: "x", count: 1000)
    for number in 0..<4000 {
      logger.info("\(filling) \(number)")
      if number.isMultiple(of: 500) { LogFile.flush() }
    }
    LogFile.flush()
    let kept = try numbers(in: before) + numbers(in: file)
    let first = try #require(kept.first)
    #expect(kept == Array(first..<4000))
    #expect((1000..<4000).contains(kept.count))
  }

  @Test func `of two programs with one log, one begins it again and the other one follows`() throws
  {
    try file.replace(with: [UInt8](repeating: 10, count: 1 << 20))
    let (one, other) = (try logger(), try logger())
    for (logger, number) in [(one, 1), (other, 2), (one, 3), (other, 4)] {
      logger.info("\(number)")
      LogFile.flush()
    }
    #expect(try numbers(in: before) == [1])
    #expect(try numbers(in: file) == [2, 3, 4])
  }

  @Test func `a log that is large at the start is begun again`() throws {
    try file.replace(with: [UInt8](repeating: 10, count: 1 << 20 + 1))
    let logger = try logger()
    logger.info("1")
    LogFile.flush()
    #expect(try numbers(in: file) == [1])
    #expect(try numbers(in: before) == [])
  }
}

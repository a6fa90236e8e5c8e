import Foundation
import HeadphoneProtocols
import TestSupport
import Testing

/// The kept inputs: some for each surface, and each that once caused a failure.
@Suite("Fuzzing") struct ReplayTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  private static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(
      at: corpus.appending(path: target.name), includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }.map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
  }

  /// Runs a target on a separate thread, since it blocks until the conversation ends.
  ///
  /// The threads that tasks share are few, and the conversation needs them.
  private func run(_ target: FuzzTarget, _ input: [UInt8]) async throws {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { done.resume(with: Result { try target.run(input) }) }
    }
  }

  @Test(arguments: FuzzTarget.all) func `the kept inputs keep what is promised`(
    target: FuzzTarget
  ) async throws {
    let inputs = try Self.inputs(of: target)
    try #require(!inputs.isEmpty)
    for input in inputs {
      await #expect(throws: Never.self, "\(input.name)") { try await run(target, input.bytes) }
    }
  }

  @Test func `each maker and each folder of inputs has its target`() throws {
    let names = Set(FuzzTarget.all.map(\.name))
    #expect(names.count == FuzzTarget.all.count)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == names)
    let makers = HeadphoneFamily.allCases.filter { $0 != .standard }.map(\.rawValue)
    #expect(names.isSuperset(of: makers))
  }

  @Test func `the reliability page lists each target`() throws {
    let script = Process()
    script.executableURL = Self.corpus.appending(path: "../../../scripts/reliability").standardized
    script.arguments = ["--targets"]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let text = try String(
      decoding: #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    script.waitUntilExit()
    #expect(text.split(separator: "\n") == FuzzTarget.all.map { "\($0.name): \($0.words)"[...] })
  }

  /// The targets named in `EARSHOT_FUZZ_TARGETS`, or all.
  private static let chosen: [FuzzTarget] = {
    let list = ProcessInfo.processInfo.environment["EARSHOT_FUZZ_TARGETS"] ?? ""
    let names = list.split(separator: " ").map(String.init)
    return FuzzTarget.all.filter { names.isEmpty || names.contains($0.name) }
  }()

  /// Some mutations without libFuzzer; `scripts/fuzz --mutations COUNT` makes more.
  @Test(arguments: chosen) func `mutations of the kept inputs keep it too`(
    target: FuzzTarget
  ) async throws {
    let inputs = try Self.inputs(of: target)
    let wanted = ProcessInfo.processInfo.environment["EARSHOT_FUZZ_INPUTS"].flatMap(Int.init)
    let count = wanted ?? 100
    var generator = SeededGenerator(seed: 18)
    for _ in 0..<count {
      let base = inputs[generator.below(inputs.count)].bytes
      let other = inputs[generator.below(inputs.count)].bytes
      let joined = generator.below(2) == 0 ? base : base.prefix(generator.below(base.count)) + other
      let input = joined.mutated(by: &generator)
      await #expect(throws: Never.self, "\(input)") { try await run(target, input) }
    }
    // What scripts/reliability counts.
    if wanted != nil { print("mutations: \(target.name) \(count)") }
  }
}

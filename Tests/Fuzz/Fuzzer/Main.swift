import Glibc

/// Runs libFuzzer's `main`, which calls the function for each input.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ input: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The program `fuzzer TARGET ARGUMENTS…`, with libFuzzer's arguments.
@main
enum Fuzzer {
  /// The target of this process; written once, before libFuzzer is started.
  nonisolated(unsafe) private static var target: FuzzTarget?

  static func main() {
    guard CommandLine.argc > 1,
      let target = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] })
    else {
      print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
      exit(2)
    }
    Self.target = target
    var count = CommandLine.argc - 1
    var arguments = CommandLine.unsafeArgv + 1
    arguments[0] = CommandLine.unsafeArgv[0]
    exit(
      runFuzzer(&count, &arguments) { start, count in
        do {
          try Fuzzer.target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
          fatalError("broken promise: \((error as? BrokenPromise)?.promise ?? "\(error)")")
        }
        return 0
      })
  }
}

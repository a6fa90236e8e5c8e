import ArgumentParser
import EventLoop
import Sharing

@main
enum Program {
  static func main() {
    MainLoop.run { await end(of: Earshot.self) }
  }

  /// Runs the command of this process, and returns its exit status.
  @MainActor
  private static func end(of root: Earshot.Type) async -> Int32 {
    do {
      var command = try root.parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      let text = root.fullMessage(for: error)
      let code = root.exitCode(for: error)
      // Requested help is data.
      guard !text.isEmpty else { return code.rawValue }
      if code.isSuccess {
        StandardConsole.shared.data(text)
      } else {
        StandardConsole.shared.progress("\(text)\n")
      }
      return code.rawValue
    }
  }
}

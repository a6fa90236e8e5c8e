import ArgumentParser
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols

/// The argument of `--driver`: a family of the program, or a driver file.
///
/// ```
/// earshot --driver sony status
/// earshot --driver ./acme.toml status
/// earshot --driver acme status    # drivers/acme.toml beside the configuration
/// ```
enum DriverArgument: ExpressibleByArgument, Hashable {
  case family(HeadphoneFamily)
  /// The path of a driver file.
  case file(String)

  static let allValueStrings = HeadphoneFamily.allValueStrings

  init?(argument: String) {
    if argument.contains("/") || argument.hasSuffix(".toml") {
      self = .file(argument)
    } else if let family = HeadphoneFamily(rawValue: argument) {
      self = .family(family)
    } else if let path = DriverFolder().file(of: argument) {
      self = .file(path)
    } else if let family = HeadphoneFamily(argument: argument) {
      self = .family(family)
    } else {
      return nil
    }
  }

  /// The family of the program, or nil for a file.
  var builtIn: HeadphoneFamily? { if case .family(let family) = self { family } else { nil } }

  /// Returns the family, which is that of the file if the argument is one.
  ///
  /// - Throws: ``DependencyError`` for a file that cannot be read or has a mistake.
  func family() async throws(DependencyError) -> HeadphoneFamily {
    guard case .file(let path) = self else { return builtIn ?? .standard }
    let read = await FileIO.named.run(within: .seconds(3)) {
      DriverFolder.read(path, named: path)
    }
    if let table = read?.table { return HeadphoneFamily(table) }
    let first = read?.mistakes.first?.message
    throw DependencyError(
      FailureReport(
        what: first.map(displayable)
          ?? "cannot read \(displayable(path)): the disk does not answer",
        advice: "list what is wrong: earshot config check --driver \(displayable(path))",
        code: ExitStatus.failed.rawValue))
  }
}

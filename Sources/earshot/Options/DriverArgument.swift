import ArgumentParser
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import Persistence

/// The argument of `--driver`: a family of the program, or a driver file.
///
/// ```
/// earshot --driver sony status
/// earshot --driver ./acme.toml status
/// earshot --driver acme status    # drivers/acme.toml beside the configuration
/// ```
enum DriverArgument: ExpressibleByArgument, Hashable {
  case family(HeadphoneFamily)
  case file(String)

  static let allValueStrings = HeadphoneFamily.allValueStrings + ["FILE.toml"]

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

  var builtIn: HeadphoneFamily? { if case .family(let family) = self { family } else { nil } }

  /// Returns the family, which is that of the file if the argument is one.
  ///
  /// - Throws: ``DependencyError`` for a file that cannot be read or has a mistake.
  func family() async throws(DependencyError) -> HeadphoneFamily {
    let path: String
    switch self {
    case .family(let family): return family
    case .file(let named): path = named
    }
    let table: DriverTable?
    let mistakes: [ConfigurationMistake]
    do throws(CommandError) {
      (table, mistakes) = try await FileIO.named.open(path) { () throws(CommandError) in
        do throws(FileError) {
          if let found = try DriverFolder.read(path) { return found }
          throw .malformed(path: path, reason: "there is no such file")
        } catch {
          throw .file(error)
        }
      }
    } catch {
      throw DependencyError(FailureReport(error))
    }
    if let table { return HeadphoneFamily(table) }
    throw DependencyError(
      FailureReport(
        what: displayable(path) + (mistakes.first.map { ", \($0)" } ?? ""),
        advice: "list what is wrong: earshot config check --driver \(displayable(path))",
        code: ExitStatus.failed.rawValue))
  }
}

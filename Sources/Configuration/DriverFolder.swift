package import HeadphoneProtocols
package import Persistence

/// The user's driver files: the `.toml` files in the folder `drivers` beside the configuration.
package struct DriverFolder: Sendable {
  package let path: String

  package init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("drivers")
  }

  /// Reads the families of all files without a mistake, and the mistakes; blocks.
  package func read() -> (drivers: [HeadphoneFamily], mistakes: [ModelFolder.Mistake]) {
    var drivers: [HeadphoneFamily] = []
    var mistakes: [ModelFolder.Mistake] = []
    for name in TOMLFolder(path: path).names() {
      let file = "\(path)/\(name)"
      var (table, wrong) = Self.check(file)
      if let table {
        if let other = drivers.first(where: { $0.hasChannel(of: table) }) {
          wrong.append(
            ConfigurationMistake(
              line: table.channelLine,
              "\(displayable(other.rawValue)).toml is for the same service and is used; --driver "
                + "\(displayable(table.id)) chooses this file"))
        }
        drivers.append(HeadphoneFamily(table))
      }
      mistakes += wrong.map {
        ModelFolder.Mistake(file: "drivers/\(name)", path: file, mistake: $0)
      }
    }
    return (drivers, mistakes)
  }

  /// Reads one driver file, with its mistakes, or returns nil if there is no such file; blocks.
  ///
  /// - Throws: `FileError` if it cannot be read.
  package static func read(
    _ path: String
  ) throws(FileError) -> (table: DriverTable?, mistakes: [ConfigurationMistake])? {
    guard let text = try PrivateFile(path: path).read() else { return nil }
    let file = String(path.split(separator: "/").last ?? "")
    return DriverTable.read(text, id: TOMLFolder.id(of: file), file: file)
  }

  /// Reads one driver file; it is a mistake if the file cannot be read; blocks.
  package static func check(
    _ path: String
  ) -> (table: DriverTable?, mistakes: [ConfigurationMistake]) {
    do throws(FileError) {
      return try read(path) ?? (nil, [ConfigurationMistake(line: 1, "there is no such file")])
    } catch {
      return (nil, [ConfigurationMistake(line: 1, displayable("\(error)"))])
    }
  }

  /// The names of the files without their extension; blocks.
  package var names: [String] { TOMLFolder(path: path).names().map(TOMLFolder.id) }

  /// Returns the path of the file with a driver's name, or nil if there is none; blocks.
  package func file(of id: String) -> String? {
    TOMLFolder(path: path).names().first { TOMLFolder.id(of: $0) == id }.map { "\(path)/\($0)" }
  }
}

public import HeadphoneProtocols
internal import Persistence

/// The user's driver files: the `.toml` files in the folder `drivers` beside the configuration.
public struct DriverFolder: Sendable {
  /// The absolute path of the folder, which need not exist.
  public let path: String

  /// Creates the folder beside a configuration file.
  public init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("drivers")
  }

  /// Reads the families of all files without a mistake, and the mistakes; blocks.
  public func read() -> (drivers: [HeadphoneFamily], mistakes: [ModelFolder.Mistake]) {
    var drivers: [HeadphoneFamily] = []
    var mistakes: [ModelFolder.Mistake] = []
    let files = TOMLFolder(path: path)
    for name in files.names() {
      var (table, wrong) = Self.read("\(path)/\(name)", named: "drivers/\(name)")
      if let table {
        if let other = drivers.first(where: { $0.hasChannel(of: table) }) {
          wrong.append(
            ModelFolder.Mistake(
              file: "drivers/\(name)", path: "\(path)/\(name)",
              mistake: ConfigurationMistake(
                line: table.channelLine,
                "\(other.rawValue).toml is for the same service and is used; --driver "
                  + "\(displayable(table.id)) chooses this file")))
        }
        drivers.append(HeadphoneFamily(table))
      }
      mistakes += wrong
    }
    return (drivers, mistakes)
  }

  /// Reads one driver file, with its mistakes; blocks.
  ///
  /// - Parameter name: the name of the file in messages.
  public static func read(
    _ path: String, named name: String
  ) -> (table: DriverTable?, mistakes: [ModelFolder.Mistake]) {
    func mistake(_ mistake: ConfigurationMistake) -> ModelFolder.Mistake {
      ModelFolder.Mistake(file: name, path: path, mistake: mistake)
    }
    do throws(FileError) {
      guard let text = try PrivateFile(path: path).read() else {
        return (nil, [mistake(ConfigurationMistake(line: 1, "there is no such file"))])
      }
      let file = String(path.split(separator: "/").last ?? "")
      let (table, mistakes) = DriverTable.read(text, id: TOMLFolder.id(of: file), file: file)
      return (table, mistakes.map(mistake))
    } catch {
      return (nil, [mistake(ConfigurationMistake(line: 1, "\(error)"))])
    }
  }

  /// The names of the files without their extension; blocks.
  public var names: [String] { TOMLFolder(path: path).names().map(TOMLFolder.id) }

  /// Returns the path of the file with a driver's name, or nil if there is none; blocks.
  public func file(of id: String) -> String? {
    TOMLFolder(path: path).names().first { TOMLFolder.id(of: $0) == id }.map { "\(path)/\($0)" }
  }
}

internal import Glibc
package import HeadphoneProtocols
internal import Persistence

/// The user's headphone models: the `.toml` files in the folder `models` beside the configuration.
package struct ModelFolder: Sendable {
  package let path: String

  package init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("models")
  }

  package struct Mistake: Error, Hashable, Sendable {
    /// The file relative to the configuration, for example "models/acme.toml".
    package var file: String
    package var path: String
    package var mistake: ConfigurationMistake

    package var message: String { "\(file), \(mistake)" }
  }

  /// Reads the models, the user's before the bundled ones, and the mistakes; blocks.
  package func read() -> (catalog: ModelCatalog, mistakes: [Mistake]) {
    var models: [HeadphoneModel] = []
    var mistakes: [Mistake] = []
    for name in TOMLFolder(path: path).names() {
      let file = "models/\(name)"
      do throws(FileError) {
        let text = try PrivateFile(path: "\(path)/\(name)").read() ?? []
        let (model, wrong) = HeadphoneModel.read(text, id: TOMLFolder.id(of: name))
        if let model { models.append(model) }
        mistakes += wrong.map { Mistake(file: file, path: "\(path)/\(name)", mistake: $0) }
      } catch {
        mistakes.append(
          Mistake(
            file: file, path: "\(path)/\(name)", mistake: ConfigurationMistake(line: 1, "\(error)"))
        )
      }
    }
    return (ModelCatalog.bundled.under(models), mistakes)
  }
}

struct TOMLFolder {
  let path: String

  private static let ending = ".toml"

  static func id(of file: String) -> String {
    file.hasSuffix(ending) ? String(file.dropLast(ending.count)) : file
  }

  /// Returns the names of the files in alphabetical order; none without the folder.
  func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(Self.ending), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

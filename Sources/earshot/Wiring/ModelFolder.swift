import Companion
import CompanionRuntime
import Configuration
import Glibc
import Headphones
import Persistence

/// A person's own models: the `.toml` files of the folder `models` beside the configuration.
struct ModelFolder {
  let path: String

  init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("models")
  }

  /// What is wrong in which file.
  struct Mistake: Error {
    /// "models/acme.toml".
    var file: String
    var path: String
    var mistake: ConfigurationMistake

    var words: String { "\(file), \(mistake)" }
  }

  /// All models: a person's own go before those that came with the program.
  func read() -> (catalog: ModelCatalog, mistakes: [Mistake]) {
    var models: [HeadphoneModel] = []
    var mistakes: [Mistake] = []
    for name in names() {
      let file = "models/\(name)"
      do throws(FileError) {
        let text = try PrivateFile(path: "\(path)/\(name)").read() ?? []
        let (model, wrong) = HeadphoneModel.read(text, id: String(name.dropLast(Self.ending.count)))
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

  private static let ending = ".toml"

  /// In the order of the alphabet; a folder that is not there has none.
  private func names() -> [String] {
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

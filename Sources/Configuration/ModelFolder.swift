internal import Glibc
public import HeadphoneProtocols
internal import Persistence

/// The user's own headphone models: the `.toml` files in the folder `models` beside the
/// configuration.
///
/// ```swift
/// let (catalog, mistakes) = ModelFolder().read()
/// for mistake in mistakes { print(mistake.message) }  // models/acme.toml, line 3: …
/// ```
public struct ModelFolder: Sendable {
  /// The absolute path of the folder, which need not exist.
  public let path: String

  /// The folder beside a configuration file.
  public init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("models")
  }

  /// A mistake in one of the files.
  public struct Mistake: Error, Hashable, Sendable {
    /// The file relative to the configuration, for example "models/acme.toml".
    public var file: String
    /// The absolute path of the file.
    public var path: String
    /// The line and the reason.
    public var mistake: ConfigurationMistake

    /// The mistake on one line with its file.
    public var message: String { "\(file), \(mistake)" }
  }

  /// Reads the folder; blocks.
  ///
  /// - Returns: all models, of which the user's own precede the bundled ones, and the mistakes.
  public func read() -> (catalog: ModelCatalog, mistakes: [Mistake]) {
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

  /// The extension of model files.
  private static let ending = ".toml"

  /// The names of the model files, sorted; empty if there is no folder.
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

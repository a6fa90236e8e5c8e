internal import Glibc
public import HeadphoneProtocols
internal import Persistence

/// The user's own headphone models: the `.toml` files in the folder `models` beside the configuration.
public struct ModelFolder: Sendable {
  /// Absolute.
  public let path: String

  /// - Parameter configuration: the file beside which the folder is.
  public init(_ configuration: ConfigurationFile = ConfigurationFile()) {
    path = configuration.resolve("models")
  }

  /// A mistake in one of the files.
  public struct Mistake: Error, Hashable, Sendable {
    /// Relative to the configuration: "models/acme.toml".
    public var file: String
    /// Absolute.
    public var path: String
    public var mistake: ConfigurationMistake

    /// The message, in one line.
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

  private static let ending = ".toml"

  /// Sorted; empty if there is no folder.
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

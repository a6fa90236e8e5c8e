internal import BluetoothCodec

/// The known headphone models; the user's own precede those of the program.
///
/// ```swift
/// let catalog = ModelCatalog.bundled  // in module Configuration
/// print(catalog.appleName(0x2014))
/// ```
public struct ModelCatalog: Sendable {
  private let read: @Sendable () -> [HeadphoneModel]

  /// All models; the first one with a mark is used.
  public var models: [HeadphoneModel] { read() }

  /// Creates a catalog of these models.
  public init(_ models: [HeadphoneModel] = []) { self.init(reading: { models }) }

  /// Creates a catalog that is read at its first search, since most headphones have no model.
  public init(reading read: @escaping @Sendable () -> [HeadphoneModel]) { self.read = read }

  /// Returns a catalog with other models first, which replace those of the same file name.
  public func under(_ others: [HeadphoneModel]) -> ModelCatalog {
    guard !others.isEmpty else { return self }
    return ModelCatalog(reading: { [read] in
      others + read().filter { model in !others.contains { $0.id == model.id } }
    })
  }

  /// Returns the AirPods or Beats with Apple's product number, or nil if unknown.
  public func apple(_ product: UInt16) -> HeadphoneModel? {
    models.first { $0.family == .airpods && $0.marks.product == product }
  }

  /// Returns the name of AirPods or Beats, or their number if unknown.
  public func appleName(_ product: UInt16) -> String {
    apple(product)?.name ?? "Apple or Beats 0x\(hexadecimal(product, width: 4))"
  }

  /// Returns the model by the values that a headphone reports, or nil if it is unknown.
  ///
  /// - Parameters:
  ///   - family: the family, which must match.
  ///   - number: the model number.
  ///   - fastPair: the Fast Pair model, 24 bits.
  ///   - service: the model's part of its service UUID.
  public func model(
    of family: HeadphoneFamily, number: String? = nil, fastPair: UInt32? = nil,
    service: UInt16? = nil
  ) -> HeadphoneModel? {
    models.first { model in
      model.family == family
        && (number.map(model.marks.numbers.contains) == true
          || fastPair != nil && model.marks.fastPair == fastPair
          || service != nil && model.marks.service == service)
    }
  }

  /// Returns the Soundcore model by its service, or else by the length of its state.
  func soundcore(service: UInt16?, stateLength: Int) -> HeadphoneModel? {
    let own = model(of: .soundcore, service: service)
    if own?.soundcoreState != nil { return own }
    return models.first {
      $0.family == .soundcore && $0.marks.stateLengths.contains(stateLength)
        && $0.soundcoreState != nil
    }
  }
}

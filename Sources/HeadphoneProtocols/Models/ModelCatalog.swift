internal import BluetoothCodec

/// The known headphone models, the user's own first, and the families of the user's driver files.
public struct ModelCatalog: Sendable {
  private let read: @Sendable () -> [HeadphoneModel]

  /// The families of driver files, which take precedence over those of the program.
  public var drivers: [HeadphoneFamily] = []

  /// All models in order of precedence: the first with a matching mark is used.
  public var models: [HeadphoneModel] { read() }

  /// Creates a catalog of `models`.
  public init(_ models: [HeadphoneModel] = []) { self.init(reading: { models }) }

  /// Creates a catalog whose models are read on the first search, since most headphones need none.
  public init(reading read: @escaping @Sendable () -> [HeadphoneModel]) { self.read = read }

  /// Returns a catalog with `others` first, replacing models of this catalog with the same
  /// ``HeadphoneModel/id``.
  public func under(_ others: [HeadphoneModel]) -> ModelCatalog {
    guard !others.isEmpty else { return self }
    var catalog = ModelCatalog(reading: { [read] in
      others + read().filter { model in !others.contains { $0.id == model.id } }
    })
    catalog.drivers = drivers
    return catalog
  }

  /// Returns the AirPods or Beats model with Apple's product number, or nil if it is unknown.
  public func apple(_ product: UInt16) -> HeadphoneModel? {
    models.first { $0.family == .airpods && $0.marks.product == product }
  }

  /// Returns the name of an AirPods or Beats model, or its product number if it is unknown.
  public func appleName(_ product: UInt16) -> String {
    apple(product)?.name ?? "Apple or Beats 0x\(hexadecimal(product, width: 4))"
  }

  /// Returns the model of the family that one of the reported values identifies, or nil if it is
  /// unknown.
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

  /// Returns the Soundcore model with a service, or else the one whose state has the given length.
  func soundcore(service: UInt16?, stateLength: Int) -> HeadphoneModel? {
    let own = model(of: .soundcore, service: service)
    if own?.soundcoreState != nil { return own }
    return models.first {
      $0.family == .soundcore && $0.marks.stateLengths.contains(stateLength)
        && $0.soundcoreState != nil
    }
  }
}

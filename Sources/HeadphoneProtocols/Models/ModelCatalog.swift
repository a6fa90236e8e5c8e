internal import BluetoothCodec

/// All kinds of headphones that are known as data; those of a person go before those that came with
/// the program.
public struct ModelCatalog: Sendable {
  private let read: @Sendable () -> [HeadphoneModel]

  /// The first of several with a mark is the one.
  public var models: [HeadphoneModel] { read() }

  /// - Parameter models: the first of several with a mark is the one.
  public init(_ models: [HeadphoneModel] = []) { self.init(reading: { models }) }

  /// - Parameter read: is asked when somebody looks for a model: most headphones are none of these.
  public init(reading read: @escaping @Sendable () -> [HeadphoneModel]) { self.read = read }

  /// With others before these; of the same file name, the other one is the only one.
  public func under(_ others: [HeadphoneModel]) -> ModelCatalog {
    guard !others.isEmpty else { return self }
    return ModelCatalog(reading: { [read] in
      others + read().filter { model in !others.contains { $0.id == model.id } }
    })
  }

  /// AirPods or Beats by Apple's number.
  public func apple(_ product: UInt16) -> HeadphoneModel? {
    models.first { $0.family == .airpods && $0.marks.product == product }
  }

  /// What to call them; the number where it is not known.
  public func appleName(_ product: UInt16) -> String {
    apple(product)?.name ?? "Apple or Beats 0x\(hexadecimal(product, width: 4))"
  }

  /// A model by the values that a headphone reports about itself.
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

  /// A Soundcore model by its service, else by the length of its state.
  func soundcore(service: UInt16?, stateLength: Int) -> HeadphoneModel? {
    let own = model(of: .soundcore, service: service)
    if own?.soundcoreState != nil { return own }
    return models.first {
      $0.family == .soundcore && $0.marks.stateLengths.contains(stateLength)
        && $0.soundcoreState != nil
    }
  }
}

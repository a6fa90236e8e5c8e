public import BluetoothCodec
public import GATT

/// A language that is spoken over two characteristics of GATT; ``/HeadphoneDrivers/FamilyDriver``
/// speaks it.
public protocol FamilyProtocol: HeadphoneProtocol {
  /// Where it is spoken among a headphone's attributes; nil: this is none of the family.
  static func channel(in database: Database) -> FamilyChannel?

  /// The protocol of the family, and of the model where the channel identifies it.
  init(on channel: FamilyChannel, _ models: ModelCatalog)

  /// The model's part of the service's UUID; nil: all models have the same.
  var modelService: UInt16? { get }
}

extension FamilyProtocol {
  /// Nil.
  public var modelService: UInt16? { nil }
}

/// The characteristics on which a family's language is spoken.
public struct FamilyChannel: Hashable, Sendable {
  /// The service's UUID, in which some families say the model.
  public var service: BluetoothUUID
  /// Orders and questions are written here.
  public var write: Characteristic
  /// Answers and news come here.
  public var notify: Characteristic

  /// Nil where either cannot do its part.
  public init?(of service: Service, write: Characteristic?, notify: Characteristic?) {
    guard let write, let notify,
      !write.properties.isDisjoint(with: [.write, .writeWithoutResponse]),
      !notify.properties.isDisjoint(with: [.notify, .indicate])
    else { return nil }
    self.service = service.uuid
    self.write = write
    self.notify = notify
  }
}

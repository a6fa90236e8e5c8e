public import BluetoothCodec

/// A protocol over two GATT characteristics; `GATTDriver` is its driver.
public protocol FamilyProtocol: HeadphoneProtocol {
  /// The patterns that the headphones advertise besides ``FamilyAdvertisements/services``.
  static var advertised: [AdvertisingPattern] { get }

  /// Returns the characteristics in a headphone's database, or nil if it is not of the family.
  static func channel(in database: Database) -> FamilyChannel?

  /// Creates the protocol, for the model if the channel identifies it.
  init(on channel: FamilyChannel, _ models: ModelCatalog)

  /// The model's part of the service UUID, or nil if all models have the same UUID.
  var modelService: UInt16? { get }

  /// Handles the value of a readable characteristic, before any query.
  mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent]
}

extension FamilyProtocol {
  public func channel(in database: Database) -> FamilyChannel? { Self.channel(in: database) }

  /// True by default, since the service identifies the family.
  public var isRecognised: Bool { true }

  /// No patterns by default; the headphones advertise one of the ``FamilyAdvertisements/services``.
  public static var advertised: [AdvertisingPattern] { [] }

  /// No part by default: all models have the same service UUID.
  public var modelService: UInt16? { nil }

  public mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent] { [] }
}

/// The characteristics of a family's protocol.
public struct FamilyChannel: Hashable, Sendable {
  /// The service, which identifies the model in some families.
  public var service: BluetoothUUID
  public var write: Characteristic
  public var notify: Characteristic
  /// Further characteristics, which are read if they can be.
  public var readable: [Characteristic] = []

  /// Fails if a characteristic is absent or lacks the required properties.
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

public import Bluetooth
public import BluetoothCodec
public import GATT

/// A protocol over two GATT characteristics; ``/HeadphoneDrivers/GATTDriver`` is its driver.
public protocol FamilyProtocol: HeadphoneProtocol {
  /// What its headphones advertise; empty: they are found by one of the
  /// ``FamilyAdvertisements/services`` that all have.
  static var advertised: [AdvertisingPattern] { get }

  /// The protocol's characteristics in a headphone's database; `nil` if the headphone is not of the
  /// family.
  static func channel(in database: Database) -> FamilyChannel?

  /// The protocol of the family, and of the model if the channel identifies it.
  init(on channel: FamilyChannel, _ models: ModelCatalog)

  /// The model's part of the service UUID; `nil` if all models have the same.
  var modelService: UInt16? { get }

  /// Takes the value of one of the channel's readable characteristics, before anything is asked.
  mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent]
}

extension FamilyProtocol {
  /// Its service says so.
  public var isRecognised: Bool { true }

  /// Nothing of its own.
  public static var advertised: [AdvertisingPattern] { [] }

  /// All models have the same UUID.
  public var modelService: UInt16? { nil }

  /// Nothing is read.
  public mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent] { [] }
}

/// The characteristics of a family's protocol.
public struct FamilyChannel: Hashable, Sendable {
  /// The service UUID, which identifies the model in some families.
  public var service: BluetoothUUID
  /// The characteristic to which commands and queries are written.
  public var write: Characteristic
  /// The characteristic that notifies answers and reports.
  public var notify: Characteristic
  /// Further characteristics whose values are read, if they can be.
  public var readable: [Characteristic] = []

  /// The characteristics; `nil` if one of them is absent or lacks the required properties.
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

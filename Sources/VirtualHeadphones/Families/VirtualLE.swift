internal import BluetoothAttributes
public import BluetoothCodec

/// A simulated headphone with controls in a GATT service, as a value.
public protocol VirtualLEHeadphone: Hashable, Sendable {
  /// The service of the controls.
  var service: BluetoothUUID { get }
  /// The characteristic that the phone writes.
  var write: BluetoothUUID { get }
  /// The properties of the written characteristic.
  var writing: CharacteristicProperties { get }
  /// The characteristic that notifies answers.
  var notify: BluetoothUUID { get }
  /// The values of further characteristics of the service, which can be read.
  var readable: [(BluetoothUUID, [UInt8])] { get }
  /// The advertised structures other than flags and name.
  var advertised: [AdvertisingStructure] { get }

  /// Returns the values that are notified in answer to bytes of the phone.
  mutating func respond(to value: Bytes) -> [[UInt8]]
}

extension VirtualLEHeadphone {
  public var writing: CharacteristicProperties { [.write, .writeWithoutResponse] }

  /// By default, there are no further characteristics.
  public var readable: [(BluetoothUUID, [UInt8])] { [] }
}

/// A virtual headphone of any family whose controls are in a GATT service.
public struct VirtualLE: Hashable, Sendable {
  /// The headphone in its current state.
  public internal(set) var headphone: any VirtualLEHeadphone

  public init(_ headphone: any VirtualLEHeadphone) { self.headphone = headphone }

  public static func == (a: VirtualLE, b: VirtualLE) -> Bool {
    AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }

  var control: ServiceDefinition {
    ServiceDefinition(
      headphone.service,
      [
        CharacteristicDefinition(headphone.write, headphone.writing),
        CharacteristicDefinition(headphone.notify, .notify),
      ] + headphone.readable.map { CharacteristicDefinition($0, .read, value: $1) })
  }
}

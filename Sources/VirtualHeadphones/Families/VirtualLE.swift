public import BluetoothCodec
public import GATT

/// A headphone with its controls in a GATT service as a value: what is written goes in, what it
/// notifies comes out.
public protocol VirtualLEHeadphone: Hashable, Sendable {
  /// The service of its controls.
  var service: BluetoothUUID { get }
  /// The characteristic of the service that is written.
  var write: BluetoothUUID { get }
  /// How that one is written.
  var writing: CharacteristicProperties { get }
  /// The characteristic of the service that answers.
  var notify: BluetoothUUID { get }
  /// The values of further characteristics of the service, which can be read.
  var readable: [(BluetoothUUID, [UInt8])] { get }
  /// What it advertises beside flags and name.
  var advertised: [AdvertisingStructure] { get }

  /// Takes bytes that the phone wrote.
  ///
  /// - Returns: what it notifies in turn, a value each.
  mutating func respond(to value: Bytes) -> [[UInt8]]
}

extension VirtualLEHeadphone {
  /// With a response or without.
  public var writing: CharacteristicProperties { [.write, .writeWithoutResponse] }

  /// None.
  public var readable: [(BluetoothUUID, [UInt8])] { [] }
}

/// A virtual headphone of any family with a GATT service of its own.
public struct VirtualLE: Hashable, Sendable {
  /// The headphone's present state.
  public internal(set) var headphone: any VirtualLEHeadphone

  public init(_ headphone: any VirtualLEHeadphone) { self.headphone = headphone }

  public static func == (a: VirtualLE, b: VirtualLE) -> Bool {
    AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }

  /// The service with its two characteristics.
  var control: ServiceDefinition {
    ServiceDefinition(
      headphone.service,
      [
        CharacteristicDefinition(headphone.write, headphone.writing),
        CharacteristicDefinition(headphone.notify, .notify),
      ] + headphone.readable.map { CharacteristicDefinition($0, .read, value: $1) })
  }
}

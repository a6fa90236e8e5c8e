public import Bluetooth
public import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// The audio side of a headphone whose controls are on LE: the same device, by an address that both
/// sides have.
///
/// A public address is the same on both (Core 5.4, Vol 3, Part C, 15.1.1.1).
///
/// Some makers keep features on a serial channel beside the LE controls; it can be opened only
/// while the audio link is up here.
public struct AudioDeviceInfo: Sendable {
  /// How long the headphone may take to open a channel.
  private static let timeout: Duration = .seconds(3)

  /// The BR/EDR address.
  public let address: BluetoothAddress
  private let radio: any Radio

  /// - Parameter identity: the address that the headphone keeps.
  /// - Returns: nil where the identity says nothing about the audio side.
  public init?(of identity: PeerAddress, on radio: any Radio) {
    guard identity.kind == .public else { return nil }
    address = identity.address
    self.radio = radio
  }

  /// Opens the serial channel of a service; nil where the audio side is not connected here, or has
  /// no such service.
  func open(_ service: BluetoothUUID) async throws(RadioError) -> (any Bearer)? {
    try await radio.connect(to: address, service: service, timeout: Self.timeout)
  }

  /// Yields each time the audio link has come up, and at once where it is; finished where the radio
  /// cannot report links.
  func arrivals() -> AsyncStream<Void> {
    let links = radio.links()
    let (arrivals, sink) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task { [address] in
      var wasUp = false
      for await links in links {
        let isUp = links.contains {
          $0.kind == .acl && $0.state == .connected && $0.address == address
        }
        if isUp, !wasUp { sink.yield() }
        wasUp = isUp
      }
      sink.finish()
    }
    sink.onTermination = { _ in watching.cancel() }
    return arrivals
  }
}

public import BluetoothCodec
public import BluetoothRadio
internal import HeadphoneProtocols

/// The BR/EDR side of a headphone whose controls are on LE.
///
/// A public address is the same on both sides (Core 5.4, Vol 3, Part C, 15.1.1.1). Some makers
/// offer features on a serial channel besides the LE controls, which can be opened only while the
/// audio link to this computer is up.
public struct AudioDeviceInfo: Sendable {
  private static let timeout: Duration = .seconds(3)

  public let address: BluetoothAddress
  private let radio: any Radio

  /// Creates the BR/EDR side of a headphone, or returns nil unless its identity address is public.
  public init?(of identity: PeerAddress, on radio: any Radio) {
    guard identity.kind == .public else { return nil }
    address = identity.address
    self.radio = radio
  }

  /// Opens a serial channel, or returns nil if the audio link is down or the service is missing.
  func open(_ service: BluetoothUUID) async throws(RadioError) -> (any Bearer)? {
    try await radio.connect(to: address, service: service, timeout: Self.timeout)
  }

  /// Returns a stream that yields each time the audio link comes up, and immediately if it is up.
  ///
  /// The stream finishes if the radio cannot report links.
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

public import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// The driver for AirPods and Beats whose audio side is connected: no GATT, packets of their own.
///
/// ```swift
/// let driver = AACPDriver(bearer: bearer, models: models, emitter: emitter)
/// let description = try await driver.start()
/// try await driver.perform(.setANC(.transparency))
/// ```
public typealias AACPDriver = ChannelDriver<AACPProtocol>

extension ChannelDriver<AACPProtocol> {
  /// Creates the driver.
  ///
  /// - Parameters:
  ///   - bearer: a connected channel of ``/HeadphoneProtocols/AACPPacket/psm``.
  ///   - models: narrows the capabilities to those of the model.
  ///   - clock: by which answers are awaited.
  ///   - emitter: where events go.
  public convenience init(
    bearer: any Bearer, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) {
    self.init(AACPProtocol(), on: bearer, clock: clock, emitter: emitter) { language, packets in
      HeadphoneDescription(
        driver: AACPProtocol.name,
        capabilities: language.capabilities.narrowed(
          to: models.model(of: .airpods, number: language.information.model)),
        information: language.information, mtu: nil, requests: packets)
    } readAll: { channel throws(HeadphoneError) in
      try await channel.shakeHands()
    }
  }
}

extension ProtocolChannel<AACPProtocol> {
  /// The handshake, on which all else depends, and the questions behind it.
  fileprivate func shakeHands() async throws(HeadphoneError) {
    let questions = questions()
    guard let handshake = questions.first else { return }
    do throws(HeadphoneError) {
      try await execute(handshake, attempts: 2)
    } catch .noResponse {
      throw .notAHeadphone(missing: "answer to the AirPods handshake")
    }
    try await ask(Array(questions.dropFirst()))
    try await receiveRemaining()
  }
}

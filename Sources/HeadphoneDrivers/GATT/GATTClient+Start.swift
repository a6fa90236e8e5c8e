internal import GATT
internal import HeadphoneProtocols

extension GATTClient {
  /// The start of any driver over GATT: a larger MTU, then what the headphone offers.
  ///
  /// - Parameter outlet: told how far it is.
  func begin(
    using cache: GATTCache?, isBonded: Bool = false,
    reporting emitter: EventEmitter
  ) async throws(GATTError) {
    try await exchangeMTU()
    try await discover(using: cache, isBonded: isBonded) { phase in
      if phase == .characteristics { emitter.report(.starting(.discoveringCharacteristics)) }
    }
  }
}

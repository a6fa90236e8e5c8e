internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

extension GATTClient {
  /// The start of any driver over GATT: a larger MTU, and what the headphone offers.
  ///
  /// The cache of a bonded headphone is adopted before anything is received, because the headphone
  /// indicates changed services right after encryption, and once (Core 5.4, Vol 3, Part G, 7.1).
  /// That indication arrives before the answer to the first request; the changed services are known
  /// when this returns.
  ///
  /// - Parameters:
  ///   - cache: what an earlier connection discovered.
  ///   - isBonded: whether the two ends share a key; used to encrypt the link, if it is not.
  ///   - handles: values, and client configurations of a bonded headphone, to be read by the way if
  ///     the cache is used.
  ///   - emitter: receives the progress.
  /// - Returns: of `handles` those that were read.
  /// - Throws: what ended a request, and `security` if the key that is shared cannot be used.
  @discardableResult
  func begin(
    using cache: GATTCache?, isBonded: Bool = false, reading handles: [UInt16] = [],
    reporting emitter: EventEmitter
  ) async throws(GATTError) -> [UInt16: Bytes] {
    let proved = try await encrypt(ifBonded: isBonded) ? cache : nil
    if let proved { try await discover(using: proved, isBonded: true) }
    try await exchangeMTU()
    if proved != nil { return try await resume(reading: handles) }
    return try await discover(using: cache, reading: handles) { phase in
      if phase == .characteristics { emitter.report(.starting(.discoveringCharacteristics)) }
    }.values
  }

  /// Encrypts with the key that the two ends share, before a request is refused for want of it.
  ///
  /// - Returns: false without a bond, and on a link that cannot be protected, or only by a pairing for
  ///   which there is nobody to ask.
  /// - Throws: `security`, with what became of the key.
  func encrypt(ifBonded isBonded: Bool) async throws(GATTError) -> Bool {
    guard isBonded else { return false }
    guard await bearer.security < .medium else { return true }
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: .medium)
      return true
    } catch .unsupported, .unattended {
      return false
    } catch {
      throw .security(error)
    }
  }
}

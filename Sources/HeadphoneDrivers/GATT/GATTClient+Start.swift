internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

extension GATTClient {
  /// Starts a link for any driver over GATT: exchanges the MTU and discovers the services.
  ///
  /// The cache of a bonded headphone is adopted before anything is received, because the headphone
  /// indicates changed services only once, right after encryption (Core 5.4, Vol 3, Part G, 7.1).
  /// That indication arrives before the response to the first request; this returns when the
  /// changed services are known.
  ///
  /// - Parameters:
  ///   - isBonded: whether both devices have a key, with which the link is encrypted if it is not
  ///     yet.
  ///   - handles: the values to read at the same time if the cache is valid, and the client
  ///     configurations of a bonded headphone.
  /// - Returns: the values that were read, by handle.
  /// - Throws: the error of a request, and `security` if the key cannot be used.
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

  /// Encrypts the link with the key of a bond, so that no request fails for lack of authentication.
  ///
  /// - Returns: false without a bond, on a link that cannot be encrypted, or if that requires a
  ///   pairing and nobody can be asked.
  /// - Throws: `security` with the reason why the key cannot be used.
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

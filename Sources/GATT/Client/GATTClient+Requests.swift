internal import BluetoothCodec

/// How a request that the server refuses for a curable reason is repeated.
enum Recovery: Sendable {
  /// Raise security, find the database again: once each, then the same request once more.
  case full
  /// Raise security only: a part of a discovery is itself how the database is found again.
  case withinDiscovery
}

extension GATTClient {
  /// Sends a request; cures what can be cured, once, and then repeats it.
  func request(
    _ request: ATTRequest, _ recovery: Recovery = .full
  ) async throws(GATTError) -> ATTResponse {
    let raises = security.raises
    switch await answer(to: request) {
    case .success(let response): return response
    case .failure(.att(let error)):
      try await cure(error, of: request, recovery, raises)
      repetitions += 1
      return try await answer(to: request).get()
    case .failure(let error): throw error
    }
  }

  /// Returns if the request may be repeated.
  private func cure(
    _ error: ATTErrorResponse, of request: ATTRequest, _ recovery: Recovery, _ raises: Int
  ) async throws(GATTError) {
    if error.code.isCuredBySecurity {
      try await raiseSecurity(over: error, since: raises)
    } else if error.code != .databaseOutOfSync {
      throw .att(error)
    } else if recovery == .full {
      try await resynchronise(for: request, error)
    }
  }

  func unexpected(_ response: ATTResponse, to request: ATTOpcode) -> GATTError {
    .unexpectedAnswer("\(response.opcode) to \(request)")
  }
}

// MARK: - MTU

extension GATTClient {
  /// Agrees on ATT_MTU with the server, once per bearer (Core 5.4, Vol 3, Part G, 4.3.1).
  ///
  /// - Returns: ATT_MTU in bytes; 23 where the server does not know the request.
  @discardableResult
  public func exchangeMTU() async throws(GATTError) -> Int {
    guard !hasExchangedMTU else { return engine.mtu }
    hasExchangedMTU = true
    do {
      _ = try await request(.exchangeMTU(clientMTU: options.mtu))
    } catch .att(let error) where error.code == .requestNotSupported {
      // The default stays.
    } catch {
      hasExchangedMTU = false
      throw error
    }
    return engine.mtu
  }
}

// MARK: - Security

/// A raise that runs; whoever needs one meanwhile waits for it.
typealias SecurityRaise = Task<Result<Void, SecurityFailure>, Never>

struct SecurityHistory: Sendable {
  /// Raises that succeeded.
  var raises = 0
}

extension ATTErrorCode {
  /// Codes that say "not on a link like this one" (Core 5.4, Vol 3, Part C, 10.3.1).
  var isCuredBySecurity: Bool {
    switch self {
    case .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
      .insufficientEncryption:
      true
    default: false
    }
  }
}

extension GATTClient {
  /// Raises security by one step, or throws `error` where that is not allowed or possible.
  private func raiseSecurity(
    over error: ATTErrorResponse, since raises: Int
  ) async throws(GATTError) {
    // Someone else's raise ended while this request was on its way.
    guard security.raises == raises else { return }
    if let running = securityRaise { return try await finish(running) }
    let present = await bearer.security
    let wanted: SecurityLevel = present < .medium ? .medium : .high
    guard wanted > present, wanted <= options.highestSecurity else { throw .att(error) }
    if let running = securityRaise { return try await finish(running) }
    let raise = SecurityRaise { [bearer] in
      do throws(SecurityFailure) {
        try await bearer.raiseSecurity(to: wanted)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    securityRaise = raise
    let outcome = await raise.value
    securityRaise = nil
    if case .success = outcome { security.raises += 1 }
    try await finish(raise)
  }

  private func finish(_ raise: SecurityRaise) async throws(GATTError) {
    switch await raise.value {
    case .success: return
    case .failure(.closed(let closed)): throw .closed(closed)
    case .failure(let failure): throw .security(failure)
    }
  }
}

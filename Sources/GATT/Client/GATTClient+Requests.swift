internal import Bluetooth
internal import BluetoothCodec

/// How a request that the server refuses for a curable reason is repeated.
enum RetryPolicy: Sendable {
  /// Raise security, find the database again: once each, and after each the same request.
  case full
  /// Raise security only: a part of a discovery is itself how the database is found again.
  case withinDiscovery
}

/// What may have been in the way of a request, and was removed.
private struct AppliedRemedies: OptionSet {
  let rawValue: UInt8

  static let security = AppliedRemedies(rawValue: 1)
  static let database = AppliedRemedies(rawValue: 2)

  /// What cures this code; empty: nothing does.
  init(of code: ATTErrorCode) {
    self = code.isCuredBySecurity ? .security : code == .databaseOutOfSync ? .database : []
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension GATTClient {
  /// Sends a request; cures each thing that can be cured, once, and then repeats it.
  func request(
    _ request: ATTRequest, _ recovery: RetryPolicy = .full
  ) async throws(GATTError) -> ATTResponse {
    var tried: AppliedRemedies = []
    while true {
      let raises = security.raises
      switch await answer(to: request) {
      case .success(let response): return response
      case .failure(.att(let error)):
        let cure = AppliedRemedies(of: error.code)
        guard !cure.isEmpty, tried.isDisjoint(with: cure) else { throw .att(error) }
        tried.insert(cure)
        if cure == .security {
          try await raiseSecurity(over: error, since: raises)
        } else if recovery == .full {
          try await resynchronise(for: request, error)
        }
        repetitions += 1
      case .failure(let error): throw error
      }
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
      // Sent at most once, also by a caller that was cancelled (Core 5.4, Vol 3, Part F, 3.4.2.1).
      hasExchangedMTU = engine.hasAskedForMTU
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

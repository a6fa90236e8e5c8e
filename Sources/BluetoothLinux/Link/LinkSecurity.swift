internal import BluetoothCodec
internal import CBluetooth
internal import Descriptors
internal import GATT
internal import Glibc

/// The protection of a link, by the kernel's BT_SECURITY.
enum LinkSecurity {
  /// More than the kernel gives a peer that does not answer (Core 5.4, Vol 3, Part H, 3.4: 30 s).
  private static let patience: Duration = .seconds(35)

  static func level(of descriptor: Int32) -> SecurityLevel {
    let option = SocketDescriptor.option(descriptor, SOL_BLUETOOTH, BT_SECURITY, bt_security())
    return option.flatMap { SecurityLevel(rawValue: $0.level) } ?? .low
  }

  /// Pairs or encrypts; the socket is writable again when that has ended.
  static func raise(
    _ bearer: DescriptorBearer, to level: SecurityLevel, confirming pairing: PairingConsent,
    clock: any Clock<Duration>
  ) async throws(SecurityFailure) {
    guard bearer.security < level else { return }
    switch bearer.withDescriptor({ set(level, on: $0) }) {
    // Of a closed bearer the wait below tells the reason.
    case .done, .wouldBlock, nil: break
    // No pairing protocol on this adapter (it was powered past the management channel), or a
    // level that the link has.
    case .failed(EINVAL): throw .unsupported
    case .failed: throw .refused
    }
    let outcome = await within(patience, by: clock) {
      await end(of: bearer, confirming: pairing)
    }
    switch outcome {
    case .writable: if bearer.security < level { throw .refused }
    case .closed(let closed): throw SecurityFailure(closed)
    case .failed, nil:
      // Until pairing ends the socket sends nothing: it is of no use any more.
      bearer.close(.refused)
      throw .refused
    }
  }

  private enum Outcome {
    case writable
    case closed(BearerClosed)
    /// The kernel says that pairing failed; the socket does not.
    case failed
  }

  private static func end(
    of bearer: DescriptorBearer, confirming pairing: PairingConsent
  ) async -> Outcome {
    await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        do throws(BearerClosed) {
          try await bearer.writable()
          return .writable
        } catch {
          return .closed(error)
        }
      }
      group.addTask { await pairing.fails() ? .failed : nil }
      defer { group.cancelAll() }
      while let outcome = await group.next() {
        if let outcome { return outcome }
      }
      return .failed
    }
  }

  private static func set(_ level: SecurityLevel, on descriptor: Int32) -> SystemResult {
    var value = bt_security(level: level.rawValue, key_size: 0)
    let size = socklen_t(MemoryLayout<bt_security>.size)
    return systemCall {
      Int(setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &value, size))
    }
  }
}

extension SecurityFailure {
  /// What it means that the link ended while security was raised.
  ///
  /// After a failed pairing the kernel ends the link itself.
  init(_ closed: BearerClosed) {
    self =
      switch closed.reason {
      case .micFailure: .keyMissing
      case .refused, .localHost: .refused
      default: .closed(closed)
      }
  }
}

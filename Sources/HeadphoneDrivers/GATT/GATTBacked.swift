internal import GATT
internal import HeadphoneProtocols

/// A driver over a GATT client, on whose executor it runs.
protocol GATTBacked: Actor {
  nonisolated var client: GATTClient { get }
}

extension GATTBacked {
  /// Runs a GATT procedure, with its errors as the driver's.
  func gatt<Value: Sendable>(
    _ procedure: (GATTClient) async throws(GATTError) -> Value
  ) async throws(HeadphoneError) -> Value {
    do throws(GATTError) {
      return try await procedure(client)
    } catch {
      throw HeadphoneError(error)
    }
  }
}

extension HeadphoneError {
  /// A GATT error as this layer names it.
  init(_ error: GATTError) {
    self =
      switch error {
      case .closed(let closed): .closed(closed)
      case .cancelled: .cancelled
      default: .gatt(error)
      }
  }
}

internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT

extension AdapterState {
  init(_ adapter: Adapter) {
    self =
      if adapter.isPowered {
        .ready(
          AdapterIdentity(
            name: adapter.name, address: adapter.address.description, isVirtual: adapter.isVirtual))
      } else if adapter.isBlocked {
        .blocked(adapter: adapter.name)
      } else {
        .off(adapter: adapter.name)
      }
  }

  /// What an error says about the adapter.
  init(_ error: RadioError) {
    self =
      switch error {
      case .noAdapter, .unknownAdapter: .absent
      case .poweredOff(let adapter): .off(adapter: adapter)
      case .blocked(let adapter): .blocked(adapter: adapter)
      case .notPermitted(_, let capability): .denied(capability: capability)
      case .busy, .noRoom, .timedOut, .refused, .cancelled, .controller, .bluetoothd, .system:
        .unknown
      }
  }
}

extension Dependencies {
  /// The adapter that the radio uses: the one asked for, else the first that is on.
  func lookAtAdapter() async throws(RadioError) -> AdapterState {
    let adapters = try await radio.adapters()
    if let adapter {
      guard let named = adapters.first(where: { $0.name == adapter }) else {
        throw .unknownAdapter(adapter)
      }
      return AdapterState(named)
    }
    guard let first = adapters.first(where: \.isPowered) ?? adapters.first else {
      throw .noAdapter
    }
    return AdapterState(first)
  }
}

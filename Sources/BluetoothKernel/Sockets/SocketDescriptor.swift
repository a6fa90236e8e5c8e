internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A Bluetooth socket of the kernel, closed with its last reference.
final class SocketDescriptor: Sendable {
  let number: Int32

  init(type: Int32, protocol number: Int32, during operation: String) throws(RadioError) {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    self.number = try Self.check(operation) { Int(socket(AF_BLUETOOTH, type | flags, number)) }
  }

  /// Opens a non-blocking raw HCI socket, which receives nothing until it has a filter.
  init(adapter index: UInt16, during operation: String) throws(RadioError) {
    number = try Self.check(operation) { Int(hci_open_dev(Int32(index))) }
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
  }

  deinit { close(number) }

  func bind<Address>(to address: Address, during operation: String) throws(RadioError) {
    _ = try Self.withBytes(of: address) { address, size throws(RadioError) in
      try Self.check(operation) { Int(Glibc.bind(number, address, size)) }
    }
  }

  func bind(
    toHCI adapter: UInt16, _ channel: Int32, during operation: String
  ) throws(RadioError) {
    try bind(
      to: sockaddr_hci(
        hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: adapter, hci_channel: UInt16(channel)),
      during: operation)
  }

  /// Starts to connect; the usual result is EINPROGRESS, never `wouldBlock`.
  func connect<Address>(to address: Address) -> SystemResult {
    Self.withBytes(of: address) { address, size in
      systemCall { Int(Glibc.connect(number, address, size)) }
    }
  }

  func setOption<Value>(
    _ level: Int32, _ name: Int32, to value: Value
  ) -> SystemResult {
    withUnsafePointer(to: value) { value in
      systemCall {
        Int(setsockopt(number, level, name, value, socklen_t(MemoryLayout<Value>.size)))
      }
    }
  }

  /// Returns and clears the pending error of the socket, or 0 if there is none.
  func pendingError() -> Int32 { Self.option(number, SOL_SOCKET, SO_ERROR, Int32(0)) ?? 0 }

  static func option<Value>(
    _ descriptor: Int32, _ level: Int32, _ name: Int32, _ blank: Value
  ) -> Value? {
    var value = blank
    var size = socklen_t(MemoryLayout<Value>.size)
    let result = withUnsafeMutablePointer(to: &value) { value in
      systemCall { Int(getsockopt(descriptor, level, name, value, &size)) }
    }
    guard case .done = result else { return nil }
    return value
  }

  private static func check(
    _ operation: String, _ body: () -> Int
  ) throws(RadioError) -> Int32 {
    switch systemCall(body) {
    case .done(let value): return Int32(truncatingIfNeeded: value)
    case .wouldBlock: throw RadioError(errno: EAGAIN, during: operation)
    case .failed(let code): throw RadioError(errno: code, during: operation)
    }
  }

  private static func withBytes<Address, Result, Failure: Error>(
    of address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var address = address
    return try withUnsafeMutablePointer(to: &address) { pointer throws(Failure) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(Failure) in
        try body(pointer, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}

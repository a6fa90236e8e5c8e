public import BluetoothCodec
public import BluetoothRadio
internal import CBluetooth
public import EventLoop
internal import Glibc
internal import Locking

/// A radio whose traffic is written to a btsnoop file, for Wireshark.
///
/// For a radio over the kernel, and with CAP_NET_RAW, the file contains all HCI traffic. Otherwise
/// it contains the traffic of this radio's own channels (ATT, L2CAP, RFCOMM), as the HCI packets
/// that would have carried it, without advertisements.
///
/// ```swift
/// let radio = try CapturedRadio(LinuxRadio(), overKernel: true, to: "trace.btsnoop")
/// let bearer = try await radio.connect(to: peer, timeout: .seconds(10))
/// // …
/// if let error = await radio.finish() { print(error, error.advice) }
/// ```
public final class CapturedRadio: ForwardingRadio {
  /// The first connection handle that is reserved (Core 5.4, Vol 4, Part E, 5.4.2).
  private static let handleLimit: UInt16 = 0x0F00

  public let base: any Radio
  private let file: CaptureFile
  private let monitor: Task<Void, Never>?
  private let handles = Mutex<UInt16>(0)

  /// Creates or truncates the file.
  ///
  /// - Parameter isOverKernel: whether the kernel's monitor sees the radio's traffic.
  /// - Throws: ``CaptureError`` if the file cannot be written.
  public init(
    _ base: any Radio, overKernel isOverKernel: Bool = false, to path: String,
    filter: CaptureFilter? = nil, loop: PollLoop = .shared
  ) throws(CaptureError) {
    self.base = base
    if isOverKernel, let channel = try? MonitorChannel() {
      let file = try CaptureFile(path: path, datalink: .monitor, filter: filter)
      self.file = file
      monitor = Task { await channel.write(to: file, loop: loop) }
    } else {
      file = try CaptureFile(path: path, datalink: .uart, filter: filter)
      monitor = nil
    }
  }

  deinit { monitor?.cancel() }

  /// Whether all HCI traffic of the machine is written, not only that of this radio's links.
  public var isOfAll: Bool { monitor != nil }

  /// Ends the capture, and returns the reason if the file is incomplete, or else nil.
  public func finish() async -> CaptureError? {
    monitor?.cancel()
    await monitor?.value
    return await file.finish()
  }

  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    captured(try await base.connect(to: peer, timeout: timeout), of: peer, on: .attributes)
  }

  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    captured(
      try await base.connect(to: address, psm: psm, timeout: timeout),
      of: PeerAddress(address, .classic), on: .packets(psm: psm))
  }

  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    guard
      let bearer = try await base.connect(
        to: address, service: service, channel: channel, timeout: timeout)
    else { return nil }
    // A virtual headphone's channel has no number.
    let number = channel ?? (bearer as? SocketBearer)?.serialChannel ?? 1
    return captured(
      bearer, of: PeerAddress(address, .classic),
      on: .serial(SerialChannel(number: number), of: channel == nil ? service : nil))
  }

  private func captured(
    _ bearer: any Bearer, of peer: PeerAddress, on channel: LinkCapture.Channel
  ) -> any Bearer {
    guard monitor == nil else { return bearer }
    let capture = LinkCapture(connection: nextHandle(), file: file, channel: channel)
    capture.began(with: peer)
    return ObservedBearer(bearer, by: capture)
  }

  private func nextHandle() -> UInt16 {
    handles.withLock { last in
      last = (last + 1) % Self.handleLimit
      return last
    }
  }
}

extension SocketBearer {
  /// The peer's RFCOMM channel number, or nil if the socket is not RFCOMM.
  fileprivate var serialChannel: UInt8? {
    withDescriptor { descriptor in
      var address = sockaddr_rc()
      var length = socklen_t(MemoryLayout<sockaddr_rc>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &length)
        }
      }
      guard result == 0, address.rc_family == sa_family_t(AF_BLUETOOTH) else { return nil }
      return address.rc_channel
    } ?? nil
  }
}

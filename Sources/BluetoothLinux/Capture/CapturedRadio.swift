public import Bluetooth
public import BluetoothCodec
public import EventLoop
internal import Locking

/// A radio whose traffic is written to a btsnoop file, for Wireshark.
///
/// Of the kernel's radio all HCI traffic is written where that is permitted (CAP_NET_RAW).
/// Otherwise, and of any other radio, the PDUs of its own links are written as the HCI packets that
/// would have carried them. Advertisements, and serial channels, which have no packets, are captured
/// by the kernel's monitor alone.
///
/// ```swift
/// let radio = try CapturedRadio(LinuxRadio(), to: "trace.btsnoop")
/// let bearer = try await radio.connect(to: peer, timeout: .seconds(10))
/// // …
/// if let error = await radio.finish() { print(error, error.advice) }
/// ```
public final class CapturedRadio: ForwardingRadio {
  /// The connection handles end below 0x0F00, from which they are reserved (Core 5.4, Vol 4, Part
  /// E, 5.4.2).
  private static let handleLimit: UInt16 = 0x0F00

  public let base: any Radio
  private let file: CaptureFile
  /// The task that copies the kernel's traffic; `nil` if only links are written.
  private let monitor: Task<Void, Never>?
  private let handles = Mutex<UInt16>(0)

  /// Creates or truncates the file.
  ///
  /// - Parameters:
  ///   - base: the radio whose traffic is written.
  ///   - path: the file, readable for its owner only.
  ///   - filter: changes each record before it is written.
  ///   - loop: waits for the kernel's traffic.
  /// - Throws: ``CaptureError`` if the file cannot be written.
  public init(
    _ base: any Radio, to path: String, filter: CaptureFilter? = nil,
    loop: PollLoop = .shared
  ) throws(CaptureError) {
    self.base = base
    if base is LinuxRadio, let channel = try? MonitorChannel() {
      let file = try CaptureFile(path: path, datalink: .monitor, filter: filter)
      self.file = file
      monitor = Task { await channel.write(to: file, loop: loop) }
    } else {
      file = try CaptureFile(path: path, datalink: .uart, filter: filter)
      monitor = nil
    }
  }

  deinit { monitor?.cancel() }

  /// Whether all HCI traffic of the machine is written, and not only that of this radio's links.
  public var isOfAll: Bool { monitor != nil }

  /// Ends the capture, and returns when all traffic so far is in the file.
  ///
  /// - Returns: the reason why the file is incomplete; `nil` if it is complete.
  public func finish() async -> CaptureError? {
    monitor?.cancel()
    await monitor?.value
    return await file.finish()
  }

  /// Connects by the wrapped radio, and captures the link unless the kernel's monitor does.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let bearer = try await base.connect(to: peer, timeout: timeout)
    guard monitor == nil else { return bearer }
    let capture = LinkCapture(connection: nextHandle(), file: file)
    capture.began(with: peer)
    return ObservedBearer(bearer, by: capture)
  }

  /// Connects by the wrapped radio, and captures the channel unless the kernel's monitor does.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let bearer = try await base.connect(to: address, psm: psm, timeout: timeout)
    guard monitor == nil else { return bearer }
    let capture = LinkCapture(
      connection: nextHandle(), file: file, channel: LinkCapture.firstDynamicChannel)
    capture.began(with: PeerAddress(address, .classic))
    return ObservedBearer(bearer, by: capture)
  }

  /// A connection handle for the next link in the file.
  private func nextHandle() -> UInt16 {
    handles.withLock { last in
      last = (last + 1) % Self.handleLimit
      return last
    }
  }
}

internal import CPulse

/// The results of one request to the server: any number of items, then the end.
///
/// libpulse retains the object until the operation is done or cancelled, so it always ends, even
/// when the connection does. It is used only on the loop's thread.
final class PulseOperation {
  private var failure: pa_error_code_t?
  private var hasEnded = false
  private var waiting: CheckedContinuation<Void, Never>?
  private let receiveItem: (UnsafeRawPointer) -> Void

  /// Sends a request with `start`; each item is valid only during the call of `receive`.
  init(
    on context: OpaquePointer, receive: @escaping (UnsafeRawPointer) -> Void = { _ in },
    start: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) {
    receiveItem = receive
    let me = Unmanaged.passRetained(self)
    guard let operation = start(me.toOpaque()) else {
      failure = PulseOperation.error(of: context)
      hasEnded = true
      me.release()
      return
    }
    pulse.pa_operation_set_state_callback(operation, PulseOperation.ended, me.toOpaque())
    pulse.pa_operation_unref(operation)
  }

  /// Waits for the end, and returns the error code; in a cancelled task success is a time-out.
  nonisolated(nonsending) func end() async -> pa_error_code_t? {
    await withCheckedContinuation { continuation in
      // Checked here, because the operation may have ended meanwhile.
      if hasEnded { continuation.resume() } else { waiting = continuation }
    }
    return Task.isCancelled ? failure ?? PA_ERR_TIMEOUT : failure
  }

  /// Receives an item (`end` is 0), the end (positive) or a failure (negative) from a callback.
  static func receive<Item>(
    _ context: OpaquePointer?, _ item: UnsafePointer<Item>?, _ end: Int32,
    _ me: UnsafeMutableRawPointer?
  ) {
    guard let me else { return }
    let operation = Unmanaged<PulseOperation>.fromOpaque(me).takeUnretainedValue()
    if end < 0 { operation.failure = error(of: context) }
    if end == 0, let item { operation.receiveItem(UnsafeRawPointer(item)) }
  }

  static let receiveSuccess: pa_context_success_cb_t = { context, success, me in
    receive(context, nil as UnsafePointer<CChar>?, success == 0 ? -1 : 1, me)
  }

  private static let ended: pa_operation_notify_cb_t = { operation, me in
    let state = pulse.pa_operation_get_state(operation)
    guard let me, state != PA_OPERATION_RUNNING else { return }
    let operation = Unmanaged<PulseOperation>.fromOpaque(me).takeRetainedValue()
    if state == PA_OPERATION_CANCELLED { operation.failure = PA_ERR_CONNECTIONTERMINATED }
    operation.hasEnded = true
    operation.waiting?.resume()
    operation.waiting = nil
  }

  private static func error(of context: OpaquePointer?) -> pa_error_code_t {
    let code = context.map { pulse.pa_context_errno($0) } ?? 0
    return code > 0 ? pa_error_code_t(UInt32(code)) : PA_ERR_UNKNOWN
  }
}

internal import CPulse

/// What the server owes to one request: its items, then an end.
///
/// libpulse keeps it alive until the operation is done or cancelled, so it always ends,
/// also when the connection does. Used on the loop's thread only.
final class PulseAnswer {
  /// Nil: the request succeeded.
  private var failure: pa_error_code_t?
  private var hasEnded = false
  private var waiting: CheckedContinuation<Void, Never>?
  private let take: (UnsafeRawPointer) -> Void

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - take: called with each item, which is valid during the call only.
  ///   - start: makes the request with the given user data; nil: it could not be made.
  init(
    on context: OpaquePointer, take: @escaping (UnsafeRawPointer) -> Void = { _ in },
    start: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) {
    self.take = take
    let me = Unmanaged.passRetained(self)
    guard let operation = start(me.toOpaque()) else {
      failure = PulseAnswer.error(of: context)
      hasEnded = true
      me.release()
      return
    }
    pa_operation_set_state_callback(operation, PulseAnswer.ended, me.toOpaque())
    pa_operation_unref(operation)
  }

  /// Waits for the end of the answer; nil: success.
  nonisolated(nonsending) func end() async -> pa_error_code_t? {
    await withCheckedContinuation { continuation in
      // Not before: the answer may end on the way here.
      if hasEnded { continuation.resume() } else { waiting = continuation }
    }
    return failure
  }

  /// For the callbacks of libpulse: an item (end 0), the end (end above 0), or a failure.
  static func receive<Item>(
    _ context: OpaquePointer?, _ item: UnsafePointer<Item>?, _ end: Int32,
    _ me: UnsafeMutableRawPointer?
  ) {
    guard let me else { return }
    let answer = Unmanaged<PulseAnswer>.fromOpaque(me).takeUnretainedValue()
    if end < 0 { answer.failure = error(of: context) }
    if end == 0, let item { answer.take(UnsafeRawPointer(item)) }
  }

  /// For the callbacks that say only whether it worked.
  static let receiveSuccess: pa_context_success_cb_t = { context, success, me in
    receive(context, nil as UnsafePointer<CChar>?, success == 0 ? -1 : 1, me)
  }

  private static let ended: pa_operation_notify_cb_t = { operation, me in
    let state = pa_operation_get_state(operation)
    guard let me, state != PA_OPERATION_RUNNING else { return }
    let answer = Unmanaged<PulseAnswer>.fromOpaque(me).takeRetainedValue()
    if state == PA_OPERATION_CANCELLED { answer.failure = PA_ERR_CONNECTIONTERMINATED }
    answer.hasEnded = true
    answer.waiting?.resume()
    answer.waiting = nil
  }

  private static func error(of context: OpaquePointer?) -> pa_error_code_t {
    let code = context.map(pa_context_errno) ?? 0
    return code > 0 ? pa_error_code_t(UInt32(code)) : PA_ERR_UNKNOWN
  }
}

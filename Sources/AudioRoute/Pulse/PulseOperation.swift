internal import CPulse

/// The results of one request to the server: any number of items, then the end.
///
/// libpulse keeps it alive until the operation is done or cancelled, so it always ends, also when
/// the connection does. It is used on the loop's thread only.
///
/// ```swift
/// var names: [String] = []
/// let operation = PulseOperation(on: context) {
///   names.append(text($0.load(as: pa_sink_info.self).name))
/// } start: {
///   pa_context_get_sink_info_list(context, { PulseOperation.receive($0, $1, $2, $3) }, $0)
/// }
/// if let code = await operation.end() { throw AudioError(code, about: "sinks") }
/// ```
final class PulseOperation {
  /// The error code; `nil` as long as nothing failed.
  private var failure: pa_error_code_t?
  private var hasEnded = false
  private var waiting: CheckedContinuation<Void, Never>?
  private let receiveItem: (UnsafeRawPointer) -> Void

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - context: the connection that carries it, of which the error code is read.
  ///   - receive: called with each item, which is valid during the call only.
  ///   - start: makes the request with the given user data; `nil` if it could not be made.
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

  /// Waits for the end of the operation.
  ///
  /// - Returns: the error code; `nil` after success. A command that was given up sends no further
  ///   request after a late response.
  nonisolated(nonsending) func end() async -> pa_error_code_t? {
    await withCheckedContinuation { continuation in
      // Checked here, since the operation may have ended meanwhile.
      if hasEnded { continuation.resume() } else { waiting = continuation }
    }
    return Task.isCancelled ? failure ?? PA_ERR_TIMEOUT : failure
  }

  /// The body of libpulse's callbacks that deliver items.
  ///
  /// - Parameters:
  ///   - context: the connection, which has the error code.
  ///   - item: one item, valid during the call; null with the end.
  ///   - end: 0 with an item, positive after the last one, negative after a failure.
  ///   - me: the operation, unretained.
  static func receive<Item>(
    _ context: OpaquePointer?, _ item: UnsafePointer<Item>?, _ end: Int32,
    _ me: UnsafeMutableRawPointer?
  ) {
    guard let me else { return }
    let operation = Unmanaged<PulseOperation>.fromOpaque(me).takeUnretainedValue()
    if end < 0 { operation.failure = error(of: context) }
    if end == 0, let item { operation.receiveItem(UnsafeRawPointer(item)) }
  }

  /// The callback of requests that report only whether they succeeded.
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

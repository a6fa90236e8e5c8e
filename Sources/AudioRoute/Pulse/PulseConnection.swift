internal import CPulse

/// One connection to the server, from the attempt to its end.
///
/// It is used, closed and released on the loop's thread only, as part of the actor that owns it.
final class PulseConnection {
  /// Signalled when the state, the default sink, a sink or a card may have changed.
  let bell = WakeupEvent()
  /// The `pa_context`, of which this object has a reference.
  let context: OpaquePointer
  private var isSubscribed = false

  /// The part of `pa_context_get_state` that a client has to distinguish.
  enum State {
    /// The connection is being made and authenticated.
    case connecting
    /// Requests can be sent.
    case ready
    /// The connection has failed or was closed, with the error of libpulse.
    case ended(pa_error_code_t)
  }

  /// Starts to connect.
  ///
  /// - Parameters:
  ///   - server: in the form of `PULSE_SERVER`; `nil` lets libpulse find it.
  ///   - applicationName: as the server's other clients see this one.
  ///   - loop: the thread on which libpulse calls back.
  /// - Returns: `nil` without memory; any other failure becomes the ``state``.
  init?(to server: String?, as applicationName: String, on loop: PulseLoop) {
    guard let context = pulse.pa_context_new(loop.api, applicationName) else { return nil }
    self.context = context
    pulse.pa_context_set_state_callback(
      context, { _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    // A failure is the context's state as well.
    _ = pulse.pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
    bell.ring()
  }

  /// Closes the connection; pending requests end with `PA_ERR_CONNECTIONTERMINATED`.
  func close() {
    pulse.pa_context_set_state_callback(context, nil, nil)
    pulse.pa_context_set_subscribe_callback(context, nil, nil)
    pulse.pa_context_disconnect(context)
  }

  // A command that resumes after the close still finds the context, which then refuses it.
  deinit { pulse.pa_context_unref(context) }

  /// The connection's current state.
  var state: State {
    switch pulse.pa_context_get_state(context) {
    case PA_CONTEXT_READY: .ready
    case PA_CONTEXT_FAILED:
      .ended(pa_error_code_t(UInt32(max(0, pulse.pa_context_errno(context)))))
    case PA_CONTEXT_TERMINATED: .ended(PA_ERR_CONNECTIONTERMINATED)
    default: .connecting
    }
  }

  /// Subscribes to changes of the server, its sinks and its cards; further calls do nothing.
  func subscribe() {
    guard !isSubscribed else { return }
    isSubscribed = true
    pulse.pa_context_set_subscribe_callback(
      context, { _, _, _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    let what =
      PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      | PA_SUBSCRIPTION_MASK_CARD.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
      | PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT.rawValue
    _ = PulseOperation(on: context) { me in
      pulse.pa_context_subscribe(
        context, pa_subscription_mask_t(what), PulseOperation.receiveSuccess, me)
    }
  }
}

internal import CPulse

/// One connection to the server, from the attempt to its end; used only on the loop's thread.
final class PulseConnection {
  /// Signals that the state, the default sink, a sink, a card or a stream may have changed.
  let bell = WakeupEvent()
  let context: OpaquePointer
  private var isSubscribed = false

  enum State {
    case connecting
    case ready
    case ended(pa_error_code_t)
  }

  /// Starts to connect; fails only without memory, as other failures become the `state`.
  init?(to server: String?, as applicationName: String, on loop: PulseLoop) {
    guard let context = pulse.pa_context_new(loop.api, applicationName) else { return nil }
    self.context = context
    pulse.pa_context_set_state_callback(
      context, { _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    _ = pulse.pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
    bell.ring()
  }

  func close() {
    pulse.pa_context_set_state_callback(context, nil, nil)
    pulse.pa_context_set_subscribe_callback(context, nil, nil)
    pulse.pa_context_disconnect(context)
  }

  // A command that resumes after the close still finds the context, which then rejects it.
  deinit { pulse.pa_context_unref(context) }

  var state: State {
    switch pulse.pa_context_get_state(context) {
    case PA_CONTEXT_READY: .ready
    case PA_CONTEXT_FAILED:
      .ended(pa_error_code_t(UInt32(max(0, pulse.pa_context_errno(context)))))
    case PA_CONTEXT_TERMINATED: .ended(PA_ERR_CONNECTIONTERMINATED)
    default: .connecting
    }
  }

  func subscribe() {
    guard !isSubscribed else { return }
    isSubscribed = true
    pulse.pa_context_set_subscribe_callback(
      context, { _, _, _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    let what =
      PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      | PA_SUBSCRIPTION_MASK_CARD.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
      | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT.rawValue
    _ = PulseOperation(on: context) { me in
      pulse.pa_context_subscribe(
        context, pa_subscription_mask_t(what), PulseOperation.receiveSuccess, me)
    }
  }
}

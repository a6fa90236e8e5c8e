internal import CPulse

/// One connection to the server, from the attempt to its end.
///
/// Used, closed and let go on the loop's thread only, as part of the actor that has it.
final class PulseConnection {
  /// Rung when the state, the route, a sink or a card may have changed.
  let bell = WakeupEvent()
  let context: OpaquePointer
  private var isSubscribed = false

  enum State {
    case connecting
    case ready
    case ended(pa_error_code_t)
  }

  /// Begins to connect; nil: no memory.
  ///
  /// - Parameter server: as `PULSE_SERVER` has it; nil: where libpulse finds it.
  init?(to server: String?, as applicationName: String, on loop: PulseLoop) {
    guard let context = pa_context_new(loop.api, applicationName) else { return nil }
    self.context = context
    pa_context_set_state_callback(context, { _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    // A failure is the context's state as well.
    _ = pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
    bell.ring()
  }

  /// Ends it, and with it what is still asked.
  func close() {
    pa_context_set_state_callback(context, nil, nil)
    pa_context_set_subscribe_callback(context, nil, nil)
    pa_context_disconnect(context)
  }

  // A command that resumes after the close still finds the context, which then refuses it.
  deinit { pa_context_unref(context) }

  var state: State {
    switch pa_context_get_state(context) {
    case PA_CONTEXT_READY: .ready
    case PA_CONTEXT_FAILED:
      .ended(pa_error_code_t(UInt32(max(0, pa_context_errno(context)))))
    case PA_CONTEXT_TERMINATED: .ended(PA_ERR_CONNECTIONTERMINATED)
    default: .connecting
    }
  }

  /// Has the bell rung from now on when the server changes; once is enough.
  func subscribe() {
    guard !isSubscribed else { return }
    isSubscribed = true
    pa_context_set_subscribe_callback(
      context, { _, _, _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    let what =
      PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      | PA_SUBSCRIPTION_MASK_CARD.rawValue
    _ = PulseAnswer(on: context) { me in
      pa_context_subscribe(
        context, pa_subscription_mask_t(what), PulseAnswer.receiveSuccess, me)
    }
  }
}

internal import CPulse

extension AudioUnavailable {
  /// Creates the reason; a refused connection after a successful one means that the server ended.
  init(_ code: pa_error_code_t, hasRun: Bool) {
    self =
      switch code {
      case PA_ERR_CONNECTIONREFUSED: hasRun ? .serverEnded : .noServer
      case PA_ERR_CONNECTIONTERMINATED, PA_ERR_KILLED: .serverEnded
      // A request on a context whose end has not been reported yet.
      case PA_ERR_BADSTATE where hasRun: .serverEnded
      case PA_ERR_ACCESS, PA_ERR_AUTHKEY: .accessDenied
      case PA_ERR_TIMEOUT: .unresponsive
      default: .failed(displayText(for: code))
      }
  }
}

extension AudioError {
  init(_ code: pa_error_code_t, about name: String) {
    self =
      switch code {
      case PA_ERR_NOENTITY: .notFound(name)
      case PA_ERR_CONNECTIONTERMINATED, PA_ERR_KILLED, PA_ERR_BADSTATE: .unavailable(.serverEnded)
      case PA_ERR_TIMEOUT: .unavailable(.unresponsive)
      default: .refused(displayText(for: code))
      }
  }
}

private func displayText(for code: pa_error_code_t) -> String {
  pulse.pa_strerror(Int32(code.rawValue)).map { String(cString: $0) } ?? "error \(code.rawValue)"
}

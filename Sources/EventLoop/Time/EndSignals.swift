internal import CPoll
internal import Glibc
internal import Locking

/// The signals that ask a process without a terminal to end: SIGTERM, SIGINT and SIGHUP.
///
/// After cleaning up, the program ends by the signal, so that its parent sees the cause; see
/// ``raise()``.
package enum EndSignals {
  /// The signal that the process should end by, or 0 if there is none.
  private static let cause = Atomic<Int32>(0)

  /// The signal that the process should end by, or nil if there is none.
  package static var received: Int32? {
    let number = cause.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Records the signal that the process should end by, unless there is one already.
  package static func end(by number: Int32) {
    _ = cause.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Waits for the first of the signals, on the main thread, which alone does not block them.
  ///
  /// While this waits, the signals do not end the process; a second one does, at once. Ignored
  /// signals (nohup) stay ignored.
  @MainActor
  package static func next() async {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    let descriptor = signalfd(-1, &signals, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
    guard descriptor >= 0 else { return }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer {
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      PollLoop.shared.close(descriptor)
    }
    guard (try? await PollLoop.shared.readable(descriptor)) != nil else { return }
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor, &information, size) == size else { return }
    end(by: Int32(information.ssi_signo))
  }

  /// Ends the process with the ``received`` signal, or returns if there was none.
  package static func raise() {
    guard let number = received else { return }
    signal(number, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    kill(getpid(), number)
    exit(128 + number)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

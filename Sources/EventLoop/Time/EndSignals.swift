internal import CPoll
internal import Glibc
internal import Locking

/// The signals that ask a process without a terminal to end: SIGTERM, SIGINT and SIGHUP (signalfd(2)).
///
/// A program that ends in order afterwards still ends by the signal, so that its parent sees the true
/// cause: see ``raise()``.
public enum EndSignals {
  /// The signal by which the process is to end; 0: none.
  private static let cause = Atomic<Int32>(0)

  /// The signal by which the process is to end; nil: none.
  public static var received: Int32? {
    let number = cause.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Remembers the first cause of the end.
  public static func end(by number: Int32) {
    _ = cause.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Waits for the first of the signals.
  ///
  /// From now on they do not end the process; a second one does, at once. It must be called on the main
  /// thread, the only one that does not block signals. What was ignored (nohup) stays ignored.
  @MainActor
  public static func next() async {
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

  /// Ends the process by the signal that was ``received``; returns if there was none.
  public static func raise() {
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

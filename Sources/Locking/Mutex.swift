/// `Synchronization`, whose lock is exchanged for another one in a build for ThreadSanitizer.
///
/// Every other file imports this module, so that a race detector sees all of the locks. An ordinary build
/// gets `Synchronization.Mutex` itself, and nothing of this module is left in it.
@_exported public import Synchronization

#if THREAD_SANITIZER
  import Glibc

  /// A mutual exclusion lock on a POSIX mutex.
  ///
  /// On Linux a contended `Synchronization.Mutex` is handed over by the kernel (a futex with priority
  /// inheritance), in code that is not instrumented. ThreadSanitizer therefore reports each value that two
  /// threads take turns with as a race. It knows POSIX mutexes. The interface is that of
  /// `Synchronization.Mutex`.
  // Safe to share: the value is only reached while the POSIX mutex is held, and both are allocated once.
  public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates an unlocked lock that protects a value.
    ///
    /// - Parameter initialValue: the value, which nothing else may refer to.
    public init(_ initialValue: consuming sending Value) {
      handle = .allocate(capacity: 1)
      handle.initialize(to: pthread_mutex_t())
      pthread_mutex_init(handle, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      pthread_mutex_destroy(handle)
      handle.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    /// Runs a closure while it alone has the value.
    ///
    /// - Parameter body: what is done with the value; it must not take the same lock.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
      return try body(&value.pointee)
    }
  }
#endif

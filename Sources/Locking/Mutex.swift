public import Glibc
/// Atomics; its `Mutex` is replaced by the one below.
@_exported public import Synchronization

/// A mutual exclusion lock on a POSIX mutex, with the interface of `Synchronization.Mutex`.
///
/// That one is not used, for two reasons on Linux with Swift 6.3:
///
/// - It stores the thread's number, which is in a thread-local variable. Optimised asynchronous code may
///   compute that variable's address before a suspension, and lock or unlock for the thread that the task
///   has left ([llvm-project#63022](https://github.com/llvm/llvm-project/issues/63022)). `unlock()` then
///   traps.
/// - A contended one is handed over by the kernel (a futex with priority inheritance), which
///   ThreadSanitizer does not see.
// Safe to share: the value is only reached while the POSIX mutex is held, and both are allocated once.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let handle: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked lock that protects a value.
  ///
  /// - Parameter initialValue: the value, which nothing else may refer to.
  @inlinable
  public init(_ initialValue: consuming sending Value) {
    handle = .allocate(capacity: 1)
    handle.initialize(to: pthread_mutex_t())
    pthread_mutex_init(handle, nil)
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
  }

  @inlinable
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
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    return try body(&value.pointee)
  }
}

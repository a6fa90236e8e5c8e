public import Glibc
/// Re-exports the atomics; the type below replaces `Synchronization.Mutex`.
@_exported public import Synchronization

/// A mutual exclusion lock on a POSIX mutex, with the interface of `Synchronization.Mutex`.
///
/// The latter has two problems on Linux with Swift 6.3:
///
/// - It stores the thread's number from a thread-local variable. Optimised asynchronous code may
///   compute that variable's address before a suspension, and then lock or unlock for the thread
///   that the task has left, so that `unlock()` traps
///   ([llvm-project#63022](https://github.com/llvm/llvm-project/issues/63022)).
/// - The kernel hands over a contended lock (a futex with priority inheritance), which
///   ThreadSanitizer does not see.
// Safe to share: the value is only accessed while the mutex is held, and both are allocated once.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let handle: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked mutex that protects a value, to which nothing else may refer.
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

  /// Runs a closure with exclusive access to the value; the closure must not take the same lock.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    return try body(&value.pointee)
  }
}

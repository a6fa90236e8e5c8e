internal import CBluetooth
internal import Glibc

extension ProcessRights {
  /// Gives up what this program never needs (docs/security.md).
  ///
  /// What remains are the capabilities of ``Capability``, for as long as the program runs: a scan
  /// can be requested at any time, an adapter can be plugged in again, and the kernel checks them at
  /// each command. Programs that this one starts inherit none, whatever granted them. Core dumps,
  /// which would contain the keys of headphones, are not written.
  ///
  /// Call it before there is a second thread: capabilities belong to threads. Root keeps its own,
  /// because its files belong to others.
  public static func restrict() {
    let mask = Capability.allCases.reduce(UInt64(0)) { $0 | 1 << $1.rawValue }
    // A failure leaves the rights that a user or a service granted.
    _ = CBluetooth_keep_capabilities(geteuid() == 0 ? .max : mask)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}

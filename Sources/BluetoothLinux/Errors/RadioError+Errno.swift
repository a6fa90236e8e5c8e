internal import Bluetooth
internal import Glibc

extension RadioError {
  /// The meaning of an errno for an operation on an adapter.
  ///
  /// - Parameters:
  ///   - code: the kernel's errno.
  ///   - operation: what was attempted, for the message.
  ///   - adapter: the name of the adapter, if the operation is on one.
  ///   - capability: the capability that the kernel requires for it.
  init(
    errno code: Int32, during operation: String, adapter: String = "hci",
    capability: String = "CAP_NET_RAW"
  ) {
    self =
      switch code {
      // A kernel without Bluetooth, or a network namespace that is not the machine's own.
      case EAFNOSUPPORT, EPROTONOSUPPORT: .noAdapter
      // The adapter was unplugged while its socket was open.
      case ENODEV, EPIPE: .noAdapter
      case EPERM, EACCES: .notPermitted(operation: operation, capability: capability)
      case ENETDOWN: .poweredOff(adapter: adapter)
      case ERFKILL: .blocked(adapter: adapter)
      case EBUSY, EALREADY: .busy("another program holds the Bluetooth adapter \(adapter)")
      default: .system(errno: code, during: operation)
      }
  }

  /// The meaning of an errno for a connection to a headphone.
  ///
  /// The kernel maps HCI reasons to errors (bt_to_errno):
  ///
  /// | HCI reason | errno | error |
  /// | --- | --- | --- |
  /// | another socket connects or is connected | EBUSY, EALREADY, EINPROGRESS | `busy` |
  /// | 0x09, 0x0A | EMLINK | `noRoom` |
  /// | 0x0D to 0x0F, 0x13 to 0x15 | ECONNREFUSED, ECONNRESET | `refused` |
  /// | 0x05, 0x18 | EACCES | `refused` |
  /// | 0x04, 0x08, 0x10 | EHOSTDOWN, ETIMEDOUT | `timedOut` |
  /// | 0x3E, not mapped | ENOSYS | `timedOut` |
  ///
  /// EHOSTUNREACH, which means that there is no adapter, is left to the caller, which knows the
  /// adapters.
  init(connecting code: Int32) {
    self =
      switch code {
      case EBUSY, EALREADY, EINPROGRESS:
        .busy("another program holds the link to this headphone")
      // 0x09, 0x0A.
      case EMLINK: .noRoom
      // 0x0D to 0x0F, 0x13 to 0x15, 0x05 and 0x18.
      case ECONNREFUSED, ECONNRESET, EACCES: .refused
      // 0x04, 0x08 and 0x10; ENOSYS is what is not mapped: 0x3E, "failed to be established".
      case EHOSTDOWN, ETIMEDOUT, ENOSYS: .timedOut
      default: .init(errno: code, during: "connect")
      }
  }
}

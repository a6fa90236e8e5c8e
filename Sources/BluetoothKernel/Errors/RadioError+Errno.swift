internal import BluetoothRadio
internal import Glibc

extension RadioError {
  /// Creates the error for an errno of an operation that requires `capability`.
  init(
    errno code: Int32, during operation: String, adapter: String = "hci",
    capability: String = "CAP_NET_RAW"
  ) {
    self =
      switch code {
      // A kernel without Bluetooth, or a network namespace other than the machine's own.
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

  /// Creates the error for an errno of a connection to a headphone.
  ///
  /// The kernel maps HCI reasons to errno values (bt_to_errno):
  ///
  /// | HCI reason | errno |
  /// | --- | --- |
  /// | another socket connects or is connected | EBUSY, EALREADY, EINPROGRESS |
  /// | 0x09, 0x0A | EMLINK |
  /// | 0x0D to 0x0F, 0x13 to 0x15; 0x05, 0x18 | ECONNREFUSED, ECONNRESET; EACCES |
  /// | 0x04, 0x08, 0x10 | EHOSTDOWN, ETIMEDOUT |
  /// | 0x3E ("failed to be established"), not mapped | ENOSYS |
  ///
  /// The caller handles EHOSTUNREACH, which means that there is no adapter.
  init(connecting code: Int32) {
    self =
      switch code {
      case EBUSY, EALREADY, EINPROGRESS:
        .busy("another program holds the link to this headphone")
      case EMLINK: .noRoom
      case ECONNREFUSED, ECONNRESET, EACCES: .refused
      case EHOSTDOWN, ETIMEDOUT, ENOSYS: .timedOut
      default: .init(errno: code, during: "connect")
      }
  }
}

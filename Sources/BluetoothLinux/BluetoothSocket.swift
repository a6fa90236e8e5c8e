internal import CBluetooth
internal import Glibc

/// Whether this kernel has Bluetooth at all.
public func kernelHasBluetooth() -> Bool {
  let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue), BTPROTO_HCI)
  guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
  close(descriptor)
  return true
}

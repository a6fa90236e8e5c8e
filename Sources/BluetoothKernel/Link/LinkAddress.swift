internal import BluetoothCodec
internal import CBluetooth
internal import Glibc

extension sockaddr_l2 {
  private static let attributeChannel: UInt16 = 0x0004

  init(_ peer: PeerAddress) {
    let kind = peer.kind == .random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC
    self.init(
      l2_family: sa_family_t(AF_BLUETOOTH), l2_psm: 0, l2_bdaddr: bdaddr_t(peer.address),
      l2_cid: Self.attributeChannel, l2_bdaddr_type: UInt8(kind))
  }
}

extension sockaddr_l2 {
  /// Creates the address of a BR/EDR channel, or of a local end if there is no PSM.
  init(classic address: BluetoothAddress, psm: UInt16 = 0) {
    self.init(
      l2_family: sa_family_t(AF_BLUETOOTH), l2_psm: psm.littleEndian,
      l2_bdaddr: bdaddr_t(address), l2_cid: 0, l2_bdaddr_type: UInt8(BDADDR_BREDR))
  }
}

extension sockaddr_rc {
  /// Creates the address of an RFCOMM channel, or of a local end if there is no channel.
  init(_ address: BluetoothAddress, _ channel: UInt8 = 0) {
    self.init(
      rc_family: sa_family_t(AF_BLUETOOTH), rc_bdaddr: bdaddr_t(address),
      rc_channel: channel)
  }
}

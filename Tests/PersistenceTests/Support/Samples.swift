import BluetoothCodec
import Companion
import Persistence
import TestSupport

extension TemporaryFolder {
  var state: StateFolder { StateFolder(path: path) }
}

let earPeer = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)

let ear = HeadphoneID(rawValue: "f0f1f2f3f4f5")

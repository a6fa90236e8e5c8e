import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Locking

/// Bonds in memory, as a phone keeps them.
final class PhoneBonds: BondStore {
  private let kept = Mutex<[Bond]>([])

  var cachedBonds: [Bond] { kept.withLock { $0 } }
  func bonds() -> [Bond] { cachedBonds }
  func flush() {}

  func keep(_ key: BondKey, of adapter: BluetoothAddress) {
    var bond = Bond(adapter: adapter, identity: key.identity)
    bond.add(key)
    kept.withLock { $0.append(bond) }
  }

  func drop(_ identity: PeerAddress) {
    kept.withLock { $0.removeAll { $0.identity == identity } }
  }
}

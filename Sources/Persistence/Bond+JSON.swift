internal import BluetoothCodec
internal import HeadphoneProtocols
internal import JSON

extension Bond {
  /// The bond as stored in the file, with keys as hexadecimal digits.
  ///
  /// ```json
  /// {
  ///   "adapter": "00:1A:7D:DA:71:13", "address": "C0:FF:EE:00:00:01", "addressType": "random",
  ///   "longTermKeys": [
  ///     {
  ///       "kind": 2, "central": 0, "encryptionSize": 16, "encryptedDiversifier": 0,
  ///       "random": "0000000000000000", "key": "00112233445566778899aabbccddeeff"
  ///     }
  ///   ],
  ///   "identityResolvingKey": null, "linkKey": null
  /// }
  /// ```
  var json: JSON {
    [
      "adapter": .string(adapter.description), "address": .string(identity.address.description),
      "addressType": .string(identity.kind == .public ? "public" : "random"),
      "longTermKeys": .array(longTermKeys.map(\.json)),
      "identityResolvingKey": JSON(identityResolvingKey?.digits), "linkKey": JSON(linkKey, \.json),
    ]
  }

  /// Decodes a bond; fails unless all of its parts are valid.
  ///
  /// Other programs may have written the file, so ranges are checked, too: the address must be an
  /// identity address, key sizes and roles must be in their ranges, and keys must have 32 digits.
  init?(json: JSON) {
    guard let adapter = json["adapter"]?.text.flatMap(BluetoothAddress.init(_:)),
      let address = json["address"]?.text.flatMap(BluetoothAddress.init(_:)),
      let kind = json["addressType"]?.text, ["public", "random"].contains(kind),
      let keys = json["longTermKeys"]?.elements
    else { return nil }
    self.init(
      adapter: adapter, identity: PeerAddress(address, kind == "public" ? .public : .random))
    guard identity.isIdentity else { return nil }
    for key in keys {
      guard let key = LongTermKey(json: key, of: identity) else { return nil }
      longTermKeys.append(key)
    }
    if let digits = json["identityResolvingKey"]?.text {
      guard let key = SecretKey(digits: digits) else { return nil }
      identityResolvingKey = key
    }
    if let link = json["linkKey"], link != .null {
      guard let key = LinkKey(json: link, of: address) else { return nil }
      linkKey = key
    }
  }
}

extension LongTermKey {
  fileprivate var json: JSON {
    [
      "kind": .integer(Int64(kind.rawValue)), "central": .integer(Int64(central)),
      "encryptionSize": .integer(Int64(encryptionSize)),
      "encryptedDiversifier": .integer(Int64(encryptedDiversifier)),
      // JSON numbers hold only 53 bits without loss.
      "random": .string(hexadecimal(random, width: 16).lowercased()), "key": .string(key.digits),
    ]
  }

  fileprivate init?(json: JSON, of peer: PeerAddress) {
    guard let kind = json["kind"]?.octet, let central = json["central"]?.octet, central <= 1,
      let size = json["encryptionSize"]?.octet, (7...16).contains(size),
      let diversifier = json["encryptedDiversifier"]?.wholeNumber.flatMap(UInt16.init(exactly:)),
      let random = json["random"]?.text.flatMap({ UInt64($0, radix: 16) }),
      let key = json["key"]?.text.flatMap(SecretKey.init(digits:))
    else { return nil }
    self.init(
      peer: ManagementPeer(peer), kind: Kind(rawValue: kind), central: central,
      encryptionSize: size, encryptedDiversifier: diversifier, random: random, key: key)
  }
}

extension LinkKey {
  fileprivate var json: JSON {
    [
      "kind": .integer(Int64(kind)), "pinLength": .integer(Int64(pinLength)),
      "key": .string(key.digits),
    ]
  }

  fileprivate init?(json: JSON, of address: BluetoothAddress) {
    guard let kind = json["kind"]?.octet, let length = json["pinLength"]?.octet, length <= 16,
      let key = json["key"]?.text.flatMap(SecretKey.init(digits:))
    else { return nil }
    self.init(
      peer: ManagementPeer(address, .brEdr), kind: kind, key: key, pinLength: length)
  }
}

extension JSON {
  fileprivate var octet: UInt8? { wholeNumber.flatMap(UInt8.init(exactly:)) }
}

extension SecretKey {
  /// The 32 hexadecimal digits, in the byte order of the kernel's management interface.
  fileprivate var digits: String { keyDigits(bytes) }

  fileprivate init?(digits: String) {
    guard let bytes = keyBytes(digits) else { return nil }
    self.init(bytes)
  }
}

extension SetKey {
  /// The 32 hexadecimal digits, least significant byte first.
  var digits: String { keyDigits(bytes) }

  init?(digits: String) {
    guard let bytes = keyBytes(digits) else { return nil }
    self.init(bytes)
  }
}

private func keyDigits(_ bytes: [UInt8]) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined().lowercased()
}

private func keyBytes(_ digits: String) -> Bytes? {
  let nibbles = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
  guard digits.utf8.count == 32, nibbles.count == 32 else { return nil }
  return stride(from: 0, to: 32, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }[...]
}

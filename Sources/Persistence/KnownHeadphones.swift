public import Companion
internal import Headphones
internal import JSON

/// The headphones of earlier runs, in a file.
///
/// Other processes may write it too: each change reads it anew.
public struct KnownHeadphones: Sendable {
  /// Where the files are.
  public let folder: StateFolder
  /// What the names of the files begin with.
  let prefix: String

  /// Virtual headphones have files of their own, those of each showroom others: who is not there
  /// must not be looked for.
  ///
  /// - Parameter showroom: "virtual", for example; nil: they are on the air.
  public init(in folder: StateFolder, environment: String? = nil) {
    self.folder = folder
    prefix = environment.map { "\($0)-" } ?? ""
  }

  private var devices: ListFile {
    ListFile(file: folder.file("\(prefix)devices.json"), key: "devices", subject: "headphones")
  }

  /// All that are kept, the one used last first.
  public func all() throws(FileError) -> [KnownHeadphone] {
    try devices.items().compactMap(KnownHeadphone.init(json:)).sorted {
      ($0.lastUsed?.milliseconds ?? .min) > ($1.lastUsed?.milliseconds ?? .min)
    }
  }

  /// Keeps a headphone, in the place of what was kept of it.
  ///
  /// Which sound device it is stays: another process may have been told since this one began.
  public func remember(_ headphone: KnownHeadphone) throws(FileError) {
    try change { all in
      var headphone = headphone
      if let kept = all.first(where: { $0.id == headphone.id }) {
        headphone.soundPin = kept.soundPin
      }
      all = all.filter { $0.id != headphone.id } + [headphone]
    }
  }

  /// Keeps which sound device a headphone is, or that none is pinned.
  public func keepSoundPin(of headphone: KnownHeadphone) throws(FileError) {
    try change { all in
      var kept = all.first { $0.id == headphone.id } ?? headphone
      kept.soundPin = headphone.soundPin
      all = all.filter { $0.id != headphone.id } + [kept]
    }
  }

  /// Drops all that is kept of a headphone.
  public func forget(_ id: HeadphoneID) throws(FileError) {
    try dropCache(of: id)
    try dropUpdate(of: id)
    try change { $0.removeAll { $0.id == id } }
  }

  private func change(_ body: (inout [KnownHeadphone]) -> Void) throws(FileError) {
    try devices.file.withLock { () throws(FileError) in
      let before = try all()
      var all = before
      body(&all)
      if all != before { try devices.write(all.map(\.json)) }
    }
  }
}

extension KnownHeadphone {
  fileprivate var json: JSON {
    [
      "id": .string(id.rawValue), "name": .string(name), "address": .string(address.text),
      "addressType": .string(address.kind.rawValue), "publicAddress": JSON(publicAddress),
      "bondAddress": JSON(bondAddress?.text),
      "bondAddressType": JSON(bondAddress?.kind.rawValue),
      "manufacturer": JSON(serial?.manufacturer), "model": JSON(serial?.model),
      "serial": JSON(serial?.number), "lastUsed": JSON(lastUsed?.milliseconds),
      "soundPin": JSON(soundPin?.text), "setKey": JSON(setKey?.digits),
      "members": .array(
        memberAddresses.map {
          ["address": .string($0.text), "addressType": .string($0.kind.rawValue)]
        }
      ),
    ]
  }

  /// Nil if what makes a headphone is missing.
  fileprivate init?(json: JSON) {
    guard let id = json["id"]?.text, let address = json.address("address") else { return nil }
    self.init(
      id: HeadphoneID(rawValue: id), name: json["name"]?.text ?? "", address: address,
      publicAddress: json["publicAddress"]?.text, bondAddress: json.address("bondAddress"),
      serial: json["serial"]?.text.map {
        SerialNumber(
          manufacturer: json["manufacturer"]?.text, model: json["model"]?.text, number: $0)
      },
      lastUsed: json["lastUsed"]?.wholeNumber.map { Timestamp(milliseconds: $0) },
      soundPin: json["soundPin"]?.text.map { SoundDevice.ID($0) },
      setKey: json["setKey"]?.text.flatMap(SetKey.init(digits:)),
      memberAddresses: json["members"]?.elements?.compactMap { $0.address("address") } ?? [])
  }
}

extension JSON {
  /// The address under `key`, whose kind is under the key that ends in "Type".
  fileprivate func address(_ key: String) -> AirAddress? {
    guard let text = self[key]?.text,
      let kind = self["\(key)Type"]?.text.flatMap(AirAddress.Kind.init(rawValue:))
    else { return nil }
    return AirAddress(text, kind)
  }
}

public import Companion
internal import Headphones

/// The headphones of earlier runs, in a file.
///
/// Other processes may write it too: each change reads it anew.
public struct KnownHeadphones: Sendable {
  private static let version: Int64 = 1
  let folder: StateFolder
  /// What the names of the files begin with.
  let prefix: String

  /// Virtual headphones have files of their own, those of each showroom others: who is not there must
  /// not be looked for.
  ///
  /// - Parameter showroom: "virtual", for example; nil: they are on the air.
  public init(in folder: StateFolder, showroom: String? = nil) {
    self.folder = folder
    prefix = showroom.map { "\($0)-" } ?? ""
  }

  private var file: PrivateFile { folder.file("\(prefix)devices.json") }

  /// All that are kept, the one used last first.
  public func all() throws(FileError) -> [KnownHeadphone] {
    guard let bytes = try file.read() else { return [] }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .malformed(path: file.path, reason: error.description)
    }
    guard json["version"]?.wholeNumber == Self.version, let items = json["devices"]?.elements else {
      throw .malformed(
        path: file.path, reason: "not a list of headphones of version \(Self.version)")
    }
    return items.compactMap(KnownHeadphone.init(json:)).sorted {
      ($0.lastUsed?.milliseconds ?? .min) > ($1.lastUsed?.milliseconds ?? .min)
    }
  }

  /// Keeps a headphone, in the place of what was kept of it.
  ///
  /// Which sound device it is stays: another process may have been told since this one began.
  public func remember(_ headphone: KnownHeadphone) throws(FileError) {
    let all = try all()
    var headphone = headphone
    if let kept = all.first(where: { $0.id == headphone.id }) { headphone.soundPin = kept.soundPin }
    try write(all.filter { $0.id != headphone.id } + [headphone])
  }

  /// Keeps which sound device a headphone is, or that none is pinned.
  public func keepSoundPin(of headphone: KnownHeadphone) throws(FileError) {
    let all = try all()
    var kept = all.first { $0.id == headphone.id } ?? headphone
    kept.soundPin = headphone.soundPin
    try write(all.filter { $0.id != headphone.id } + [kept])
  }

  /// Drops all that is kept of a headphone.
  public func forget(_ id: HeadphoneID) throws(FileError) {
    try dropCache(of: id)
    try dropUpdate(of: id)
    let kept = try all()
    guard kept.contains(where: { $0.id == id }) else { return }
    try write(kept.filter { $0.id != id })
  }

  private func write(_ headphones: [KnownHeadphone]) throws(FileError) {
    let json: JSON = [
      "version": .integer(Self.version), "devices": .array(headphones.map(\.json)),
    ]
    try file.replace(with: Array("\(json)\n".utf8))
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
      lastUsed: json["lastUsed"]?.wholeNumber.map { Moment(milliseconds: $0) },
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

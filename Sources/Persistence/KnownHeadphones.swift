internal import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
internal import JSON

/// The headphones of earlier runs: a list, and files for services, charges and firmware updates.
///
/// Other processes change the list, too, so each change reads it again under a lock. A change that
/// fails leaves its file unchanged. The calls block on the disk: an app with a screen or a link
/// makes them on ``/EventLoop/FileIO``.
package struct KnownHeadphones: Sendable {
  package let folder: StateFolder
  let prefix: String

  /// Creates a store in a folder, which need not exist; opens nothing yet.
  ///
  /// A simulated environment has its own files, so that virtual headphones are never searched for
  /// on the air. For real headphones it is nil.
  package init(in folder: StateFolder, environment: String? = nil) {
    self.folder = folder
    prefix = environment.map { "\($0)-" } ?? ""
  }

  var devices: ListFile {
    ListFile(file: folder.file("\(prefix)devices.json"), key: "devices", subject: "headphones")
  }

  /// Returns all headphones, the most recently used first, without invalid entries.
  package func all() throws(FileError) -> [KnownHeadphone] {
    try devices.items().compactMap(KnownHeadphone.init(json:)).sorted {
      ($0.lastUsed?.milliseconds ?? .min) > ($1.lastUsed?.milliseconds ?? .min)
    }
  }

  /// Stores a headphone, but keeps the parts that another process may have changed.
  package func remember(_ headphone: KnownHeadphone) throws(FileError) {
    try change { all in
      var headphone = headphone
      if let kept = all.first(where: { $0.id == headphone.id }) {
        for part in [.soundPin, .correction, .confirmedSettings] as [KnownHeadphone.Part] {
          headphone.replace(part, from: kept)
        }
      }
      all = all.filter { $0.id != headphone.id } + [headphone]
    }
  }

  package func keep(
    _ part: KnownHeadphone.Part, of headphone: KnownHeadphone
  ) throws(FileError) {
    try change { all in
      if let index = all.firstIndex(where: { $0.id == headphone.id }) {
        all[index].replace(part, from: headphone)
      } else if part != .sightings {
        // A headphone does not become known just because it was heard.
        all.append(headphone)
      }
    }
  }

  package func forget(_ id: HeadphoneID) throws(FileError) {
    // The list comes first, so that a headphone that cannot be removed from it keeps everything.
    try change(removing: { $0["id"]?.text == id.rawValue }) { $0.removeAll { $0.id == id } }
    try dropCache(of: id)
    try dropUpdate(of: id)
    try dropCharges(of: id)
  }

  private func change(
    removing removes: (JSON) -> Bool = { _ in false }, _ body: (inout [KnownHeadphone]) -> Void
  ) throws(FileError) {
    try devices.file.withLock { () throws(FileError) in
      _ = try devices.change(
        identifiedBy: ["id"], removing: removes, decode: KnownHeadphone.init(json:),
        encode: \.json
      ) { body(&$0) }
    }
  }
}

extension KnownHeadphone {
  fileprivate var json: JSON {
    [
      "id": .string(id.rawValue), "name": .string(name),
      "address": .string(address.address.description),
      "addressType": .string(address.kind.name), "publicAddress": JSON(publicAddress),
      "bondAddress": JSON(bondAddress?.address.description),
      "bondAddressType": JSON(bondAddress?.kind.name),
      "manufacturer": JSON(serial?.manufacturer), "model": JSON(serial?.model),
      "serial": JSON(serial?.number), "lastUsed": JSON(lastUsed?.milliseconds),
      "soundPin": JSON(soundPin?.text), "hasPlayed": .bool(sound.hasPlayed),
      "soundWasHere": .bool(sound.wasHere), "soundDeclined": .bool(sound.isDeclined),
      "soundProfile": JSON(sound.mode?.profile), "soundCodec": JSON(sound.mode?.codec),
      "correction": correction == CorrectionChoice() ? .null : correction.json,
      "setKey": JSON(setKey?.digits),
      "sightings": sightings == BudSightings() ? .null : sightings.json,
      "confirmedSettings": .array(confirmedSettings.map(\.rawValue).sorted().map { .string($0) }),
      "members": .array(
        memberAddresses.map {
          [
            "address": .string($0.address.description), "addressType": .string($0.kind.name),
          ]
        }
      ),
    ]
  }

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
      // Files of earlier versions have no such member.
      sound: KnownSound(
        hasPlayed: json["hasPlayed"] != .bool(false), wasHere: json["soundWasHere"] == .bool(true),
        isDeclined: json["soundDeclined"] == .bool(true),
        mode: json["soundProfile"]?.text.map {
          KnownSoundMode(profile: $0, codec: json["soundCodec"]?.text)
        }),
      setKey: json["setKey"]?.text.flatMap(SetKey.init(digits:)),
      memberAddresses: json["members"]?.elements?.compactMap { $0.address("address") } ?? [],
      correction: json["correction"].map { CorrectionChoice(json: $0) } ?? CorrectionChoice(),
      sightings: BudSightings(json: json["sightings"]),
      confirmedSettings: Set(
        json["confirmedSettings"]?.elements?.compactMap(\.text).map(SettingID.init(rawValue:))
          ?? []))
  }
}

/// The last sightings in the file: for each bud null or `[time, seconds east of UTC, place]`.
extension BudSightings {
  fileprivate var json: JSON {
    .array(
      Side.allCases.map { side in
        JSON(self[side]) { sighting in
          [
            .integer(sighting.at.milliseconds), .integer(Int64(sighting.at.utcOffset)),
            JSON(sighting.place?.rawValue),
          ]
        }
      })
  }

  fileprivate init(json: JSON?) {
    self.init()
    for (side, item) in zip(Side.allCases, json?.elements ?? []) {
      guard let parts = item.elements, parts.count == 3, let time = parts[0].wholeNumber,
        (0...(1 << 48)).contains(time),
        let offset = parts[1].wholeNumber.flatMap({ Int32(exactly: $0) }),
        abs(offset) <= 86_400
      else { continue }
      self[side] = Sighting(
        at: Timestamp(milliseconds: time, utcOffset: offset),
        place: parts[2].text.flatMap(Sighting.Place.init(rawValue:)))
    }
  }
}

extension JSON {
  /// Returns the address at `key`, whose type is at the same key with "Type" appended.
  fileprivate func address(_ key: String) -> PeerAddress? {
    guard let address = self[key]?.text.flatMap(BluetoothAddress.init(_:)),
      let kind = self["\(key)Type"]?.text.flatMap(PeerAddress.Kind.init(name:))
    else { return nil }
    return PeerAddress(address, kind)
  }
}

internal import BluetoothCodec
package import Companion
package import FirmwareCrypto
package import HeadphoneProtocols
package import JSON
internal import Persistence

/// The report of `earshot firmware inspect`: the header of an image, and whether it is trusted.
package struct FirmwareImageReport: ObjectReport {
  private let image: FirmwareImage
  private let trust: FirmwareTrust

  /// Creates the report; without trusted `keys`, trust is not checked.
  package init(_ image: FirmwareImage, keys: MakerKeys) {
    self.image = image
    trust = image.trust(in: keys)
  }

  private var isTrusted: Bool? {
    trust == .noKey ? nil : trust.isAlways || !trust.profiles.isEmpty
  }

  private var hardware: String { FirmwareTarget.name(ofHardware: image.manifest.hardware) }

  /// The signer, as far as the keys show it; 64 zeros are no signature.
  private var signature: String {
    switch isTrusted {
    case _ where image.signature.allSatisfy { $0 == 0 }: "by nobody"
    case true? where trust.isAlways: "by a trusted key"
    case true?: "by a key trusted for \(displayable(trust.profiles.joined(separator: ", ")))"
    case false?: "not by a trusted key"
    case nil: "not checked (--key FILE)"
    }
  }

  package var text: String {
    let manifest = image.manifest
    return table([
      ("Version", "\(manifest.version)"), ("Hardware", hardware),
      ("Image", "\(manifest.imageSize) bytes"),
      ("Blocks", "\(manifest.blockCount) of \(manifest.blockSize) bytes"),
      ("Battery", "at least \(manifest.minimumBattery)%"),
      ("Security counter", "\(manifest.securityCounter)"),
      ("SHA-256", KeyFile.text(manifest.digest)), ("Signed", signature),
    ])
  }

  package static let schemaName = SchemaName(
    "firmware-inspect", "`earshot firmware inspect --json`")

  package static let properties: [Property<Self>] = [
    Property("version", \.image.manifest.version),
    Property("hardware", \.hardware, matching: "^0x[0-9A-F]{8}$"),
    Property("imageSize", \.image.manifest.imageSize, "bytes"),
    Property("blockSize", \.image.manifest.blockSize, "bytes"),
    Property("blocks", \.image.manifest.blockCount),
    Property("minimumBattery", \.image.manifest.minimumBattery, in: .percent, "%"),
    Property("securityCounter", \.image.manifest.securityCounter),
    Property("sha256", { KeyFile.text($0.image.manifest.digest) }, matching: "^[0-9a-f]{64}$"),
    Property("trusted", \.isTrusted, "null: no key was given"),
  ]
}

package struct FirmwareStatusReport: ObjectReport {
  private let status: FirmwareStatus
  private let unfinished: InterruptedUpdate?
  private let isUnderWay: Bool

  /// Creates the report; `isUnderWay` says whether a process of this user is running an update.
  package init(
    _ status: FirmwareStatus, unfinished: InterruptedUpdate? = nil, isUnderWay: Bool = false
  ) {
    self.status = status
    self.unfinished = unfinished
    self.isUnderWay = isUnderWay
  }

  package var text: String {
    let state = isUnderWay ? "an update is under way" : status.state.displayText
    var rows = [("Running", "\(status.running)"), ("State", state)]
    if let pending = status.pending {
      rows += [("Pending", "\(pending)"), ("Received", "\(status.offset) bytes")]
    }
    if let unfinished {
      let since = "\(unfinished.timestamp.date) \(unfinished.timestamp.clock)"
      rows += [
        ("Unfinished", "\(unfinished.version), at \(unfinished.percent)%, \(since)"),
        ("Image", displayable(unfinished.path)),
      ]
      rows.append(
        (
          "To go on",
          unfinished.advice ?? "earshot firmware install \(displayable(unfinished.path))"
        ))
    }
    return table(rows)
  }

  package static let schemaName = SchemaName("firmware-status", "`earshot firmware status --json`")

  package static let properties: [Property<Self>] = [
    Property("state", \.status.state),
    Property("running", \.status.running),
    Property("pending", \.status.pending, "null: none"),
    Property("offset", \.status.offset, "bytes that the headphone has of it"),
    Property(
      "unfinished", \.unfinished, "an update of this computer; null: none",
      group: [
        Property("version", \.version),
        Property("path", \.path, "of the image"),
        Property("file", \.file, "`changed`: another image is in its place"),
        Property("bytes", \.bytes, "that the headphone had"),
        Property("total", \.total, "bytes of the image"),
        Property("time", \.timestamp.secondsSince1970, "seconds since 1970"),
      ]),
  ]
}

/// The last line of `earshot firmware install`, with `phase` like the lines of progress.
package struct FirmwareInstalledReport: ObjectReport {
  private let version: FirmwareVersion

  package init(_ version: FirmwareVersion) { self.version = version }

  package var text: String { "installed \(version)" }

  package static let schemaName = SchemaName(
    "firmware-installed", "The last line of `earshot firmware install --json`")

  package static let properties: [Property<Self>] = [
    Property("phase", always: "installed"),
    Property("version", \.version),
  ]
}

/// The progress of an installation: one line that is overwritten, or a line of JSON each.
package struct FirmwareProgressReport: ObjectReport {
  private let progress: FirmwareProgress

  /// Creates the report; its text has no line end.
  package init(_ progress: FirmwareProgress) { self.progress = progress }

  package var text: String {
    let width = 24
    let full = String(repeating: "#", count: progress.percent * width / 100)
    let bar = full + String(repeating: ".", count: width - full.count)
    let rate = progress.rateText.map { " \($0)" } ?? ""
    let left = progress.remainingText.map { " \($0)" } ?? ""
    guard progress.phase == .transferring else {
      return "[\(bar)] \(progress.percent)% \(progress.phase.displayText)"
    }
    return "[\(bar)] \(progress.percent)%\(rate)\(left), do not switch off"
  }

  package static let schemaName = SchemaName(
    "firmware-progress", "Each line but the last of `earshot firmware install --json`")

  package static let properties: [Property<Self>] = [
    Property("phase", \.progress.phase),
    Property("bytes", \.progress.bytes, "that the headphone has"),
    Property("total", \.progress.total),
    Property("bytesPerSecond", { $0.progress.rate.map { Int($0) } }, "null: not known yet"),
  ]
}

internal import BluetoothCodec
public import Companion
public import Headphones

/// What an image says of itself, and whether it is to be trusted.
public struct FirmwareImageReport: Report {
  private let image: FirmwareImage
  private let trust: FirmwareTrust

  /// `keys` say who is trusted; empty: that is not judged.
  public init(_ image: FirmwareImage, keys: MakerKeys) {
    self.image = image
    trust = image.trust(in: keys)
  }

  /// Nil: no key was given to check with.
  private var isTrusted: Bool? {
    trust == .noKey ? nil : trust.isAlways || !trust.profiles.isEmpty
  }

  private var hardware: String {
    "0x" + hexadecimal(image.manifest.hardware, width: 8).uppercased()
  }

  private var signature: String {
    switch isTrusted {
    case true? where trust.isAlways: "by a trusted key"
    case true?: "by a key trusted for \(displayable(trust.profiles.joined(separator: ", ")))"
    case false?: "not by a trusted key"
    case nil: image.signature.allSatisfy { $0 == 0 } ? "none" : "not checked (--key FILE)"
    }
  }

  public var text: String {
    let manifest = image.manifest
    return table([
      ("Version", "\(manifest.version)"), ("Hardware", hardware),
      ("Image", "\(manifest.imageSize) bytes"),
      ("Blocks", "\(manifest.blockCount) of \(manifest.blockSize) bytes"),
      ("Battery", "at least \(manifest.minimumBattery) %"),
      ("Security counter", "\(manifest.securityCounter)"),
      ("SHA-256", KeyFile.text(manifest.digest)), ("Signed", signature),
    ])
  }

  public var json: JSON {
    let manifest = image.manifest
    return [
      "schema": 1, "version": .string("\(manifest.version)"), "hardware": .string(hardware),
      "imageSize": JSON(manifest.imageSize), "blockSize": JSON(manifest.blockSize),
      "blocks": JSON(manifest.blockCount), "minimumBattery": JSON(manifest.minimumBattery),
      "securityCounter": JSON(manifest.securityCounter),
      "sha256": .string(KeyFile.text(manifest.digest)), "trusted": JSON(isTrusted),
    ]
  }
}

/// Where the headphone is with its firmware.
public struct FirmwareStatusReport: Report {
  private let status: FirmwareStatus
  /// What this machine has begun and not ended.
  private let unfinished: UnfinishedUpdate?

  public init(_ status: FirmwareStatus, unfinished: UnfinishedUpdate? = nil) {
    self.status = status
    self.unfinished = unfinished
  }

  private var pending: FirmwareVersion? {
    status.pending == FirmwareVersion(0, 0, 0) ? nil : status.pending
  }

  public var text: String {
    var rows = [("Running", "\(status.running)"), ("State", status.state.words)]
    if let pending {
      rows += [("Pending", "\(pending)"), ("Received", "\(status.offset) bytes")]
    }
    if let unfinished {
      let since = "\(unfinished.moment.date) \(unfinished.moment.clock)"
      rows += [
        ("Unfinished", "\(unfinished.version), at \(unfinished.percent) %, \(since)"),
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

  public var json: JSON {
    [
      "schema": 1, "state": .string("\(status.state)"),
      "running": .string("\(status.running)"), "pending": JSON(pending) { .string("\($0)") },
      "offset": JSON(status.offset),
      "unfinished": JSON(unfinished) { update in
        [
          "version": .string("\(update.version)"), "path": .string(update.path),
          "file": .string(update.file.rawValue), "bytes": JSON(update.bytes),
          "total": JSON(update.total), "time": .integer(update.moment.milliseconds / 1000),
        ]
      },
    ]
  }
}

/// How far an installation is: a line that a terminal shows over and over, or a JSON line each.
public struct FirmwareProgressReport: Report {
  private let progress: FirmwareProgress

  public init(_ progress: FirmwareProgress) { self.progress = progress }

  public var text: String {
    let width = 24
    let full = String(repeating: "#", count: progress.percent * width / 100)
    let bar = full + String(repeating: ".", count: width - full.count)
    let rate = progress.rateWords.map { " \($0)" } ?? ""
    let left = progress.remainingWords.map { " \($0)" } ?? ""
    guard progress.phase == .transferring else {
      return "[\(bar)] \(progress.percent) % \(progress.phase.words)"
    }
    return "[\(bar)] \(progress.percent) %\(rate)\(left), do not switch off"
  }

  public var json: JSON {
    [
      "schema": 1, "phase": .string("\(progress.phase)"), "bytes": JSON(progress.bytes),
      "total": JSON(progress.total), "bytesPerSecond": JSON(progress.rate.map { Int($0) }),
    ]
  }
}

internal import BluetoothCodec
public import Companion
public import HeadphoneProtocols
public import JSON
internal import Persistence

/// The header of an image, and whether it is trusted: `earshot firmware inspect`.
///
/// JSON of schema 1: `version`, `hardware`, `imageSize`, `blockSize`, `blocks`, `minimumBattery`
/// (%), `securityCounter`, `sha256` (hexadecimal), `trusted` (null: no key was given).
///
/// ```
/// Version           2.0.0
/// Hardware          0x0000A102
/// Image             77831 bytes
/// Blocks            5 of 16384 bytes
/// Battery           at least 30%
/// Security counter  5
/// SHA-256           9f86…
/// Signed            by a trusted key
/// ```
public struct FirmwareImageReport: Report {
  private let image: FirmwareImage
  private let trust: FirmwareTrust

  /// - Parameter keys: the trusted vendor keys; empty: trust is not judged.
  public init(_ image: FirmwareImage, keys: MakerKeys) {
    self.image = image
    trust = image.trust(in: keys)
  }

  /// Whether a given key has signed it; nil: no key was given.
  private var isTrusted: Bool? {
    trust == .noKey ? nil : trust.isAlways || !trust.profiles.isEmpty
  }

  /// The hardware by name where it is known, else its number.
  private var hardware: String { FirmwareTarget.name(ofHardware: image.manifest.hardware) }

  /// Who has signed it, as far as the given keys can say; 64 zeros are no signature.
  private var signature: String {
    switch isTrusted {
    case _ where image.signature.allSatisfy { $0 == 0 }: "by nobody"
    case true? where trust.isAlways: "by a trusted key"
    case true?: "by a key trusted for \(displayable(trust.profiles.joined(separator: ", ")))"
    case false?: "not by a trusted key"
    case nil: "not checked (--key FILE)"
    }
  }

  public var text: String {
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

/// The running version and the state of an update: `earshot firmware status`.
///
/// JSON of schema 1: `state`, `running`, `pending` (null: none), `offset` (bytes received), and
/// `unfinished`, null or an object with `version`, `path`, `file` (`there`, `gone`, `changed`),
/// `bytes`, `total` and `time` (seconds since 1970).
public struct FirmwareStatusReport: Report {
  private let status: FirmwareStatus
  private let unfinished: InterruptedUpdate?
  private let isUnderWay: Bool

  /// - Parameters:
  ///   - unfinished: an update that was interrupted; nil: none, or it runs now.
  ///   - isUnderWay: whether a process of this user runs an update now.
  public init(
    _ status: FirmwareStatus, unfinished: InterruptedUpdate? = nil, isUnderWay: Bool = false
  ) {
    self.status = status
    self.unfinished = unfinished
    self.isUnderWay = isUnderWay
  }

  public var text: String {
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

  public var json: JSON {
    [
      "schema": 1, "state": .string("\(status.state)"),
      "running": .string("\(status.running)"), "pending": JSON(status.pending) { .string("\($0)") },
      "offset": JSON(status.offset),
      "unfinished": JSON(unfinished) { update in
        [
          "version": .string("\(update.version)"), "path": .string(update.path),
          "file": .string(update.file.rawValue), "bytes": JSON(update.bytes),
          "total": JSON(update.total), "time": .integer(update.timestamp.milliseconds / 1000),
        ]
      },
    ]
  }
}

/// The last line of `earshot firmware install`.
///
/// JSON: `schema`, `phase` ("installed"), `version`: the same members as the lines of progress
/// before it, so that a script reads one stream.
public struct FirmwareInstalledReport: Report {
  private let version: FirmwareVersion

  /// - Parameter version: runs now, and is confirmed.
  public init(_ version: FirmwareVersion) { self.version = version }

  public var text: String { "installed \(version)" }

  public var json: JSON {
    ["schema": 1, "phase": "installed", "version": .string("\(version)")]
  }
}

/// The progress of an installation: one line that is overwritten, or one JSON line each.
///
/// ```
/// [############............] 51% 28.9 kB/s 12 s left, do not switch off
/// ```
///
/// JSON of schema 1: `phase`, `bytes`, `total`, `bytesPerSecond` (null: not known yet).
public struct FirmwareProgressReport: Report {
  private let progress: FirmwareProgress

  /// The progress to print; the line begins at the left edge and has no end of its own.
  public init(_ progress: FirmwareProgress) { self.progress = progress }

  public var text: String {
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

  public var json: JSON {
    [
      "schema": 1, "phase": .string("\(progress.phase)"), "bytes": JSON(progress.bytes),
      "total": JSON(progress.total), "bytesPerSecond": JSON(progress.rate.map { Int($0) }),
    ]
  }
}

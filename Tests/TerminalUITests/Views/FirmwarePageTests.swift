import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

/// The page of the firmware at each stage, in the three sizes.
@Suite struct `The firmware page` {
  static let sizes = [(80, 24), (120, 40), (40, 12)]

  static let offer = FirmwareCandidate(
    path: "~/Downloads/aurora-1.5.0.fw",
    manifest: FirmwareManifest(
      hardware: 0xA102, version: FirmwareVersion(1, 5, 0), imageSize: 77_831, blockSize: 16_384,
      minimumBattery: 30, digest: [], securityCounter: 2),
    trust: .trusted)

  static let untrusted = FirmwareCandidate(
    path: offer.path, manifest: offer.manifest, trust: .untrusted)

  static let ofAnotherProfile = FirmwareCandidate(
    path: offer.path, manifest: offer.manifest, trust: .trusted(for: ["Acme buds"]))

  static func progress(
    _ phase: FirmwareUpdate.Phase, _ bytes: Int = 77_831, rate: Double? = nil
  ) -> FirmwareProgress {
    FirmwareProgress(phase: phase, bytes: bytes, total: 77_831, rate: rate)
  }

  /// A name for the picture, the link, and the stage.
  static let scenes: [(String, LinkState, FirmwareState.Stage)] = [
    ("none", .ready, .none),
    ("unfinished", .ready, .none),
    ("unfinished-gone", .ready, .none),
    ("examining", .ready, .examining(path: offer.path)),
    (
      "rejected", .ready,
      .rejected(
        path: offer.path,
        reason: FirmwareRefusal.truncated(expected: 77_959, actual: 4096).explanation,
        advice: FirmwareRefusal.digestWrong.advice)
    ),
    ("offered", .ready, .offered(offer)),
    ("refused", .ready, .offered(untrusted)),
    ("other-profile", .ready, .offered(ofAnotherProfile)),
    ("asking", .firmwareUpdate, .running(offer, progress(.asking, 0))),
    (
      "transferring", .firmwareUpdate,
      .running(offer, progress(.transferring, 28_797, rate: 28_900))
    ),
    (
      "linkless", .reconnecting(Retry(attempt: 1, delay: .seconds(1), after: .timeout)),
      .running(offer, progress(.transferring, 28_797))
    ),
    ("verifying", .firmwareUpdate, .running(offer, progress(.verifying))),
    ("restarting", .firmwareRestarting, .running(offer, progress(.restarting))),
    ("confirming", .firmwareUpdate, .running(offer, progress(.confirming))),
    ("paused", .disconnected(.user), .paused(offer, progress(.transferring, 28_797))),
    ("installed", .ready, .ended(offer, .installed(FirmwareVersion(1, 5, 0)))),
    (
      "rolled-back", .ready,
      .ended(offer, .failed(.rolledBack(running: FirmwareVersion(1, 4, 2))))
    ),
  ]

  @Test(arguments: scenes.indices, sizes)
  func `tells each stage`(scene: Int, size: (columns: Int, rows: Int)) {
    let (name, link, stage) = Self.scenes[scene]
    let state = Example.state().with {
      $0.link = link
      $0.capabilities?.hasFirmwareUpdate = true
      $0.information.hardware = "0xA102"
      $0.firmware.stage = stage
      if name.hasPrefix("unfinished") {
        $0.firmware.unfinished = InterruptedUpdate(
          path: "/home/me/Downloads/aurora-1.5.0.fw", version: FirmwareVersion(1, 5, 0),
          bytes: 28_797, total: 77_831, timestamp: Timestamp(milliseconds: 1_795_269_802_000),
          file: name == "unfinished" ? .there : .gone)
      }
      if name == "offered" {
        $0.firmware.status = FirmwareStatus(
          state: .receiving, offset: 28_672, running: FirmwareVersion(1, 4, 2),
          pending: FirmwareVersion(1, 5, 0))
      }
    }.changed { $0.page = .firmware }
    expectScreen(
      view(state, size: Size(columns: size.columns, rows: size.rows)),
      "firmware-\(name)-\(size.columns)x\(size.rows)")
  }

  @Test(arguments: sizes) func `asks before it installs`(columns: Int, rows: Int) {
    let state = Example.state().with {
      $0.capabilities?.hasFirmwareUpdate = true
      $0.firmware.stage = .offered(Self.offer)
    }.changed {
      $0.page = .firmware
      $0.dialog = .question(Question(.installFirmware(Example.aurora)))
    }
    expectScreen(
      view(state, size: Size(columns: columns, rows: rows)), "firmware-question-\(columns)x\(rows)")
  }

  @Test func `asks before it quits`() {
    let state = Example.state().with {
      $0.link = .firmwareUpdate
      $0.firmware.stage = .running(Self.offer, Self.progress(.transferring, 28_797))
    }.changed {
      $0.page = .firmware
      $0.dialog = .question(Question(.quitDuringUpdate))
    }
    expectScreen(view(state, size: .ordinary), "firmware-quit")
  }

  @Test func `the file's name is typed in a frame of its own`() {
    let state = Example.state().changed {
      $0.page = .firmware
      $0.dialog = .entry(TextEntry(.firmwareImage(Example.aurora), text: "~/Downloads/aur"))
    }
    expectScreen(view(state, size: .ordinary), "firmware-entry")
  }
}

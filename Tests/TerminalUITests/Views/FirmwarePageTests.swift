import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The firmware page at each stage, and dialogs over it.
  static let firmware: [Golden] =
    [Size.ordinary, .large, .small].map { size in
      .screen("firmware" + size.suffix, size, showsRoles: size == .ordinary) {
        scene("transferring")
      }
    }
    + [Size.ordinary, .small].map { size in
      .rows("firmware-stages" + size.suffix, size, unlike: { scene("transferring") }) {
        scenes.map(\.0).filter { $0 != "transferring" }.map { ($0, scene($0)) }
          + [("question", question)]
      }
    } + [
      .rows("firmware-dialogs", unlike: { scene("linkless") }) { [("quit", quit), ("file", file)] }
    ]

  private static let offer = FirmwareCandidate(
    path: "~/Downloads/aurora-1.5.0.fw",
    manifest: FirmwareManifest(
      hardware: 0xA102, version: FirmwareVersion(1, 5, 0), imageSize: 77_831, blockSize: 16_384,
      minimumBattery: 30, digest: [], securityCounter: 2),
    trust: .trusted)

  private static let untrusted = FirmwareCandidate(
    path: offer.path, manifest: offer.manifest, trust: .untrusted)

  private static let ofAnotherProfile = FirmwareCandidate(
    path: offer.path, manifest: offer.manifest, trust: .trusted(for: ["Acme buds"]))

  private static func progress(
    _ phase: FirmwareUpdate.Phase, _ bytes: Int = 77_831, rate: Double? = nil
  ) -> FirmwareProgress {
    FirmwareProgress(phase: phase, bytes: bytes, total: 77_831, rate: rate)
  }

  /// The scenes: name, link and stage.
  private static let scenes: [(String, LinkState, FirmwareState.Stage)] = [
    ("none", .connected(.ready), .none),
    ("unfinished", .connected(.ready), .none),
    ("unfinished-gone", .connected(.ready), .none),
    ("examining", .connected(.ready), .examining(path: offer.path)),
    (
      "rejected", .connected(.ready),
      .rejected(
        path: offer.path,
        reason: FirmwareRefusal.truncated(expected: 77_959, actual: 4096).explanation,
        advice: FirmwareRefusal.digestWrong.advice)
    ),
    ("offered", .connected(.ready), .offered(offer)),
    ("refused", .connected(.ready), .offered(untrusted)),
    ("other-profile", .connected(.ready), .offered(ofAnotherProfile)),
    ("asking", .connected(.firmwareUpdate), .running(offer, progress(.asking, 0))),
    (
      "transferring", .connected(.firmwareUpdate),
      .running(offer, progress(.transferring, 28_797, rate: 28_900))
    ),
    (
      "linkless", .reconnecting(Retry(attempt: 1, after: .timeout)),
      .running(offer, progress(.transferring, 28_797))
    ),
    ("verifying", .connected(.firmwareUpdate), .running(offer, progress(.verifying))),
    ("restarting", .firmwareRestarting(), .running(offer, progress(.restarting))),
    ("confirming", .connected(.firmwareUpdate), .running(offer, progress(.confirming))),
    ("paused", .unwanted(.disconnected(.user)), .paused(offer, progress(.transferring, 28_797))),
    ("installed", .connected(.ready), .ended(offer, .installed(FirmwareVersion(1, 5, 0)))),
    (
      "rolled-back", .connected(.ready),
      .ended(offer, .failed(.rolledBack(running: FirmwareVersion(1, 4, 2))))
    ),
  ]

  private static func scene(_ name: String) -> State {
    let (link, stage) =
      scenes.first { $0.0 == name }.map { ($0.1, $0.2) }
      ?? (LinkState.connected(.ready), FirmwareState.Stage.none)
    return Example.state().with {
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
  }

  private static var question: State {
    Example.state().with {
      $0.capabilities?.hasFirmwareUpdate = true
      $0.firmware.stage = .offered(offer)
    }.changed {
      $0.page = .firmware
      $0.dialog = .question(Question(.installFirmware(Example.aurora)))
    }
  }

  private static var quit: State {
    scene("linkless").with { $0.link = .connected(.firmwareUpdate) }
      .changed { $0.dialog = .question(Question(.quitDuringUpdate)) }
  }

  private static var file: State {
    Example.state().changed {
      $0.page = .firmware
      $0.dialog = .entry(TextEntry(.firmwareImage(Example.aurora), text: "~/Downloads/aur"))
    }
  }
}

@Suite struct FirmwarePageTests {
  @Test func `a newer firmware that repairs a flaw is named`() {
    func lines(_ firmware: String) -> String {
      let state = Example.state().with {
        $0.capabilities?.hasFirmwareUpdate = true
        $0.information = DeviceInformation(model: "A3048", firmware: firmware)
      }.changed { $0.page = .firmware }
      let screen = view(state, size: .ordinary)
      return (0..<screen.size.rows).map { screen.text(row: $0) }.joined()
    }
    #expect(lines("5B58").contains("Firmware 6F8 is known, and repairs"))
    #expect(lines("5B58").contains("CVE-2024-27867."))
    #expect(!lines("7A294").contains("is known"))
  }
}

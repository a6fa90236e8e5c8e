import HeadphoneProtocols

extension State {
  /// Reduces an event, which moves the stage along this path; other combinations are ignored.
  ///
  /// ```
  /// none → examining → offered → running → ended
  ///            ↓          ↑        ↕
  ///         rejected   (refused)  paused
  /// ```
  mutating func follow(
    _ event: FirmwareEvent, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else {
      return ignore("firmware of an unknown headphone", id, at: timestamp)
    }
    switch (event, headphone.firmware.stage) {
    case (.reported(let status), _):
      headphones.update(id) { $0.firmware.status = status }
      return []
    case (.recalled(let update), .none):
      recall(update, for: id)
      return []
    case (.examined(let offer), .examining(let path)) where offer.path == path:
      setStage(.offered(offer), of: id)
      return []
    case (.rejected(let path, let reason, let advice), .examining(let wanted)) where path == wanted:
      setStage(.rejected(path: path, reason: reason, advice: advice), of: id)
      return note(.warning, id, "firmware: \(reason)", at: timestamp)
    case (.refused(let refusal), .running(let offer, _)):
      setStage(.offered(offer), of: id)
      return leaveUpdate(id, at: timestamp)
        + complain(
          "firmware not sent: \(refusal.explanation)", advice: refusal.advice, id, at: timestamp)
    case (.progressed(let progress), .running(let offer, let before)):
      return advance(offer, from: before, to: progress, of: id, at: timestamp)
    case (.needsLink, .running(_, let progress)):
      return changeLink(id, progress, at: timestamp)
    case (.stopped(let reason, let advice), .running(let offer, let progress)):
      setStage(.paused(offer, progress), of: id)
      return leaveUpdate(id, at: timestamp)
        + complain("the update is paused: \(reason)", advice: advice, id, at: timestamp)
    case (.ended(let outcome), .running(let offer, _)):
      setStage(.ended(offer, outcome), of: id)
      return leaveUpdate(id, at: timestamp) + report(outcome, of: id, at: timestamp)
    default: return ignore("an unexpected firmware event", id, at: timestamp)
    }
  }

  /// Handles a link that the headphone ends before its response to the restart command arrives.
  mutating func expectRestart(
    of id: HeadphoneID, before event: LinkEvent, at timestamp: Timestamp
  ) -> [Effect] {
    guard case .ended = event, let headphone = headphones[id],
      headphone.link.use == .firmwareUpdate,
      case .running(_, let progress) = headphone.firmware.stage, progress.phase == .activating
    else { return [] }
    return begin(.firmwareRestart, id, at: timestamp)
  }

  /// Matches updates to the state of their links, after each action.
  ///
  /// On a ready link, an update continues where the headphone stopped. Without a wanted link, it is
  /// paused, and the headphone keeps what it received.
  mutating func followLinksWithUpdates(at timestamp: Timestamp) -> [Effect] {
    var effects: [Effect] = []
    for headphone in headphones {
      guard case .running(let offer, let progress) = headphone.firmware.stage else { continue }
      if headphone.link.use == .ready {
        effects += begin(.firmwareUpdate, headphone.id, at: timestamp)
        effects += [.installFirmware(headphone.id, offer, headphone.updateTarget)]
      } else if !headphone.link.isWanted {
        setStage(.paused(offer, progress), of: headphone.id)
        effects += [.pauseFirmware(headphone.id)]
        effects += note(.warning, headphone.id, "the firmware update is paused", at: timestamp)
      }
    }
    return effects
  }

  /// Sets the stage; a running update replaces the unfinished one of an earlier run.
  mutating func setStage(_ stage: FirmwareState.Stage, of id: HeadphoneID) {
    headphones.update(id) {
      $0.firmware.stage = stage
      if case .running = stage { $0.firmware.unfinished = nil }
    }
  }

  /// Adopts progress, logs each new phase, and begins the restart once the image is activated.
  private mutating func advance(
    _ offer: FirmwareCandidate, from before: FirmwareProgress, to progress: FirmwareProgress,
    of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    setStage(.running(offer, progress), of: id)
    headphones.update(id) {
      if $0.link.isConnected { $0.firmwareProgress = UInt8(clamping: progress.percent) }
    }
    guard progress.phase != before.phase else { return [] }
    let effects = note(.info, id, "firmware: \(progress.phase.displayText)", at: timestamp)
    guard progress.phase == .restarting, headphones[id]?.link.use == .firmwareUpdate else {
      return effects
    }
    return effects + begin(.firmwareRestart, id, at: timestamp)
  }

  /// Ends a link that the update cannot use, as if the headphone had ended it.
  private mutating func changeLink(
    _ id: HeadphoneID, _ progress: FirmwareProgress, at timestamp: Timestamp
  ) -> [Effect] {
    let isRestarting = progress.phase == .restarting
    return [.disconnect(id)]
      + follow(.ended(isRestarting ? .firmwareRestart : .localHost), of: id, at: timestamp)
  }

  private mutating func leaveUpdate(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    let isUpdating = headphones[id]?.link.use == .firmwareUpdate
    return [.pauseFirmware(id)] + (isUpdating ? finishActivity(of: id, at: timestamp) : [])
  }

  private mutating func report(
    _ outcome: FirmwareOutcome, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    switch outcome {
    case .installed(let version):
      headphones.update(id) {
        $0.firmware.status = nil
        $0.information.firmware = "\(version)"
      }
      return say("\(name(of: id)) runs firmware \(version)", id, at: timestamp)
    case .failed(let failure):
      if case .rolledBack(let running) = failure {
        headphones.update(id) {
          $0.firmware.status = nil
          $0.information.firmware = "\(running)"
        }
      }
      return complain(failure.explanation, advice: failure.advice, id, at: timestamp)
    }
  }
}

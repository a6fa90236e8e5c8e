import AudioRoute
import HeadphoneProtocols

extension State {
  /// Returns the correction in force for the noise mode, or nil if none is certain.
  package func correction(of headphone: HeadphoneState) -> Correction? {
    let correction = headphone.correction
    if let file = correction.choice.file {
      return correction.fileCurve.map { Correction(name: file, curve: $0) }
    }
    guard case .certain(let model)? = correction.match else { return nil }
    if let name = correction.choice.name,
      let chosen = model.corrections.first(where: { $0.name == name }),
      chosen.isConditional
        || !model.hasModes
    {
      return chosen
    }
    return model.correction(in: headphone.anc.confirmed)
  }

  /// Returns the place to apply the correction, or nil if it is not known yet.
  package func correctionPlace(of headphone: HeadphoneState) -> CorrectionChoice.Place? {
    switch headphone.correction.choice.place {
    case .headphone: return .headphone
    case .computer: return .computer
    case .automatic:
      if let capabilities = headphone.capabilities {
        return capabilities.eqBands > 0 ? .headphone : .computer
      }
      return headphone.link.isBusy ? nil : .computer
    }
  }

  package func correctionStatus(of headphone: HeadphoneState) -> CorrectionStatus {
    let correction = headphone.correction
    guard correction.choice.isOn else { return .off }
    if let failure = correction.failure { return .failed(failure) }
    if correction.isLooking { return .settling("it is being looked up") }
    guard self.correction(of: headphone) != nil else {
      if correction.choice.file != nil { return .settling("the file is being read") }
      switch correction.match {
      case nil where !isResident && correction.lookedUp.isEmpty:
        return .waiting("it is heard while the screen or `earshot agent` runs")
      case nil, .certain?: return .settling("it is being looked up")
      case .several?: return .unavailable("several measurements could match, choose one")
      case .missing?: return .unavailable("there is no measurement of this model")
      }
    }
    switch correctionPlace(of: headphone) {
    case nil: return .settling("the headphone is being connected")
    case .headphone?, .automatic?:
      guard headphone.capabilities.map({ $0.eqBands > 0 }) != false else {
        return .failed("this headphone has no equaliser bands")
      }
      guard headphone.link.isReady, correction.applied != nil else {
        return .waiting("the headphone is not connected")
      }
      guard headphone.bands.pending == nil else { return .settling("the headphone is being set") }
      return switch headphone.correctionInBands {
      case .taken: .inHeadphone
      case .changed: .overridden
      case .asked: .settling("the headphone has not confirmed it")
      }
    case .computer?:
      if let why = serverRefusal {
        // It may have an equaliser.
        let isUnknown =
          correction.choice.place == .automatic && headphone.capabilities == nil
          && !headphone.isAudioOnly && !headphone.isAdvertisingOnly
        return isUnknown ? .waiting("the headphone is not connected") : .unavailable(why)
      }
      if let why = chainRefusal(of: headphone) { return .waiting(why) }
      guard let chain = correction.chain, chain.isUp else {
        return .settling("it is being started")
      }
      if correctionSinks.defaultSink == chain.chain.name
        || correctionSinks.defaultSink == correction.next?.chain.name
      {
        return .inUse
      }
      let isSent = chain.requests > 0 || correction.next.map { $0.requests > 0 } == true
      return isSent ? .settling("the sound is being sent through it") : .ready
    }
  }

  package var serverRefusal: String? {
    guard case .running(let sound) = audio, !sound.isPipeWire else { return nil }
    return "\(sound.serverName) cannot correct: "
      + "that needs PipeWire, or a headphone with its own equaliser"
  }

  func chainRefusal(of headphone: HeadphoneState) -> String? {
    if let serverRefusal { return serverRefusal }
    guard isResident else { return "it is heard while the screen or `earshot agent` runs" }
    switch audio {
    case .unavailable(let reason): return reason.displayText
    case .running:
      guard let sink = audioMatch(for: headphone)?.sink else { return "its sound is not connected" }
      return sink.bluetooth?.profile == .handsFree ? "calls are not corrected" : nil
    }
  }
}

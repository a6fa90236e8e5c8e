package import HeadphoneProtocols

package struct CorrectionChoice: Hashable, Sendable {
  package enum Place: String, Hashable, Sendable, CaseIterable {
    /// In the headphone if it has bands of its own, or else on this computer.
    case automatic = "auto"
    case headphone
    case computer
  }

  package var isOn = false
  /// Whether a screen or command chose it, which overrides the configuration.
  package var isByHand = false
  /// The name of a line of the table; nil for the certain match.
  package var name: String?
  /// The path of the user's own file; nil to use the table.
  package var file: String?
  /// The strength, 0 to 100 %.
  package var strength = 100
  /// The gain of the bass shelf, -6 to 6 dB.
  package var bass = BandGain.flat
  package var place = Place.automatic
  /// The headphone's sound before the correction; nil while it does not have the correction.
  package var before: EQSound?

  package init() {}

  package static let mostBass = BandGain(decibels: 6)
}

/// The configured correction of a headphone, until the user chooses one by hand.
package struct CorrectionPreference: Hashable, Sendable {
  /// A name, identity or address of the headphone, or a unique part of one.
  package var headphone: String
  /// "auto", "off", the name of a line of the table, or a file path with a slash.
  package var correction: String

  package init(headphone: String, correction: String) {
    self.headphone = headphone
    self.correction = correction
  }

  var choice: CorrectionChoice {
    var choice = CorrectionChoice()
    choice.isOn = correction != "off"
    switch correction {
    case "auto", "off": break
    case _ where correction.contains("/"): choice.file = correction
    default: choice.name = correction
    }
    return choice
  }
}

package enum CorrectionChange: Hashable, Sendable {
  case on(Bool)
  case line(String?)
  case file(String)
  /// The strength in %, clamped to 0 to 100.
  case strength(Int)
  case bass(BandGain)
  case place(CorrectionChoice.Place)
  /// Whether to play the sound without the correction, at the same loudness.
  case comparing(Bool)
}

package struct CorrectionState: Hashable, Sendable {
  package var choice = CorrectionChoice()
  /// The match in the table; nil before the lookup.
  package internal(set) var match: CorrectionMatch?
  package internal(set) var search: CorrectionSearch?
  var fileCurve: ParametricEQ?
  package internal(set) var isComparing = false
  /// Why the correction failed since the last change.
  package internal(set) var failure: String?

  var lookedUp: [String] = []
  var isLooking = false
  var readFile: String?
  var prepared: PreparedCorrection?
  var applied: [BandGain]?
  /// The gains that the headphone confirmed for ``applied``; nil until it does.
  var taken: [BandGain]?
  var chain: RunningChain?
  var next: RunningChain?
  /// The number of times that the child ended or made no sink since the last change.
  var attempts = 0
  var slot = 7

  var isActive: Bool {
    choice.isOn || choice.before != nil || chain != nil || next != nil
  }

  var isAwaited: Bool { chain?.isAwaited == true || next?.isAwaited == true }

  package init() {}
}

package struct CorrectionSearch: Hashable, Sendable {
  package var text: String
  package var found: [Correction]

  package init(text: String, found: [Correction]) {
    self.text = text
    self.found = found
  }
}

struct RunningChain: Hashable, Sendable {
  var chain: CorrectionChain
  var isUp = false
  var isStale = false
  /// Whether the sound has gone through the chain since it came to the headphone.
  var hadSound = false
  var requests = 0

  var isAwaited: Bool { !isUp || requests > 0 }
}

struct PreparedCorrection: Hashable, Sendable {
  struct Source: Hashable, Sendable {
    var name: String
    var strength: Int
    var bass: BandGain
    var isComparing: Bool
    var bands: EQBands?
  }

  var source: Source
  var curve: ParametricEQ
  var fit: EQFit?
}

package enum CorrectionEffect: Hashable, Sendable {
  /// Looks a headphone up in the table by its names, best first.
  case find(HeadphoneID, names: [String], maker: String)
  case search(HeadphoneID, String)
  case read(HeadphoneID, path: String)
  /// Starts a chain, after the previous one in the headphone's slot has ended.
  case start(HeadphoneID, CorrectionChain)
  case end(HeadphoneID, slot: Int)
}

package enum CorrectionEvent: Hashable, Sendable {
  case changed(CorrectionChange)
  case wanted
  /// The result of ``CorrectionEffect/find(_:names:maker:)``, dropped if the names have changed.
  case found(CorrectionMatch, for: [String])
  case searched(CorrectionSearch)
  case fileRead(path: String, ParametricEQ)
  case fileRejected(path: String, reason: String)
  /// The child of a chain ended unexpectedly, or could not be started.
  case chainEnded(slot: Int, String)
}

package enum CorrectionStatus: Hashable, Sendable {
  case off
  case inHeadphone
  /// The headphone's equaliser had the correction, but was changed since.
  case overridden
  case inUse
  case ready
  case waiting(String)
  /// The user has to choose or change something, for this reason.
  case unavailable(String)
  case settling(String)
  /// The correction cannot be heard until something is changed, for this reason.
  case failed(String)

  /// Whether the status will change soon without the user.
  package var isBeingSet: Bool { if case .settling = self { true } else { false } }
}

package import HeadphoneProtocols

/// The user's choice of a headphone's correction, which is saved.
package struct CorrectionChoice: Hashable, Sendable {
  /// Where a correction is applied.
  package enum Place: String, Hashable, Sendable, CaseIterable {
    /// In the headphone if it has bands of its own, or else on this computer.
    case automatic = "auto"
    case headphone
    case computer
  }

  /// Whether the correction should be heard.
  package var isOn = false
  /// Whether it was chosen on a screen or by a command, which overrides the configuration.
  package var isByHand = false
  /// The name of a line of the table, or nil for the certain match.
  package var name: String?
  /// The path of the user's own file, or nil to use the table.
  package var file: String?
  /// The strength, 0 to 100 %.
  package var strength = 100
  /// The bass shelf to taste, -6 to 6 dB.
  package var bass = BandGain.flat
  package var place = Place.automatic
  /// The headphone's sound before the correction, or nil if the correction is not in it.
  package var before: EQSound?

  package init() {}

  /// The limit of the bass shelf.
  package static let mostBass = BandGain(decibels: 6)
}

/// The configured correction of a headphone, until the user chooses one by hand.
package struct CorrectionPreference: Hashable, Sendable {
  /// A name, identity or address of the headphone, or a unique part of one.
  package var headphone: String
  /// "auto", "off", the name of a line of the table, or the path of a file, with a slash.
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

/// A change of a ``CorrectionChoice``.
package enum CorrectionChange: Hashable, Sendable {
  case on(Bool)
  /// The name of a line of the table, or nil for the certain match.
  case line(String?)
  /// The path of the user's own file.
  case file(String)
  /// The strength in %, clamped to 0 to 100.
  case strength(Int)
  /// The bass, clamped to -6 to 6 dB.
  case bass(BandGain)
  case place(CorrectionChoice.Place)
  /// Whether to play the sound without the correction, at the same loudness.
  case comparing(Bool)
}

/// The correction of a headphone: what is chosen, what was found, and what is in force.
package struct CorrectionState: Hashable, Sendable {
  package var choice = CorrectionChoice()
  /// The match in the table, or nil if it was not looked up.
  package internal(set) var match: CorrectionMatch?
  /// The last search with its results, or nil if there was none.
  package internal(set) var search: CorrectionSearch?
  var fileCurve: ParametricEQ?
  /// Whether the uncorrected sound is played, at the same loudness.
  package internal(set) var isComparing = false
  /// Why the correction failed, or nil if it has not failed since the last change.
  package internal(set) var failure: String?

  var lookedUp: [String] = []
  var isLooking = false
  var readFile: String?
  var prepared: PreparedCorrection?
  var applied: [BandGain]?
  /// The gains that the headphone confirmed for those, or nil if none yet.
  var taken: [BandGain]?
  var chain: RunningChain?
  var next: RunningChain?
  /// How often the child ended or made no sink since the last change.
  var attempts = 0
  var slot = 7

  var isActive: Bool {
    choice.isOn || choice.before != nil || chain != nil || next != nil
  }

  var isAwaited: Bool { chain?.isAwaited == true || next?.isAwaited == true }

  package init() {}
}

/// The results of a search in the table.
package struct CorrectionSearch: Hashable, Sendable {
  /// The search text.
  package var text: String
  /// The lines that contain all its words.
  package var found: [Correction]

  package init(text: String, found: [Correction]) {
    self.text = text
    self.found = found
  }
}

struct RunningChain: Hashable, Sendable {
  var chain: CorrectionChain
  var isUp = false
  /// Whether the server still has an older sink of this name.
  var isStale = false
  /// Whether the sound has gone through the chain since it came to the headphone.
  ///
  /// If it no longer does, the user moved it.
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

/// An effect of corrections.
package enum CorrectionEffect: Hashable, Sendable {
  /// Looks a headphone up in the table by its names, best first.
  case find(HeadphoneID, names: [String], maker: String)
  /// Searches the whole table.
  case search(HeadphoneID, String)
  /// Reads the user's file.
  case read(HeadphoneID, path: String)
  /// Starts a chain, after the previous one in the headphone's slot has ended.
  case start(HeadphoneID, CorrectionChain)
  /// Ends the chain in a slot.
  case end(HeadphoneID, slot: Int)
}

/// An event of a headphone's correction.
package enum CorrectionEvent: Hashable, Sendable {
  case changed(CorrectionChange)
  /// A command or a page needs the correction to be looked up.
  case wanted
  /// The result of ``CorrectionEffect/find(_:names:maker:)``, dropped if the names have changed.
  case found(CorrectionMatch, for: [String])
  case searched(CorrectionSearch)
  /// The user's file was read.
  case fileRead(path: String, ParametricEQ)
  /// The user's file cannot be used for this reason.
  case fileRejected(path: String, reason: String)
  /// The child of a chain ended unexpectedly, or could not be started.
  case chainEnded(slot: Int, String)
}

/// Whether a correction is heard, and if not, why.
package enum CorrectionStatus: Hashable, Sendable {
  case off
  /// The headphone's own equaliser has the correction.
  case inHeadphone
  /// The headphone's equaliser had the correction, but was changed since.
  case overridden
  /// The sound goes through the correction on this computer.
  case inUse
  /// The correction is ready, but the sound goes elsewhere.
  case ready
  /// The correction waits for this reason.
  case waiting(String)
  /// The user has to choose or change something for this reason.
  case unavailable(String)
  /// The correction is in progress, and not heard yet for this reason.
  case settling(String)
  /// The correction cannot be heard until something is changed, for this reason.
  case failed(String)

  /// Whether the status will change soon without the user.
  package var isBeingSet: Bool { if case .settling = self { true } else { false } }
}

public import HeadphoneProtocols

/// What a person wants of the correction of a headphone; kept for later runs.
public struct CorrectionChoice: Hashable, Sendable {
  /// Where a correction is applied.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// In the headphone where it has bands of its own, else on this computer.
    case automatic = "auto"
    case headphone
    case computer
  }

  /// Whether it is to be heard.
  public var isOn = false
  /// Whether it was chosen on a screen or by a command, which counts before the configuration.
  public var isByHand = false
  /// The line of the table by its name; nil: the model that the headphone certainly is.
  public var name: String?
  /// A person's own file, in place of the table; nil: the table.
  public var file: String?
  /// %, 0 to 100.
  public var strength = 100
  /// The bass shelf of taste, -6 to 6 dB.
  public var bass = BandGain.flat
  public var place = Place.automatic
  /// What the headphone's own equaliser had before; nil: the correction is not in it.
  public package(set) var before: EQSound?

  public init() {}

  /// The most that the bass shelf raises or lowers.
  public static let mostBass = BandGain(decibels: 6)
}

/// What the configuration wants of the correction of a headphone, until something is chosen by hand.
public struct CorrectionPreference: Hashable, Sendable {
  /// The headphone, by its name, identity or address, or a unique part of one.
  public var headphone: String
  /// "auto", "off", a line of the table by its name, or the path of a file, which has a slash.
  public var correction: String

  public init(headphone: String, correction: String) {
    self.headphone = headphone
    self.correction = correction
  }

  /// What it stands for.
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

/// A change of what a person wants.
public enum CorrectionChange: Hashable, Sendable {
  case on(Bool)
  /// The line of the table by its name; nil: what the headphone certainly is.
  case line(String?)
  /// A person's own file.
  case file(String)
  /// %; clamped to 0 to 100.
  case strength(Int)
  /// Clamped to -6 to 6 dB.
  case bass(BandGain)
  case place(CorrectionChoice.Place)
  /// Whether the sound without the correction is played, as loud as with it.
  case comparing(Bool)
}

/// A headphone's correction: what is wanted, what was found, and what is in force.
public struct CorrectionState: Hashable, Sendable {
  /// What is wanted; kept for later runs.
  public var choice = CorrectionChoice()
  /// What the table has for the headphone; nil: it was not looked up.
  public internal(set) var match: CorrectionMatch?
  /// The last search, and what it found; nil: none.
  public internal(set) var search: CorrectionSearch?
  /// The content of the person's file; nil: none, or not read.
  var fileCurve: ParametricEQ?
  /// Whether the uncorrected sound is played, as loud as the corrected.
  public internal(set) var isComparing = false
  /// Why it is not applied, until something is changed; nil: nothing went wrong.
  public internal(set) var failure: String?

  /// The names under which it was looked up last.
  var lookedUp: [String] = []
  /// Whether it is being looked up.
  var isLooking = false
  /// The file that was asked for last.
  var readFile: String?
  /// The curve as it is to be heard, with what it was computed from.
  var prepared: PreparedCorrection?
  /// The gains that the headphone's own bands were given.
  var applied: [BandGain]?
  /// The chain that is heard, or starts first.
  var chain: RunningChain?
  /// The one that takes its place.
  var next: RunningChain?
  /// How often the child ended or made no sink, since something was changed.
  var attempts = 0
  /// The slot of the chain that was started last.
  var slot = 7

  /// Whether anything is to be done for it.
  var isActive: Bool {
    choice.isOn || choice.before != nil || chain != nil || next != nil
  }

  /// Whether a time limit runs for a chain.
  var isAwaited: Bool { chain?.isAwaited == true || next?.isAwaited == true }

  public init() {}
}

/// The lines of the table that a search found.
public struct CorrectionSearch: Hashable, Sendable {
  /// The words that were searched for.
  public var text: String
  /// The lines that have them all.
  public var found: [Correction]

  public init(text: String, found: [Correction]) {
    self.text = text
    self.found = found
  }
}

/// A chain that was started.
struct RunningChain: Hashable, Sendable {
  var chain: CorrectionChain
  /// Whether the server has its sink.
  var isUp = false
  /// Whether the server still had an older sink of its name.
  var isStale = false
  /// Whether the sound has gone through it since it came to the headphone: if it no longer does, a person moved it.
  var hadSound = false
  /// Requests to send the sound through it that have had no effect so far.
  var requests = 0

  /// Whether its time limit runs.
  var isAwaited: Bool { !isUp || requests > 0 }
}

/// A curve, as adjusted, and what it makes of a headphone's bands.
struct PreparedCorrection: Hashable, Sendable {
  /// What it depends on.
  struct Source: Hashable, Sendable {
    var name: String
    var strength: Int
    var bass: BandGain
    var isComparing: Bool
    var bands: EQBands?
  }

  var source: Source
  var curve: ParametricEQ
  /// Nil: the headphone has no bands of its own.
  var fit: EQFit?
}

/// An effect of corrections.
public enum CorrectionEffect: Hashable, Sendable {
  /// Looks a headphone up in the table by its names, the best first.
  case find(HeadphoneID, names: [String], maker: String)
  /// Searches all of the table.
  case search(HeadphoneID, String)
  /// Reads a person's file.
  case read(HeadphoneID, path: String)
  /// Starts a chain, after that of the same headphone and slot has ended.
  case start(HeadphoneID, CorrectionChain)
  /// Ends the chain of a slot.
  case end(HeadphoneID, slot: Int)
}

/// What happens to the correction of a headphone.
public enum CorrectionEvent: Hashable, Sendable {
  /// A person wants something else.
  case changed(CorrectionChange)
  /// It is to be looked up, because a command or a page shows it.
  case wanted
  /// The answer of ``CorrectionEffect/find(_:names:maker:)``, with its names; an answer about others than
  /// were asked for last is dropped.
  case found(CorrectionMatch, for: [String])
  /// The answer of ``CorrectionEffect/search(_:_:)``.
  case searched(CorrectionSearch)
  /// The person's file, as it was read.
  case fileRead(path: String, ParametricEQ)
  /// The person's file cannot be used; why.
  case fileRejected(path: String, reason: String)
  /// The child of a chain ended by itself, or could not be started; why.
  case chainEnded(slot: Int, String)
}

/// Whether a correction is heard, and if not, why.
public enum CorrectionStatus: Hashable, Sendable {
  case off
  /// The headphone's own equaliser has it.
  case inHeadphone
  /// The headphone's equaliser had it, and was changed by hand since.
  case overridden
  /// The sound goes through it on this computer.
  case inUse
  /// It is ready; the sound goes elsewhere.
  case ready
  /// Not yet: why.
  case waiting(String)
  /// It is under way: why it is not heard yet.
  case settling(String)
  /// It cannot be heard, until something is changed: why.
  case failed(String)

  /// Whether it changes by itself soon.
  public var isBeingSet: Bool { if case .settling = self { true } else { false } }
}

internal import HeadphoneProtocols

/// A timed sequence of actions on a headphone, given explicitly or generated from a seed.
///
/// ```swift
/// let script = SimulationScript([
///   .init(after: .seconds(5), .takeOut(.left)),
///   .init(after: .seconds(3), .putInEar(.left)),
/// ])
/// let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: clock, script: script)
/// ```
///
/// A script runs only while a phone is connected, and continues where it stopped.
public struct SimulationScript: Sendable {
  /// An action with the delay before it.
  public struct Step: Hashable, Sendable {
    /// The delay after the previous step or the connection, on the headphone's clock.
    public var after: Duration
    public var event: SimulationEvent

    public init(after: Duration, _ event: SimulationEvent) {
      self.after = after
      self.event = event
    }
  }

  private var steps: ArraySlice<Step>
  private var stories: ScriptGenerator?

  /// Creates a finite script.
  public init(_ steps: [Step] = []) { self.steps = steps[...] }

  /// Returns an endless script of everyday use: buds are taken out, touched, put into the case.
  public static func generated(seed: UInt64, _ model: VirtualModel) -> SimulationScript {
    var script = SimulationScript()
    script.stories = ScriptGenerator(seed: seed, model)
    return script
  }

  /// Returns the next step, or nil at the end of the script.
  public mutating func next() -> Step? {
    if steps.isEmpty, let story = stories?.next() { steps = story[...] }
    return steps.popFirst()
  }
}

struct ScriptGenerator: Sendable {
  private let hasCase: Bool
  private let hasTouch: Bool
  private var random: SplitMix64

  init(seed: UInt64, _ model: VirtualModel) {
    random = SplitMix64(seed: seed)
    hasCase = model.features.contains(.case)
    hasTouch = model.features.contains(.touchActions)
  }

  /// Returns a conversation (40 %), a touch (40 %) or a rest in the case (20 %); a conversation if
  /// the model supports no touches or has no case.
  mutating func next() -> [SimulationScript.Step] {
    let side = Side.allCases.randomElement(using: &random) ?? .left
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return chat(side)
    case 4..<8 where hasTouch: return [step(20...90, .touch(side, gesture()))]
    case 8..<10 where hasCase: return rest()
    default: return chat(side)
    }
  }

  private mutating func chat(_ side: Side) -> [SimulationScript.Step] {
    [step(40...150, .takeOut(side)), step(8...45, .putInEar(side))]
  }

  private mutating func rest() -> [SimulationScript.Step] {
    [
      step(120...300, .takeOut(.left)), step(1...3, .takeOut(.right)),
      step(2...6, .openLid), step(1...3, .putIntoCase(.left)), step(1...3, .putIntoCase(.right)),
      step(1...4, .closeLid), step(60...240, .openLid), step(1...3, .putInEar(.right)),
      step(1...3, .putInEar(.left)), step(1...4, .closeLid),
    ]
  }

  private mutating func gesture() -> TouchGesture {
    let gestures: [TouchGesture] = [.tap, .tap, .tap, .doubleTap, .hold]
    return gestures.randomElement(using: &random) ?? .tap
  }

  private mutating func step(_ seconds: ClosedRange<Int>, _ event: SimulationEvent)
    -> SimulationScript.Step
  {
    SimulationScript.Step(after: .seconds(Int.random(in: seconds, using: &random)), event)
  }
}

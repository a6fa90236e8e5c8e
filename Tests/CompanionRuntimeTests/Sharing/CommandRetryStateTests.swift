import CompanionRuntime
import Testing

/// What a visitor does when the owner leaves in the middle of its command.
@Suite struct CommandProgressTests {
  struct Case: CustomTestStringConvertible {
    var title: String
    var answers: [Answer]
    var repetition = CommandRetryState.Repetition.step
    var isAnsweredOnce = true
    var rest: CommandRetryState.Rest

    var testDescription: String { title }
  }

  static let cases = [
    Case(title: "it never began", answers: [], rest: .everything(word: nil)),
    Case(
      title: "nothing was done yet", answers: [.begun, .message("looking")], repetition: .unknown,
      rest: .everything(word: nil)),
    Case(
      title: "a step may have been done", answers: [.begun, .acting(as: "adaptive")],
      rest: .everything(word: "adaptive")),
    Case(
      title: "a step that nobody can name", answers: [.begun, .acting(as: nil)], rest: .unknown),
    Case(
      title: "the word of a step stays", answers: [.acting(as: "vocal"), .acting(as: nil)],
      rest: .everything(word: "vocal")),
    Case(
      title: "what is done once and twice alike", answers: [.begun, .acting(as: "off")],
      repetition: .harmless, rest: .everything(word: nil)),
    Case(
      title: "bytes that were written perhaps", answers: [.begun, .acting(as: nil)],
      repetition: .unknown, rest: .unknown),
    Case(
      title: "it was done, and said so", answers: [.begun, .acting(as: nil), .output("written")],
      repetition: .unknown, rest: .nothing),
    Case(
      title: "it had written the first of many lines", answers: [.begun, .output("Aurora")],
      repetition: .harmless, isAnsweredOnce: false, rest: .everything(word: nil)),
  ]

  @Test(arguments: cases) func `what is left follows from what was said`(_ example: Case) {
    var progress = CommandRetryState()
    for answer in example.answers { progress.take(answer) }
    let rest = progress.rest(
      of: example.repetition, isAnsweredOnce: example.isAnsweredOnce)
    #expect(rest == example.rest)
    #expect(progress.hasBegun == example.answers.contains(.begun))
  }

  @Test func `a lost owner is reported with its number, what is known, and what helps`() {
    let stopped = CommandError.ownerLost(OwnerUnavailable(.stopped(42), mayBeDone: false))
    #expect(stopped.status == .linkLost)
    #expect(stopped.message.contains("process 42"))
    #expect(stopped.message.contains("nothing was done"))
    #expect(stopped.message.contains("kill -CONT 42"))
    let left = CommandError.ownerLost(OwnerUnavailable(.left, mayBeDone: true))
    #expect(left.status == .linkLost)
    #expect(left.message.contains("whether it was done is unknown"))
  }
}

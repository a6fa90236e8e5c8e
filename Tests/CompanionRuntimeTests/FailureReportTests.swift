import CompanionRuntime
import HeadphoneProtocols
import Testing

@Suite struct FailureReportTests {
  @Test func `a failure says what happened and what to do, in two lines`() {
    let report = FailureReport(CommandError.notFound(selector: "nope"))
    #expect(report.text.hasPrefix("\"nope\" not found nearby\ntake it out of its case"))
    #expect(report.code == 4)
  }

  @Test func `in JSON it has its exit status; without advice that is null`() {
    #expect(
      "\(FailureReport(CommandError.unavailable("one thing")).json)"
        == #"{"schema":1,"error":{"code":1,"what":"one thing","advice":null}}"#)
    let both = FailureReport(CommandError.unavailable("one thing\ndo another"))
    #expect(both.what == "one thing")
    #expect(both.advice == "do another")
  }
}

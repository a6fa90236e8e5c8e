internal import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// Tests how well the tips of both buds seal, and waits for the result.
  ///
  /// - Throws: ``CommandError/noFitResult`` if there is none in the time that the protocol allows.
  package func testFit() async throws(CommandError) -> FitReport {
    try require({ $0.declares(FitReport.test) }, "fit test")
    do throws(CommandError) {
      try await perform(.set(FitReport.test, .done))
    } catch {
      switch error {
      case .command(.noResponse), .untried(.noResponse): throw .noFitResult
      default: throw error
      }
    }
    guard let headphone else { throw .link(.user) }
    return FitReport(headphone)
  }
}

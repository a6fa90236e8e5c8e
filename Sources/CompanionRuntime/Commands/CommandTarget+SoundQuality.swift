internal import Companion

extension CommandTarget {
  /// Returns the report on the sound quality of the chosen headphone, or else of a sound device.
  ///
  /// - Parameter selector: The beginning of a sound device's name or address, or nil for the one that
  ///   plays.
  package func soundQuality(or selector: String?) async -> SoundQualityReport {
    await observeAudio()
    let survey = await effects.dependencies.surveySound()
    return SoundQualityReport(
      state.soundQualityFacts(of: headphone, or: selector, survey), of: id)
  }
}

internal import BluetoothCodec
internal import BluetoothRadio
package import Companion
internal import EventLoop
internal import Persistence

extension LiveEffectHandler {
  /// The time limit for reading services and links; a service discovery takes at most 4 s.
  private static let surveyTimeout: Duration = .seconds(10)

  /// Examines this computer and, if `id` is not nil, a headphone, without changing anything.
  ///
  /// The headphone is only asked for its lists of services, over links that are up.
  package func examineSecurity(of id: HeadphoneID?) async -> Action {
    async let computer = dependencies.examineComputer()
    var survey: HeadphoneSurvey?
    if let id {
      survey =
        await within(Self.surveyTimeout, by: clock) { await self.survey(id) } ?? HeadphoneSurvey()
    }
    return .securityExamined(await computer, id, survey)
  }

  private func survey(_ id: HeadphoneID) async -> HeadphoneSurvey {
    var survey = HeadphoneSurvey()
    let radio = dependencies.radio
    if let client = attributes(of: id), let database = try? await client.completeDatabase() {
      survey.lowEnergyServices = Set(database.services.map(\.uuid))
    }
    let peer = links.peers[id]
    let audio = links.registry.audioSide(of: id) ?? peer.flatMap { $0.kind == .classic ? $0 : nil }
    if let audio {
      survey.classicProtection = await radio.protection(of: audio.address)
      // Without a link, the kernel would page the headphone.
      if survey.classicProtection != nil {
        let records = try? await radio.serviceRecords(of: audio.address)
        survey.classicServices = records.map { Set($0.serialServices) }
      }
    }
    let identities = [peer.map { dependencies.bonds.identity(of: $0) }, audio].compactMap(\.self)
    let bonds = await dependencies.bonds.bonds()
    survey.keys =
      bonds.first { bond in identities.contains { $0.address == bond.identity.address } }
      .flatMap { StoredKeys($0) }
    return survey
  }
}

import Companion
import HeadphoneProtocols
import Testing

@testable import CompanionRuntime

@Suite struct ChangingTests {
  @Test func `each change that waits for the headphone's answer counts`() {
    let idle = HeadphoneState(
      id: HeadphoneID(rawValue: "a"), name: "", address: earPeer)
    #expect(!idle.isChanging)
    let token = CommandToken(rawValue: 1)
    let changes: [(inout HeadphoneState) -> Bool] = [
      { $0.anc.want(.off, token: token) }, { $0.ancLevel.want(1, token: token) },
      { $0.eq.want(.vocal, token: token) }, { $0.bands.want([], token: token) },
      { $0.settings[.volume].want(.level(1), token: token) },
      { $0.find.want([], token: token) },
    ]
    for change in changes {
      var headphone = idle
      #expect(change(&headphone))
      #expect(headphone.isChanging)
    }
  }
}

import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct SecurityPageTests {
  private let computer: ComputerSecurityFacts = {
    var computer = ComputerSecurityFacts()
    computer.adapter = .init(
      isPairable: true, pairableTimeout: 0, isDiscoverable: false, discoverableTimeout: 180)
    return computer
  }()

  @Test func `the page looks each time that it opens, and on request`() {
    var scenario = Scenario.withAdapter()
    scenario.press(.security, effects: [.examineSecurity(nil)]) { $0.page = .security(line: 0) }
    scenario.send(.securityExamined(computer, nil, nil)) { $0.computerSecurity = computer }
    scenario.press(.refresh, effects: [.examineSecurity(nil)])
    scenario.press(.security) { $0.page = .main }
    scenario.press(.security, effects: [.examineSecurity(nil)]) {
      $0.page = .security(line: 0)
      $0.computerSecurity = nil
    }
    #expect(scenario.state.securityFindings == nil)
  }

  @Test func `an advice that is a command runs after a question, and everything is read again`() {
    var scenario = Scenario.withAdapter()
    _ = scenario.effects(of: .pressed(.security))
    _ = scenario.effects(of: .securityExamined(computer, nil, nil))
    let line = scenario.state.securityFindings?.firstIndex { $0.check == "pairable" }
    for _ in 0..<(line ?? 0) { _ = scenario.effects(of: .pressed(.down)) }
    _ = scenario.effects(of: .pressed(.accept))
    let fix = Fix.command("bluetoothctl", "pairable", "off")
    #expect(scenario.state.dialog == .question(Question(.runFix(fix))))
    _ = scenario.effects(of: .pressed(.right))
    #expect(scenario.effects(of: .pressed(.accept)).contains(.runFix(fix)))
    #expect(scenario.effects(of: .fixEnded(status: 0)).last == .examineSecurity(nil))
    _ = scenario.effects(of: .pressed(.top))
    _ = scenario.effects(of: .pressed(.accept))
    #expect(scenario.state.notice?.text.hasPrefix("only you can do this: earshot scan") == true)
  }

  @Test func `what is read of a headphone is kept for it`() {
    var scenario = Scenario.withAdapter()
    _ = scenario.effects(of: .discovered(peripheral(ear)))
    var survey = HeadphoneSurvey()
    survey.lowEnergyServices = [.bit16(0x180F)]
    survey.classicProtection = LinkProtection(level: .medium, keySize: 7)
    _ = scenario.effects(of: .securityExamined(computer, ear, survey))
    let sizes = scenario.state.securityFindings?.filter { $0.check == "key-size" }
    #expect(sizes?.map(\.verdict) == [.act])
    #expect(sizes?.first?.what.hasPrefix("7 bytes on the sound's link (BR/EDR)") == true)
  }

  private func advertised(_ traits: AdvertisedTraits) -> Action {
    var found = peripheral(ear)
    found.traits = traits
    return .discovered(found)
  }

  @Test func `a pairing that was not invited is noticed, and only that`() {
    let address = randomPeer("F0:F1:F2:F3:F4:F5")
    let cases: [(AdvertisedTraits?, Bool?)] = [
      (AdvertisedTraits(address: address, isDiscoverable: false), true),
      (AdvertisedTraits(address: address, isDiscoverable: true), false),
      (AdvertisedTraits(address: address, isDiscoverable: false, fastPair: .inviting), false),
      (AdvertisedTraits(address: address, isDiscoverable: nil), nil), (nil, nil),
    ]
    for (traits, isUninvited) in cases {
      var scenario = Scenario.withAdapter()
      _ = scenario.effects(of: .discovered(peripheral(ear)))
      if let traits { _ = scenario.effects(of: advertised(traits)) }
      _ = scenario.effects(of: .pairing(.ended(ear, nil)))
      #expect(scenario.state.headphones[ear]?.exposure.acceptedUninvitedPairing == isUninvited)
    }
  }

  @Test func `an advertisement is read for what it shows others`() {
    let peer = randomPeer("40:12:34:56:78:9A")
    func traits(_ structures: AdvertisingStructure...) -> AdvertisedTraits {
      AdvertisedTraits(
        DiscoveredPeripheral(
          peer: peer, rssi: -50, data: AdvertisingData(structures), isConnectable: true))
    }
    #expect(traits() == AdvertisedTraits(address: peer))
    #expect(!traits().isFirsthand && traits(.flags(.simultaneousController)).isFirsthand)
    #expect(traits(.flags([.leLimitedDiscoverable])).isDiscoverable == true)
    #expect(traits(.flags([.brEdrNotSupported])).isDiscoverable == false)
    #expect(traits(.localName(Array("A".utf8)[...], isComplete: true)).hasName)
    #expect(traits(.serviceData(.fastPair, [0x00, 0x00])).fastPair == .withoutAccountKey)
    #expect(
      traits(.serviceData(.fastPair, [0x00, 0x20, 0x01, 0x02])).fastPair == .withAccountKey)
    #expect(traits(.serviceData(.fastPair, [1, 2, 3])).fastPair == .inviting)
    #expect(traits(.serviceData(.fastPair, [0x00, 0x33, 0x57, 0x41, 0x7F])).fastPair == nil)
    let debug = SecurityTables.debugServices.map(\.uuid)
    #expect(
      traits(.serviceUUIDs(debug + [.bit16(0x180F)], isComplete: true)).debugServices == Set(debug))
  }

  @Test func `a newer firmware is named if it repairs a flaw of this one`() {
    var headphone = HeadphoneState(
      id: ear, name: "My pods", address: randomPeer("F0:F1:F2:F3:F4:F5"))
    #expect(headphone.firmwareText == nil)
    headphone.information = DeviceInformation(model: "A3048", firmware: "5B58")
    #expect(
      headphone.firmwareText
        == "5B58 (6F8 is known, and repairs CVE-2023-27964, CVE-2024-27867)")
    headphone.information.firmware = "7A294"
    #expect(headphone.firmwareText == "7A294")
    headphone.information = DeviceInformation(model: "Ear (a)", firmware: "1.0.1.52")
    #expect(headphone.firmwareText == "1.0.1.52")
  }
}

import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct PairingSignalTests {
  static let bud = ManagementPeer(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .leRandom)
  static let key = SecretKey(Bytes(0..<16))

  private static func passkey(_ number: UInt32) -> Passkey? { Passkey(number) }

  @Test func `each question of the kernel is one for a person`() throws {
    let bud = Self.bud
    let number = try #require(Passkey(31_415))
    let table: [(ManagementEvent, PairingRequest)] = [
      (.userConfirmationRequest(bud, value: 0, isHint: true), .consent),
      (.userConfirmationRequest(bud, value: 31_415, isHint: false), .compare(number)),
      (.userPasskeyRequest(bud), .enter),
      (.passkeyNotify(bud, passkey: 31_415, entered: 2), .show(number, entered: 2)),
      (.pinCodeRequest(bud, isSecure: false), .enterPIN),
    ]
    for (event, request) in table { #expect(PairingSignal(event) == .asks(bud, request)) }
  }

  @Test func `numbers that are none ask nothing`() {
    let bud = Self.bud
    #expect(
      PairingSignal(.userConfirmationRequest(bud, value: 1_000_000, isHint: false)) == nil)
    #expect(PairingSignal(.passkeyNotify(bud, passkey: .max, entered: 0)) == nil)
  }

  @Test func `ends are reported`() {
    let bud = Self.bud
    #expect(
      PairingSignal(.authenticationFailed(bud, .authenticationFailed))
        == .failed(bud, .authenticationFailed))
    for event: ManagementEvent in [
      .deviceDisconnected(bud, .remote), .connectFailed(bud, .timeout), .deviceUnpaired(bud),
    ] {
      #expect(PairingSignal(event) == .ended(bud))
    }
    #expect(PairingSignal(.newSettings(.powered)) == nil)
  }

  @Test(arguments: [true, false])
  func `only keys to be stored are kept`(isToBeStored: Bool) throws {
    let key = try #require(Self.key)
    let bud = Self.bud
    let longTerm = LongTermKey(
      peer: bud, kind: .authenticatedP256, central: 0, encryptionSize: 16,
      encryptedDiversifier: 0, random: 0, key: key)
    let link = LinkKey(
      peer: ManagementPeer(bud.address, .brEdr), kind: 8, key: key, pinLength: 0)
    let identity = IdentityResolvingKey(peer: bud, key: key)
    let today = BluetoothAddress(value: 0x4001_0203_0405)
    let table: [(ManagementEvent, PairingSignal)] = [
      (
        .newLongTermKey(longTerm, isToBeStored: isToBeStored),
        .made(.longTerm(longTerm), from: nil)
      ),
      (.newLinkKey(link, isToBeStored: isToBeStored), .made(.link(link), from: nil)),
      (
        .newIdentityResolvingKey(identity, from: today, isToBeStored: isToBeStored),
        .made(.identityResolving(identity), from: today)
      ),
    ]
    for (event, signal) in table {
      #expect(PairingSignal(event) == (isToBeStored ? signal : nil))
    }
  }

  @Test func `each answer is the kernel's own word`() throws {
    let bud = Self.bud
    let number = try #require(Passkey(31_415))
    let table: [(PairingRequest, PairingAnswer?, ManagementCommand?)] = [
      (.consent, .yes, .userConfirmationReply(bud)),
      (.consent, .no, .userConfirmationNegativeReply(bud)),
      (.consent, nil, .userConfirmationNegativeReply(bud)),
      (.compare(number), .yes, .userConfirmationReply(bud)),
      (.compare(number), .passkey(number), .userConfirmationNegativeReply(bud)),
      (.compare(number), nil, .userConfirmationNegativeReply(bud)),
      (.enter, .passkey(number), .userPasskeyReply(bud, passkey: 31_415)),
      (.enter, .yes, .userPasskeyNegativeReply(bud)),
      (.enter, nil, .userPasskeyNegativeReply(bud)),
      (.enterPIN, .pin(.usual), .pinCodeReply(bud, pin: [0x30, 0x30, 0x30, 0x30])),
      (.enterPIN, .yes, .pinCodeNegativeReply(bud)),
      (.enterPIN, nil, .pinCodeNegativeReply(bud)),
      (.show(number, entered: 0), .no, .disconnect(bud)),
      (.show(number, entered: 0), .yes, nil),
      (.show(number, entered: 0), nil, nil),
    ]
    for (request, answer, command) in table {
      #expect(request.reply(answer, to: bud) == command, "\(request) \(String(describing: answer))")
    }
  }

  @Test func `a status says why pairing failed`() {
    let table: [(ManagementStatus, SecurityFailure?)] = [
      (.success, nil), (.alreadyPaired, nil), (.notPaired, nil), (.cancelled, .declined),
      (.authenticationFailed, .refused), (.rejected, .refused), (.busy, .refused),
      (.notSupported, .unsupported), (.timeout, .closed(BearerClosed(.connectTimeout))),
      (.connectFailed, .closed(BearerClosed(.connectTimeout))),
      (.disconnected, .closed(BearerClosed(.peer))),
      (.notPowered, .closed(BearerClosed(.adapterGone))),
      (.permissionDenied, .notPermitted(capability: "CAP_NET_ADMIN")),
    ]
    for (status, failure) in table { #expect(SecurityFailure(status) == failure, "\(status)") }
  }
}

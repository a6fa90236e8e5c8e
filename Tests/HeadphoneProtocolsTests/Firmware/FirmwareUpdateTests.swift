import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

/// The update's reaction to single responses and ends of links.
@Suite struct FirmwareUpdateTests {
  private static let old = FirmwareVersion(1, 0, 0)
  private static let new = FirmwareVersion(2, 0, 0)
  private let image: FirmwareImage
  private var update: FirmwareUpdate

  init() throws {
    image = try FirmwareExample.image(600)
    update = FirmwareUpdate(image)
  }

  private typealias Effects = [FirmwareUpdate.Effect]

  /// Connects a link on which the headphone reports its state.
  private mutating func link(
    _ state: FirmwareStatus.State, running: FirmwareVersion, revision: FirmwareVersion? = nil
  ) -> Effects {
    let link = FirmwareUpdate.Link(
      longestValue: 182, hasDataCharacteristic: true, revision: revision)
    #expect(update.linkReady(link, at: .zero) == [.submit(.status)])
    let status = FirmwareStatus(state: state, offset: 0, running: running, pending: nil)
    return respond(to: .status, status.encoded())
  }

  private mutating func respond(to request: FirmwareRequest, _ data: [UInt8] = []) -> Effects {
    update.receive(request, .success(data[...]), at: .zero)
  }

  private mutating func refuse(_ request: FirmwareRequest, _ status: HeadphoneStatus) -> Effects {
    update.receive(request, .failure(.refused(status)), at: .zero)
  }

  private var begin: FirmwareRequest { .begin(header: image.header[...]) }

  /// Reports an image that is already on the headphone, with the offset to resume from.
  private mutating func goOn(from offset: UInt32) -> Effects {
    #expect(link(.receiving, running: Self.old) == [.submit(begin)])
    return respond(to: begin, FirmwareStart(offset: offset, window: 8, longestFrame: 182).encoded())
  }

  /// Advances the update up to the response to `activate`.
  private mutating func activate() {
    #expect(goOn(from: 600) == [.submit(.verify)])
    #expect(respond(to: .verify) == [.submit(.activate)])
    #expect(respond(to: .activate) == [])
    #expect(update.phase == .restarting)
  }

  @Test mutating func `what is whole already is verified at once`() {
    #expect(goOn(from: 600) == [.submit(.verify)])
  }

  @Test mutating func `nothing can be there beyond the image's end`() {
    #expect(
      goOn(from: 601) == [
        .finished(.failed(.impossibleAcknowledgement(offset: 601, sent: 600)))
      ])
  }

  @Test(arguments: [nil, FirmwareUpdateTests.new])
  mutating func `an image on trial is confirmed where nothing speaks against it`(
    revision: FirmwareVersion?
  ) {
    #expect(link(.trial, running: Self.new, revision: revision) == [.submit(.confirm)])
    #expect(respond(to: .confirm) == [.finished(.installed(Self.new))])
  }

  @Test mutating func `an image whose headphone calls itself otherwise is never confirmed`() {
    #expect(
      link(.trial, running: Self.new, revision: Self.old) == [
        .finished(.failed(.revisionDiffers(expected: Self.new, reported: Self.old)))
      ])
  }

  @Test mutating func `another image on trial is left alone`() {
    #expect(
      link(.trial, running: Self.old) == [.finished(.failed(.anotherOnTrial(Self.old)))])
  }

  @Test(arguments: [FirmwareStatus.State.idle, .rolledBack])
  mutating func `a headphone that comes back with the old version has rolled back`(
    state: FirmwareStatus.State
  ) {
    activate()
    #expect(update.linkLost(at: .zero) == [.reconnect])
    #expect(
      link(state, running: Self.old) == [.finished(.failed(.rolledBack(running: Self.old)))])
  }

  @Test mutating func `a confirmation whose answer was lost is seen in the state`() {
    activate()
    #expect(update.linkLost(at: .zero) == [.reconnect])
    #expect(link(.idle, running: Self.new) == [.finished(.installed(Self.new))])
  }

  @Test mutating func `a restart that does not begin is waited for, and then the link is ended`() {
    activate()
    #expect(update.nextDeadline == .seconds(15))
    #expect(update.elapse(to: .seconds(14)) == [])
    #expect(update.elapse(to: .seconds(15)) == [.reconnect])
  }

  @Test mutating func `a headphone that never comes back is no success`() {
    activate()
    #expect(update.linkLost(at: .zero) == [.reconnect])
    #expect(update.linkUnavailable() == [.finished(.failed(.neverCameBack))])
  }

  @Test mutating func `an order to restart that is refused ends the update`() {
    #expect(goOn(from: 600) == [.submit(.verify)])
    #expect(respond(to: .verify) == [.submit(.activate)])
    #expect(
      refuse(.activate, .batteryTooLow) == [
        .finished(.failed(.refused(.firmwareActivate, .batteryTooLow)))
      ])
  }

  @Test(arguments: [HeadphoneStatus.digestWrong, .signatureInvalid])
  mutating func `an image that arrived wrong is not gone on with`(status: HeadphoneStatus) {
    #expect(goOn(from: 600) == [.submit(.verify)])
    #expect(
      refuse(.verify, status) == [
        .submit(.abort), .finished(.failed(.refused(.firmwareVerify, status))),
      ])
  }

  @Test mutating func `an answer that makes no sense ends the update`() {
    let link = FirmwareUpdate.Link(longestValue: 182, hasDataCharacteristic: true)
    #expect(update.linkReady(link, at: .zero) == [.submit(.status)])
    #expect(respond(to: .status, [9]) == [.finished(.failed(.badResponse(.firmwareStatus)))])
  }

  @Test mutating func `a frame is no longer than link and headphone take`() throws {
    #expect(link(.idle, running: Self.old) == [.submit(begin)])
    _ = respond(to: begin, FirmwareStart(offset: 0, window: 8, longestFrame: 20).encoded())
    for _ in 0..<8 {
      let next = update.nextFrame(at: .zero)
      let frame = try #require(next)
      #expect(frame.encoded().count <= 20)
    }
    #expect(update.nextFrame(at: .zero) == nil)
  }

  @Test mutating func `without the data characteristic each command fits into one value`() {
    let link = FirmwareUpdate.Link(longestValue: 40, hasDataCharacteristic: false)
    #expect(update.linkReady(link, at: .zero) == [.submit(.status)])
    let status = FirmwareStatus(state: .idle, offset: 0, running: Self.old, pending: nil)
    #expect(respond(to: .status, status.encoded()) == [.submit(begin)])
    let sent = respond(to: begin, FirmwareStart(offset: 0, window: 8, longestFrame: 514).encoded())
    // One at a time, as the headphone takes one command at a time.
    guard sent.count == 1, case .submit(let request)? = sent.first else {
      Issue.record("\(sent)")
      return
    }
    #expect(request.id == .firmwareData)
    #expect(HeadphonePacket.headerLength + request.payload.count + 1 == 40)
  }

  @Test mutating func `an acknowledgement that lies makes the headphone forget the image`() throws {
    #expect(goOn(from: 0) == [])
    let next = update.nextFrame(at: .zero)
    let frame = try #require(next)
    let sent = frame.bytes.count
    let lie = FirmwareAcknowledgement(
      contiguousOffset: UInt32(sent) + 1, window: 8, arrived: 0)
    #expect(
      update.acknowledged(lie, at: .zero) == [
        .submit(.abort),
        .finished(.failed(.impossibleAcknowledgement(offset: sent + 1, sent: sent))),
      ])
  }

  @Test mutating func `a rate is reported only where this link has brought something`() throws {
    let image = try FirmwareExample.image(2000)
    update = FirmwareUpdate(image)
    let link = FirmwareUpdate.Link(longestValue: 182, hasDataCharacteristic: true)
    _ = update.linkReady(link, at: .zero)
    let status = FirmwareStatus(state: .receiving, offset: 700, running: Self.old, pending: nil)
    _ = respond(to: .status, status.encoded())
    let begin = FirmwareRequest.begin(header: image.header[...])
    _ = respond(to: begin, FirmwareStart(offset: 700, window: 8, longestFrame: 182).encoded())
    var end: UInt32 = 700
    while end < 1024, let frame = update.nextFrame(at: .zero) {
      end = frame.offset + UInt32(frame.bytes.count)
    }
    let arrived = FirmwareAcknowledgement(contiguousOffset: end, window: 8, arrived: 0)
    let checks = update.acknowledged(arrived, at: .milliseconds(600))
    guard case .submit(let check)? = checks.first, check.id == .firmwareBlockDone else {
      Issue.record("\(checks)")
      return
    }
    #expect(try #require(update.progress(at: .seconds(1)).rate) > 0)
    // The block was wrong: it begins before the place where this link went on.
    _ = update.receive(check, .failure(.refused(.blockChecksumWrong)), at: .seconds(1))
    #expect(update.progress(at: .seconds(1)).bytes == 512)
    #expect(update.progress(at: .seconds(1)).rate == nil)
  }
}

import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Which of a headphone's serial channels is opened, and how often.
@Suite struct SerialChannelTests {
  /// A radio whose headphone has records of one service on several channels.
  private final class SeveralChannels: ForwardingRadio {
    let base: any Radio
    let numbers: [UInt8]
    /// The channel that answers, and how often it is refused before.
    let spoken: UInt8
    let refusals: Mutex<Int>
    /// The channels that were connected, in order.
    let called = Mutex<[UInt8]>([])

    init(_ base: any Radio, _ numbers: [UInt8], spoken: UInt8, refusals: Int = 0) {
      (self.base, self.numbers, self.spoken) = (base, numbers, spoken)
      self.refusals = Mutex(refusals)
    }

    func serialChannels(of address: BluetoothAddress, service: BluetoothUUID) -> [UInt8] {
      numbers
    }

    func connect(
      to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
    ) async throws(RadioError) -> (any Bearer)? {
      called.withLock { $0.append(channel ?? 0) }
      guard channel == spoken || channel == nil else { throw .refused }
      let isRefused = refusals.withLock { refusals in
        refusals -= 1
        return refusals >= 0
      }
      if isRefused { throw .refused }
      return try await base.connect(to: address, service: service, channel: nil, timeout: timeout)
    }
  }

  /// Returns a Bose with a record of its service.
  private func radio(_ numbers: [UInt8], refusals: Int = 0) -> (SeveralChannels, BluetoothAddress?)
  {
    let headphone = VirtualHeadphone(.bose, loop: .shared, clock: ManualClock())
    let base = VirtualRadio(headphones: [headphone], clock: ManualClock())
    let radio = SeveralChannels(
      base, numbers, spoken: numbers.last ?? 0, refusals: refusals)
    return (radio, headphone.model.audioAddress)
  }

  @Test func `each channel of a service's records is tried in turn`() async throws {
    let (radio, address) = radio([2, 1])
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: try #require(address), on: radio, timeout: .seconds(1), clock: ManualClock())
    #expect(radio.called.withLock { $0 } == [2, 1])
    bearer.close(.user)
  }

  @Test func `a channel that was just closed is tried three times`() async throws {
    for (numbers, refusals, isOpened) in [([2], 2, true), ([2, 1], 1, true), ([2], 3, false)]
      as [([UInt8], Int, Bool)]
    {
      let (radio, address) = radio(numbers, refusals: refusals)
      let clock = ManualClock()
      let audio = try #require(address)
      let opening = Task {
        try await HeadphoneFamily.connectAudioSide(
          of: audio, on: radio, timeout: .seconds(1), clock: clock)
      }
      for _ in 0..<min(refusals, 2) { await clock.pass(.milliseconds(1200)) }
      if isOpened {
        try await opening.value.close(.user)
      } else {
        await #expect(throws: RadioError.refused) { _ = try await opening.value }
        #expect(radio.called.withLock { $0 } == [2, 2, 2])
      }
    }
  }
}

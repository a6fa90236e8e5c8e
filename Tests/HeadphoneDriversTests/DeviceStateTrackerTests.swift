import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import HeadphoneDrivers

/// A change by this phone is reported once, whichever confirmation arrives first.
@Suite struct DeviceStateTrackerTests {
  @Test func `the response first`() {
    var known = DeviceStateTracker()
    known.request(.ancChanged(.adaptive))
    #expect(known.accepted(.ancChanged(.adaptive)) == [.ancChanged(.adaptive)])
    #expect(known.receive(.anc(.adaptive)) == [])
    #expect(known.receive(.anc(.adaptive)) == [.ancChanged(.adaptive)])
  }

  @Test func `the notification first`() {
    var known = DeviceStateTracker()
    known.request(.ancChanged(.adaptive))
    #expect(known.receive(.anc(.adaptive)) == [.ancChanged(.adaptive)])
    #expect(known.accepted(.ancChanged(.adaptive)) == [])
    #expect(known.receive(.anc(.adaptive)) == [.ancChanged(.adaptive)])
  }

  @Test func `another value meanwhile is reported`() {
    var known = DeviceStateTracker()
    known.request(.ancChanged(.adaptive))
    #expect(known.receive(.anc(.off)) == [.ancChanged(.off)])
    #expect(known.accepted(.ancChanged(.adaptive)) == [.ancChanged(.adaptive)])
    #expect(known.receive(.anc(.off)) == [.ancChanged(.off)])
    #expect(known.receive(.anc(.adaptive)) == [.ancChanged(.adaptive)])
  }

  @Test func `what follows the notification of a change is newer than its response`() {
    var known = DeviceStateTracker()
    known.request(.ancChanged(.off))
    #expect(known.receive(.anc(.off)) == [.ancChanged(.off)])
    #expect(known.receive(.anc(.transparency)) == [.ancChanged(.transparency)])
    #expect(known.accepted(.ancChanged(.off)) == [])
    #expect(known.noticed(.ancChanged(.transparency)) == [])
    known.request(.eqChanged(.bassBoost, bands: nil))
    #expect(known.receive(.eq(.bassBoost, bands: nil)) == [.eqChanged(.bassBoost, bands: nil)])
    #expect(known.receive(.eq(.vocal, bands: nil)) == [.eqChanged(.vocal, bands: nil)])
    #expect(known.accepted(.eqChanged(.bassBoost, bands: nil)) == [])
    #expect(known.eq == .vocal)
  }

  @Test func `a refused change leaves no trace`() {
    var known = DeviceStateTracker()
    known.request(.eqChanged(.vocal, bands: nil))
    #expect(known.receive(.eq(.vocal, bands: nil)) == [.eqChanged(.vocal, bands: nil)])
  }

  @Test func `an echo with new bands is news`() {
    var known = DeviceStateTracker()
    let bands = [1, 2].compactMap { BandGain(halfDecibels: $0) }
    known.request(.eqChanged(.custom, bands: nil))
    #expect(known.accepted(.eqChanged(.custom, bands: nil)) == [.eqChanged(.custom, bands: nil)])
    #expect(known.receive(.eq(.custom, bands: bands)) == [.eqChanged(.custom, bands: bands)])
  }

  @Test func `an unknown level is only reported of a part that once had one`() {
    var known = DeviceStateTracker()
    let first = known.receive(.battery(BatteryReport(left: 80, right: nil, case: nil)))
    #expect(first == [.batteryChanged([.left: Battery(level: 80)])])
    let second = known.receive(.battery(BatteryReport(left: nil, right: 70, case: nil)))
    #expect(
      second == [.batteryChanged([.left: Battery(level: nil), .right: Battery(level: 70)])])
  }

  @Test func `a value that notifies beside its event is reported once`() {
    var known = DeviceStateTracker()
    #expect(known.noticed(.ancChanged(.off)) == [.ancChanged(.off)])
    #expect(known.receive(.anc(.off)) == [])
    #expect(known.receive(.anc(.adaptive)) == [.ancChanged(.adaptive)])
    #expect(known.noticed(.ancChanged(.adaptive)) == [])
    #expect(known.noticed(.eqChanged(.vocal, bands: nil)) == [.eqChanged(.vocal, bands: nil)])
    #expect(known.noticed(level: 7, of: .case) == [.batteryChanged([.case: Battery(level: 7)])])
    #expect(known.noticed(level: 7, of: .case) == [])
  }

  @Test func `a level by its service keeps what is known of charging`() {
    var known = DeviceStateTracker()
    _ = known.receive(.battery(BatteryReport(left: 80, right: nil, case: nil, charging: [.left])))
    #expect(
      known.received(level: 81, of: .left)
        == [.batteryChanged([.left: Battery(level: 81, isCharging: true)])])
  }

  @Test func `what is read does not undo what was reported meanwhile`() {
    var known = DeviceStateTracker()
    known.beginReading()
    let reported = known.receive(.anc(.off))
    #expect(reported == [.ancChanged(.off)])
    let stale = known.read(.ancChanged(.transparency))
    #expect(stale.isEmpty)
    let preset = known.read(.eqChanged(.vocal, bands: nil))
    #expect(preset == [.eqChanged(.vocal, bands: nil)])
    known.beginReading()
    let newer = known.read(.ancChanged(.transparency))
    #expect(newer == [.ancChanged(.transparency)])
  }
}

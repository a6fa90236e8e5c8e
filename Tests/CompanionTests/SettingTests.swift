import Companion
import Testing

@Suite struct SettingTests {
  private let first = CommandToken(rawValue: 1)
  private let second = CommandToken(rawValue: 2)

  @Test func `a request is pending until the headphone tells the same value`() {
    var setting = Setting(0)
    #expect({ setting.want(1, token: first) }())
    #expect(setting.pending == 1)
    #expect(setting.confirmed == 0)
    setting.received(1)
    #expect(setting.pending == nil)
    #expect(setting.confirmed == 1)
  }

  @Test func `a failure falls back to the confirmed value`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    #expect({ setting.ended(first, succeeded: false, next: second) }() == nil)
    #expect(setting.shown == 0)
    #expect(setting.pending == nil)
  }

  @Test func `a failure takes away no later wish`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    _ = setting.want(2, token: second)
    #expect({ setting.ended(first, succeeded: false, next: second) }() == 2)
    #expect(setting.pending == 2 && setting.confirmed == 0)
  }

  @Test func `a success without an echo confirms what was sent`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    #expect({ setting.ended(first, succeeded: true, next: second) }() == nil)
    #expect(setting.confirmed == 1)
  }

  @Test func `what the headphone reported since outweighs what was sent`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    setting.received(3)
    #expect(setting.pending == 1)
    #expect({ setting.ended(first, succeeded: true, next: second) }() == nil)
    #expect(setting.confirmed == 3)
    #expect(setting.pending == nil)
  }

  @Test func `preferences while one is on the air are folded into the last`() {
    var setting = Setting(0)
    #expect({ setting.want(1, token: first) }())
    #expect({ !setting.want(2, token: second) }())
    #expect({ !setting.want(3, token: second) }())
    setting.received(1)
    #expect(setting.pending == 3)
    #expect({ setting.ended(first, succeeded: true, next: second) }() == 3)
    #expect(setting.confirmed == 1)
    #expect({ setting.ended(second, succeeded: true, next: first) }() == nil)
    #expect(setting.confirmed == 3)
  }

  @Test func `a request that returns to what is on the air is not sent twice`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    _ = setting.want(2, token: second)
    _ = setting.want(1, token: second)
    #expect({ setting.ended(first, succeeded: true, next: second) }() == nil)
    #expect(setting.confirmed == 1)
  }

  @Test func `the end of another command changes nothing`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    let before = setting
    #expect({ setting.ended(second, succeeded: true, next: first) }() == nil)
    #expect(setting == before)
  }

  @Test func `giving up keeps what was confirmed`() {
    var setting = Setting(0)
    _ = setting.want(1, token: first)
    setting.giveUp()
    #expect(setting == Setting(0))
  }
}

import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Two hearing aids with a link each, which are one headphone with presets.
@MainActor @Suite struct HearingAidStoryTests {
  private let linkedSet = LinkedSet(.leftAid, .rightAid)
  private var left: VirtualHeadphone { linkedSet.left }
  private var right: VirtualHeadphone { linkedSet.right }

  private func until(_ store: Store, _ isReached: (State) -> Bool) async {
    await linkedSet.until(store, isReached)
  }

  /// Waits until the second aid has the preset, too, which is set after the first aid's report.
  private func untilBoth(have index: UInt8) async {
    for aid in [left, right] {
      while await aid.hearingAid?.active != index { await Task.yield() }
    }
  }

  private func declares(_ state: State, _ id: SettingID) -> Bool {
    state.headphones.first?.capabilities?.declares(id) == true
  }

  @Test func `keys choose presets on both aids`() async throws {
    let (effects, store) = await linkedSet.linked()
    await until(store) { declares($0, .preset) }
    #expect(store.state.headphones.first?.driver == "hearing aid services")
    #expect(UserCommand.nextANC.label(in: store.state) == "Preset")
    store.send(.pressed(.nextANC))
    await until(store) {
      $0.headphones.first?.setting(.preset).confirmed == .choice("restaurant")
        && $0.headphones.first?.setting(.preset).pending == nil
    }
    await untilBoth(have: 2)
    store.send(.pressed(.setANC(.adaptive)))
    await until(store) {
      $0.headphones.first?.setting(.preset).confirmed == .choice("music")
        && $0.headphones.first?.setting(.preset).pending == nil
    }
    await untilBoth(have: 7)
    // Both have reported it: what one aid says later is not overtaken by what the other said before.
    let id = try #require(store.state.headphones.first?.id)
    let again = HeadphoneCommand.set(.preset, .choice("music"))
    #expect(await effects.perform(again, on: id) { store.send($0) } == .done)
    await left.pressButton()
    await until(store) { $0.headphones.first?.setting(.preset).confirmed == .choice("everyday") }
    await effects.stop()
  }

  @Test func `each side has its own offset, while its aid is there`() async throws {
    let (effects, store) = await linkedSet.linked()
    await until(store) { declares($0, .offset(of: .left)) && declares($0, .offset(of: .right)) }
    let id = try #require(store.state.headphones.first?.id)
    let offset = HeadphoneCommand.set(.offset(of: .right), .level(-30))
    #expect(await effects.perform(offset, on: id) { store.send($0) } == .done)
    #expect(await left.hearingAid?.output.offset == 0)
    #expect(await right.hearingAid?.output.offset == -30)
    await until(store) {
      $0.headphones.first?.setting(.offset(of: .right)).confirmed == .level(-30)
    }
    let first = try #require(store.state.headphones.first?.address)
    let (other, side) = first == left.model.address ? (right, Side.right) : (left, Side.left)
    await other.setInRange(false)
    await until(store) { !declares($0, .offset(of: side)) }
    #expect(declares(store.state, .preset))
    await other.setInRange(true)
    await until(store) { declares($0, .offset(of: side)) }
    await effects.stop()
  }
}

public import Companion
public import Headphones

/// A headphone that a command works with, over a link of its own or the one that a program has.
@MainActor
public protocol CommandTarget: AnyObject {
  /// Everything that is known, as the screen would show it.
  var state: State { get }
  /// Nil until it is found.
  var headphone: HeadphoneState? { get }

  /// Waits until the headphone is as wanted.
  ///
  /// - Throws: how the link ended before that.
  func until(_ isReached: (HeadphoneState) -> Bool) async throws(CommandError)
  /// Does what a key does on the screen.
  func press(_ command: UserCommand) async throws(CommandError)
  /// Carries out a command that has no key.
  func perform(_ command: HeadphoneCommand) async throws(CommandError)
  /// Asks the adapter how good the link is.
  func measureLink() async
  /// Asks the sound server, for at most as long as a person would wait.
  func observeAudio() async
  /// The way by which firmware travels to the headphone.
  func firmwareLink() async throws(CommandError) -> any FirmwareLink
}

extension CommandTarget {
  /// - Throws: if the headphone lacks a feature.
  public func require(
    _ feature: (Capabilities) -> Bool, _ name: String
  ) throws(CommandError) {
    guard let headphone else { throw .link(.user) }
    guard headphone.capabilities.map(feature) == true else {
      throw .lacks(feature: name, name: headphone.name)
    }
  }

  /// Gives a setting the value that a word of the command line means.
  ///
  /// - Throws: ``CommandError/lacks(feature:name:)`` for a setting that the headphone does not have.
  public func set(_ name: String, to word: String) async throws(CommandError) {
    let id = SettingID(rawValue: name)
    try require({ $0.declaration(of: id) != nil }, "setting \"\(displayable(name))\"")
    guard let headphone, let declaration = headphone.capabilities?.declaration(of: id) else {
      return
    }
    let value: SettingValue
    do throws(SettingRefusal) {
      value = try declaration.value(of: word)
    } catch {
      throw .command(.badArgument("\(error)"))
    }
    guard let command = headphone.command(setting: id, to: value) else { return }
    try await perform(command)
  }

  /// What the headphone says of its firmware.
  public func firmwareStatus() async throws(CommandError) -> FirmwareStatus {
    let link = try await firmwareLink()
    do throws(HeadphoneError) {
      let data = try await link.perform(.status)
      guard let status = try? FirmwareStatus(decoding: data) else {
        throw .refused(.badPayload)
      }
      return status
    } catch {
      throw .command(CommandFailure(error))
    }
  }
}

/// A Bluetooth switch of the kernel's: an adapter's, or one of the whole machine.
public struct RfkillSwitch: Hashable, Sendable {
  /// "hci0", or a laptop's own name for its switch.
  public var name: String
  /// By a program.
  public var isSoftBlocked: Bool
  /// By a button, or the firmware's settings.
  public var isHardBlocked: Bool

  public init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.name = name
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }

  /// Whether it keeps the radio off, by either way.
  public var isBlocking: Bool { isSoftBlocked || isHardBlocked }
}

/// The kernel's rfkill switches: which radios are blocked, by software or by a hardware button.
struct RfkillState: Sendable {
  /// One directory for each switch, with files `name`, `type`, `soft` and `hard`.
  var directory = "/sys/class/rfkill"

  /// Whether a Bluetooth switch of this name blocks; nil: any Bluetooth switch.
  ///
  /// A laptop's own switch has another name than the adapter, which vanishes when it is off.
  func isBlocked(_ adapter: String? = nil) -> Bool {
    all().contains { $0.isBlocking && (adapter == nil || $0.name == adapter) }
  }

  /// All Bluetooth switches, by name.
  func all() -> [RfkillSwitch] {
    KernelFile(directory).entries.filter { $0.hasPrefix("rfkill") }.compactMap { entry in
      let line = { (file: String) in KernelFile("\(directory)/\(entry)/\(file)").firstLine }
      guard line("type") == "bluetooth" else { return nil }
      return RfkillSwitch(
        name: line("name") ?? entry, isSoftBlocked: line("soft") == "1",
        isHardBlocked: line("hard") == "1")
    }.sorted { $0.name < $1.name }
  }
}

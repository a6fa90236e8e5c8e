internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

extension VirtualHeadphone {
  func receiveFirmware(_ value: Bytes) {
    guard let events = firmware?.receive(value, at: timeline.elapsed) else { return }
    report(events)
    rearmIfAcknowledgementIsDue()
  }

  func firmwareResponse(to command: ReceivedCommand) -> CommandResponse? {
    guard firmware != nil else { return nil }
    do throws(MalformedBytes) {
      guard let request = try FirmwareRequest(command.id, payload: command.payload) else {
        return nil
      }
      let now = timeline.elapsed
      // The level of a bud without a battery report is not checked.
      let batteries = life.battery(at: now).batteries.filter { $0.value.level != nil }
      defer { rearm() }
      return firmware?.perform(request, batteries: batteries, at: now)
    } catch {
      return .refused(.badPayload)
    }
  }

  func restartFirmware() {
    firmware?.restart(at: timeline.elapsed)
    guard let version = firmware?.running.version, firmware?.faults.keepsRevision == false,
      let handle = server.table.handle(of: InformationUUIDs.standard.firmware)
    else { return }
    server.table.setValue(Array(version.description.utf8), at: handle)
  }

  /// Advances the firmware's time; returns false if the trial has ended and the headphone restarts.
  func advanceFirmware() -> Bool {
    guard let due = firmware?.elapse(to: timeline.elapsed) else { return true }
    guard due.mustRestart else {
      report(due.events)
      return true
    }
    restartFirmware()
    unreachableUntil = timeline.elapsed + model.restartTime
    dropLink(.peer)
    return false
  }

  /// Interrupts the power briefly: the link ends, memory is lost, flash remains.
  public func cutPower() {
    restartFirmware()
    dropLink(.supervisionTimeout)
  }

  /// Sets the firmware's faults.
  public func injectFaults(inFirmware faults: FirmwareReceiver.Faults) { firmware?.faults = faults }

  /// Sets the timer only if something is due, because this runs for each frame.
  private func rearmIfAcknowledgementIsDue() {
    if firmware?.nextDeadline != nil { rearm() }
  }
}

extension VirtualModel {
  var installed: FirmwareReceiver.Firmware {
    let version = information.firmware.flatMap { FirmwareVersion($0) }
    return FirmwareReceiver.Firmware(
      version: version ?? FirmwareVersion(1, 0, 0), securityCounter: 1)
  }
}

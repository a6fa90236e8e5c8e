public import Bluetooth
public import Companion
internal import GATT
public import HeadphoneProtocols
public import Persistence

/// Why a command of the shell did not do what it was asked to.
public enum CommandError: Error, Hashable, Sendable {
  /// The adapter, or what its kernel permits.
  case radio(RadioError)
  /// The sound link, or bluetoothd, which makes it.
  case audioLink(AudioLinkError)
  /// The adapter of the program that owns the link, which is none to use.
  case adapter(AdapterState)
  /// No headphone that `selector` means was heard; nil: none at all.
  case notFound(selector: String?)
  /// None of earlier runs is what `selector` means; nil: there are none.
  case notKnown(selector: String?)
  /// Several are meant, by their names.
  case ambiguous([String])
  /// No link, or it ended before the work was done.
  case link(DisconnectReason)
  /// Trying again would not help.
  case failed(FailureReason)
  /// A person has dropped the link of the headphone of this name, and the command changes nothing.
  case disconnected(name: String)
  /// There is no link to end.
  case notConnected
  /// The device lacks what the driver needs.
  case notAHeadphone(missing: String)
  /// The headphone of this name has no such feature.
  case lacks(feature: String, name: String)
  /// The headphone is linked, and did not do it.
  case command(CommandFailure)
  /// It cannot be done with this headphone now, in words.
  case unavailable(String)
  /// A file could not be read or written.
  case file(FileError)
  /// Not a byte of the image was sent.
  case firmwareRefused(FirmwareRefusal)
  /// The update has ended without the new image running.
  case firmwareFailed(FirmwareFailure)
}

extension CommandError {
  /// For the shell.
  public var status: ExitStatus {
    switch self {
    case .radio(let error):
      switch error {
      case .noAdapter, .unknownAdapter, .poweredOff, .blocked, .notPermitted: .noAdapter
      case .timedOut, .refused, .busy, .noRoom: .linkLost
      case .cancelled, .controller, .bluetoothd, .system: .failed
      }
    case .audioLink(let error):
      switch error {
      case .noBluetoothd, .poweredOff: .noAdapter
      case .notFound: .notFound
      case .unreachable, .onlyLowEnergy, .timedOut, .busy: .linkLost
      case .notPaired, .keyMissing: .refused
      case .noSoundServer, .failed: .failed
      }
    case .adapter: .noAdapter
    case .notFound, .notKnown, .ambiguous, .notConnected: .notFound
    case .link, .disconnected: .linkLost
    case .failed(.security(.notPermitted)), .command(.notSecured(.notPermitted)): .noAdapter
    case .failed, .command(.refused), .command(.attribute), .command(.notSecured),
      .firmwareFailed(.refused):
      .refused
    case .command(.noResponse), .command(.notReady), .command(.linkLost): .linkLost
    case .command(.badArgument): .usage
    case .command(.unsupported), .command(.cancelled), .notAHeadphone,
      .lacks, .unavailable, .file, .firmwareRefused, .firmwareFailed:
      .failed
    }
  }

  /// What happened, and what to do about it.
  public var message: String { [what, advice].filter { !$0.isEmpty }.joined(separator: "\n") }

  var what: String {
    switch self {
    case .radio(let error): "\(error)"
    case .audioLink(let error): "\(error)"
    case .adapter(let state): state.displayText
    case .notFound(nil): "no headphone was heard"
    case .notFound(let selector?): "no headphone \"\(displayable(selector))\" was heard"
    case .notKnown(nil): "no headphone is known yet"
    case .notKnown(let selector?): "no headphone \"\(displayable(selector))\" is known"
    case .ambiguous(let names):
      "several headphones are meant: \(names.map(displayable).joined(separator: ", "))"
    case .link(let reason): reason.displayText
    case .failed(let reason): reason.displayText
    case .disconnected(let name): "\(displayable(name)) was disconnected by you"
    case .notConnected: "it is not connected"
    case .notAHeadphone(let missing):
      "this is no headphone that is understood: \(missing) is missing"
    case .lacks(let feature, let name): "\(displayable(name)) has no \(feature)"
    case .command(let failure): failure.displayText
    case .unavailable(let words): words
    case .file(let error): "\(error)"
    case .firmwareRefused(let refusal): refusal.explanation
    case .firmwareFailed(let failure): failure.explanation
    }
  }

  var advice: String {
    switch self {
    case .radio(let error): error.advice
    case .audioLink(let error): error.advice
    case .adapter(let state): state.advice
    case .notFound: "take it out of its case and bring it near; `earshot scan` lists all"
    case .notKnown: "`earshot devices` lists those of earlier runs"
    case .ambiguous: "choose one with --device"
    case .lacks: "choose another headphone with --device"
    case .disconnected(let name): "to connect it again: earshot connect \"\(displayable(name))\""
    case .link(let reason): reason.advice
    case .failed(let reason): reason.advice
    case .command(let failure): failure.advice
    case .firmwareRefused(let refusal): refusal.advice
    case .firmwareFailed(let failure): failure.advice
    case .notConnected, .notAHeadphone, .unavailable, .file: ""
    }
  }
}

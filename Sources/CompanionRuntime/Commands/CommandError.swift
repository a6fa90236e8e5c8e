public import Bluetooth
public import Companion
internal import GATT
public import HeadphoneProtocols
public import Persistence

/// Why a command failed: what happened, what to do about it, and the exit status.
///
/// ```swift
/// do throws(CommandError) {
///   try await target.run(selector) { … }
/// } catch {
///   console.message(error.message)
///   return error.status
/// }
/// ```
public enum CommandError: Error, Hashable, Sendable {
  /// The adapter or its kernel refused.
  case radio(RadioError)
  /// The audio link failed, or bluetoothd, which makes it, did.
  case audioLink(AudioLinkError)
  /// The owner of the link has no usable adapter.
  case adapter(AdapterState)
  /// No headphone in range matches `selector`; nil: none is in range.
  case notFound(selector: String?)
  /// No known headphone matches `selector`; nil: none is known.
  case notKnown(selector: String?)
  /// A selector matches several headphones, with these names.
  case ambiguous([String])
  /// There is no link, or it ended before the command did.
  case link(DisconnectReason)
  /// The connection failed for a reason that another attempt would meet again.
  case failed(FailureReason)
  /// The user has disconnected the headphone of this name; a command that only reads leaves it so.
  case disconnected(name: String)
  /// `disconnect` without a link.
  case notConnected
  /// The device lacks an attribute that every driver needs.
  case notAHeadphone(missing: String)
  /// The headphone of this name has no such feature.
  case lacks(feature: String, name: String)
  /// The headphone is connected, and refused or did not answer the command.
  case command(CommandFailure)
  /// A reason that only concerns this command, as a message for the user.
  case unavailable(String)
  /// A file could not be read or written.
  case file(FileError)
  /// The image was refused before its transfer began.
  case firmwareRefused(FirmwareRefusal)
  /// The update ended, and the new image does not run.
  case firmwareFailed(FirmwareFailure)
}

extension CommandError {
  /// The exit status of a command that fails with this error.
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

  /// What happened and, on a second line, what to do about it.
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

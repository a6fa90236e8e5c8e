internal import BluetoothAttributes
internal import BluetoothCodec
package import BluetoothRadio
package import Companion
package import HeadphoneProtocols
package import Persistence

/// The reason why a command failed.
///
/// Each case maps to an ``ExitStatus`` and to two lines for the user: what happened, and what to
/// do. Names in the text are sanitised.
package enum CommandError: Error, Hashable, Sendable {
  case radio(RadioError)
  case audioLink(AudioLinkError)
  case adapter(AdapterState)
  /// No headphone in range matches the selector, or none is in range if it is nil.
  case notFound(selector: String?)
  /// No headphone matches `selector`, but `name` is the name of one that is nearly the same.
  case misspelt(selector: String, name: String)
  /// No known headphone matches `selector`, or none is known if it is nil.
  case notKnown(selector: String?)
  case ambiguous([Match])
  /// There is no link, or it ended before the command did.
  case link(DisconnectReason)
  /// The connection failed for a reason that a retry would not change.
  case failed(FailureReason)
  /// The user has disconnected the headphone, which a command that only reads does not reconnect.
  case disconnected(name: String)
  case notConnected
  /// The device lacks an attribute that every driver needs.
  case notAHeadphone(missing: String)
  case lacks(feature: String, name: String)
  /// The connected headphone refused or did not answer the command.
  case command(CommandFailure)
  /// The same, for a command that was never recorded being sent to such a headphone.
  case untried(CommandFailure)
  /// The headphone took the command for a fit test, and reported no result in time.
  case noFitResult
  /// The headphone is forgotten, but not all of its keys are deleted.
  case keysKept(KeptKeys, name: String)
  /// A failure of one command as a message, possibly with advice on a second line.
  case unavailable(String)
  /// A value that the command does not accept; the second line says what it accepts.
  case usage(String)
  case file(FileError)
  case firmwareRefused(FirmwareRefusal)
  case firmwareFailed(FirmwareFailure)

  package struct Match: Hashable, Sendable {
    package var id: HeadphoneID
    /// The name, or an empty string if it is not known yet.
    package var name: String
  }

  static func ambiguous(_ headphones: [HeadphoneState]) -> Self {
    .ambiguous(headphones.map { Match(id: $0.id, name: $0.name) })
  }
}

extension CommandError {
  package var status: ExitStatus {
    switch self {
    case .radio(let error):
      switch error {
      case .noAdapter, .unknownAdapter, .poweredOff, .blocked, .notPermitted, .noBluetoothd,
        .bluetoothdUnresponsive:
        .noAdapter
      case .timedOut, .refused, .busy, .noRoom: .linkLost
      case .unpaired: .refused
      case .cancelled, .controller, .bluetoothd, .system: .failed
      }
    case .audioLink(let error):
      switch error {
      case .noBluetoothd, .bluetoothdUnresponsive, .poweredOff: .noAdapter
      case .notFound: .notFound
      case .unreachable, .onlyLowEnergy, .timedOut, .busy: .linkLost
      case .notPaired, .keyMissing: .refused
      case .noSoundServer, .failed: .failed
      }
    case .adapter: .noAdapter
    case .notFound, .misspelt, .notKnown, .ambiguous, .notConnected: .notFound
    case .link(.adapterGone), .link(.bluetoothdGone), .command(.linkLost(.adapterGone)),
      .command(.linkLost(.bluetoothdGone)):
      .noAdapter
    case .link, .disconnected: .linkLost
    case .failed(.security(.notPermitted)), .failed(.security(.bluetoothdUnresponsive)),
      .command(.notSecured(.notPermitted)), .command(.notSecured(.bluetoothdUnresponsive)):
      .noAdapter
    case .untried(let failure): Self.command(failure).status
    case .keysKept(let kept, _):
      switch kept.failure {
      case .notPermitted, .bluetoothdUnresponsive: .noAdapter
      default: .failed
      }
    case .failed, .command(.refused), .command(.readOnly), .command(.broadcast),
      .command(.attribute),
      .command(.notSecured),
      .firmwareFailed(.refused):
      .refused
    case .command(.noResponse), .command(.notReady), .command(.linkLost), .noFitResult: .linkLost
    case .command(.badArgument), .usage: .usage
    case .command(.unsupported), .command(.withheld), .command(.cancelled), .notAHeadphone,
      .lacks, .unavailable, .file, .firmwareRefused, .firmwareFailed:
      .failed
    }
  }

  /// What happened and, on a second line, what the user can do.
  package var message: String { FailureReport(self).text }

  /// What happened, in one line without a full stop.
  var what: String {
    switch self {
    case .radio(let error): "\(error)"
    case .audioLink(let error): "\(error)"
    case .adapter(let state): state.displayText
    case .notFound(nil): "no headphone found nearby"
    case .notFound(let selector?): "\"\(displayable(selector))\" not found nearby"
    case .misspelt(let selector, _): "no headphone \"\(displayable(selector))\""
    case .notKnown(nil): "no known headphones yet"
    case .notKnown(let selector?): "no known headphone \"\(displayable(selector))\""
    case .ambiguous(let matches):
      "several headphones match: "
        + matches.map { match in
          let id = displayable(match.id.rawValue)
          return match.name.isEmpty ? id : "\(displayable(match.name)) (\(id))"
        }.joined(separator: ", ")
    case .link(let reason): reason.displayText
    case .failed(let reason): reason.displayText
    case .disconnected(let name): "\(displayable(name)) was disconnected by you"
    case .notConnected: "not connected"
    case .notAHeadphone(let missing):
      "unknown kind of headphone: it lacks \(missing)"
    case .lacks(let feature, let name): "\(displayable(name)) has no \(feature)"
    case .command(let failure), .untried(let failure): failure.displayText
    case .noFitResult: "the fit test had no result in time"
    case .keysKept(let kept, let name): "\(displayable(name)) is forgotten here, but \(kept.what)"
    case .unavailable(let words), .usage(let words): words.lines.what
    case .file(let error): "\(error)"
    case .firmwareRefused(let refusal): refusal.explanation
    case .firmwareFailed(let failure): failure.explanation
    }
  }

  /// What the user can do, in one line, or an empty string.
  var advice: String {
    switch self {
    case .radio(let error): error.advice
    case .audioLink(let error): error.advice
    case .adapter(let state): state.advice
    case .notFound:
      "take it out of its case, near this machine; `earshot scan` lists what is in range"
    case .misspelt(_, let name): "did you mean \"\(displayable(name))\"?"
    case .notKnown(nil): "`earshot scan` shows what is near, `earshot connect NAME` connects it"
    case .notKnown: "`earshot devices` lists the known ones"
    case .ambiguous(let matches):
      "give the whole name or the ID: --device \(displayable(matches.first?.id.rawValue ?? "ID"))"
    case .lacks: "choose another headphone with --device"
    case .disconnected(let name): "to connect it again: earshot connect \"\(displayable(name))\""
    case .link(let reason): reason.advice
    case .failed(let reason): reason.advice
    case .command(.badArgument): "`earshot setting` lists what each setting takes"
    case .command(let failure): failure.advice
    case .untried: SettingProof.untriedAdvice
    case .noFitResult: "wear both buds, keep still in a quiet place, and try again"
    case .keysKept(let kept, _): kept.advice
    case .firmwareRefused(let refusal): refusal.advice
    case .firmwareFailed(let failure): failure.advice
    case .notConnected: "`earshot status` shows the headphone and its link"
    case .notAHeadphone:
      "`earshot inspect` shows what it has; docs/add-your-headphone.md explains the rest"
    case .unavailable(let words), .usage(let words): words.lines.advice
    case .file: ""
    }
  }
}

extension String {
  fileprivate var lines: (what: String, advice: String) {
    guard let end = firstIndex(of: "\n") else { return (self, "") }
    return (String(self[..<end]), String(self[index(after: end)...]))
  }
}

/// The exit status of a command (docs/cli.md).
package enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// Any failure without a more specific status.
  case failed = 1
  /// Wrong usage: an unknown command, option or value (`EX_USAGE` of sysexits.h).
  case usage = 64
  /// No adapter, an adapter that is off or blocked, or no permission.
  case noAdapter = 3
  /// The headphone is not in range or not known, or the selector is ambiguous.
  case notFound = 4
  /// The link ended, timed out, or is held by another program.
  case linkLost = 5
  case refused = 6
}

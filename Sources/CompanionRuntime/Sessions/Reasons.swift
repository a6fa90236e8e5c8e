internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension LinkEvent {
  init(_ error: RadioError) {
    self =
      switch error {
      case .noAdapter, .unknownAdapter, .poweredOff, .blocked: .ended(.adapterGone)
      case .notPermitted(_, let capability): .denied(capability: capability)
      case .busy(let who): .ended(.busy(who))
      case .noRoom: .noRoom
      case .timedOut: .ended(.connectTimeout)
      case .refused: .ended(.refused)
      case .unpaired: .failed(.security(.unattended))
      case .cancelled: .ended(.user)
      case .noBluetoothd, .bluetoothdUnresponsive, .controller, .bluetoothd, .system:
        .ended(.system("\(error)"))
      }
  }

  init(_ error: HeadphoneError) {
    self =
      switch error {
      case .notAHeadphone(let missing): .unsupported(missing: missing)
      case .closed(let closed), .gatt(.closed(let closed)), .gatt(.security(.closed(let closed))):
        .ended(DisconnectReason(closed.reason))
      // The next attempt may succeed.
      case .gatt(.security(.bluetoothd(let words))): .ended(.system("bluetoothd: \(words)"))
      case .gatt(.security(let failure)): .failed(.security(failure))
      case .gatt(.cancelled), .cancelled: .ended(.user)
      case .noResponse: .ended(.requestTimeout)
      case .gatt(let error): .ended(.protocolViolation(error.displayText))
      case .unsupported, .refused, .readOnly, .badArgument, .notStarted, .broadcast, .withheld,
        .service:
        .failed(.start(CommandFailure(error).displayText))
      }
  }
}

extension CommandFailure {
  init(_ error: HeadphoneError) {
    self =
      switch error {
      case .unsupported(let feature): .unsupported(feature)
      case .refused(let status): .refused(status)
      case .broadcast(let failure): .broadcast(failure)
      case .noResponse: .noResponse
      case .badArgument(let what): .badArgument(what)
      case .readOnly(let file): .readOnly(file: file)
      case .notAHeadphone(let missing): .unsupported(missing)
      case .withheld: .withheld
      case .notStarted: .notReady
      case .cancelled: .cancelled
      case .closed(let closed), .gatt(.closed(let closed)), .gatt(.security(.closed(let closed))):
        .linkLost(DisconnectReason(closed.reason))
      case .gatt(.security(let failure)): .notSecured(failure)
      case .service(let text): .attribute(text)
      case .gatt(let error): .attribute(error.displayText)
      }
  }
}

extension GATTError {
  /// What happened, with the request, handle, code and name of an ATT error.
  var displayText: String {
    switch self {
    case .att(let error):
      "\(error); \(error.code.advice)"
    case .unexpectedResponse(let what): "unexpected answer: \(what)"
    case .listTooLong(let opcode, let requests):
      "\(requests) \(opcode)s did not list all attributes; update the headphone's firmware"
    case .closed(let closed): DisconnectReason(closed.reason).displayText
    case .notSupported(let property): "the characteristic does not support \(property)"
    case .writeNotVerified: "the headphone echoed different bytes; nothing was written"
    case .valueTooLong(let count, let limit): "\(count) bytes, at most \(limit) fit"
    case .security(let failure): failure.displayText
    case .servicesChanged: "the headphone's services changed meanwhile"
    case .cancelled: "cancelled"
    }
  }
}

extension ATTErrorCode: CustomStringConvertible {
  /// The specification's name for the code or, if it has none, a name for its range.
  public var name: String {
    switch self {
    case .invalidHandle: "Invalid Handle"
    case .readNotPermitted: "Read Not Permitted"
    case .writeNotPermitted: "Write Not Permitted"
    case .invalidPDU: "Invalid PDU"
    case .insufficientAuthentication: "Insufficient Authentication"
    case .requestNotSupported: "Request Not Supported"
    case .invalidOffset: "Invalid Offset"
    case .insufficientAuthorization: "Insufficient Authorization"
    case .prepareQueueFull: "Prepare Queue Full"
    case .attributeNotFound: "Attribute Not Found"
    case .attributeNotLong: "Attribute Not Long"
    case .encryptionKeySizeTooShort: "Encryption Key Size Too Short"
    case .invalidAttributeValueLength: "Invalid Attribute Value Length"
    case .unlikelyError: "Unlikely Error"
    case .insufficientEncryption: "Insufficient Encryption"
    case .unsupportedGroupType: "Unsupported Group Type"
    case .insufficientResources: "Insufficient Resources"
    case .databaseOutOfSync: "Database Out Of Sync"
    case .valueNotAllowed: "Value Not Allowed"
    case .writeRequestRejected: "Write Request Rejected"
    case .cccdImproperlyConfigured:
      "Client Characteristic Configuration Descriptor Improperly Configured"
    case .procedureAlreadyInProgress: "Procedure Already in Progress"
    case .outOfRange: "Out of Range"
    default: range.name
    }
  }

  /// What the user or the program can do, as a sentence without capital or full stop.
  public var advice: String {
    switch self {
    case .invalidHandle, .databaseOutOfSync:
      "the headphone's services have changed: discover them again"
    case .readNotPermitted: "this value cannot be read; wait for its notification instead"
    case .writeNotPermitted: "this value cannot be written on this headphone"
    case .invalidPDU: "the headphone could not read the request: reconnect, and report this"
    case .insufficientAuthentication: "pair with the headphone, then try again"
    case .requestNotSupported: "the headphone does not support this request: use another procedure"
    case .invalidOffset: "the value has become shorter: read it again from the start"
    case .insufficientAuthorization: "allow this on the headphone, then try again"
    case .prepareQueueFull: "cancel the prepared writes and send the value in fewer parts"
    case .attributeNotFound: "the headphone has no attribute of this type: it lacks the feature"
    case .attributeNotLong: "read the value with one plain read"
    case .encryptionKeySizeTooShort:
      "remove the pairing and pair again with a key of 16 bytes"
    case .invalidAttributeValueLength:
      "the value's length is wrong for this headphone: check its model and firmware"
    case .unlikelyError: "the headphone had an internal error: try again, then restart it"
    case .insufficientEncryption: "encrypt the link: pair, or reconnect if already paired"
    case .unsupportedGroupType: "discover primary services instead of this group type"
    case .insufficientResources: "the headphone is out of memory or links: try again later"
    case .valueNotAllowed, .outOfRange: "choose a value that this headphone supports"
    case .writeRequestRejected: "the headphone refuses this now: check its state, then try again"
    case .cccdImproperlyConfigured: "subscribe to the value first, then try again"
    case .procedureAlreadyInProgress: "wait until the headphone has finished, then try again"
    default: range.advice
    }
  }

  public var description: String { "\(name) (0x\(hexadecimal(rawValue, width: 2)))" }
}

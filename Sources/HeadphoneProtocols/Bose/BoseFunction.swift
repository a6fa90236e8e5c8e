/// The functions that are read or written; no other is ever sent.
extension BoseFrame.Function {
  static let version = Self(0, 1)
  static let blocks = Self(0, 2)
  static let product = Self(0, 3)
  static let firmware = Self(0, 5)
  static let modelName = Self(0, 15)
  static let name = Self(1, 2)
  static let prompts = Self(1, 3)
  static let autoOff = Self(1, 4)
  static let cancelling = Self(1, 5)
  static let steps = Self(1, 6)
  static let equaliser = Self(1, 7)
  static let buttons = Self(1, 9)
  static let multipoint = Self(1, 10)
  static let sidetone = Self(1, 11)
  static let offWhenStill = Self(1, 20)
  static let pause = Self(1, 24)
  static let autoAnswer = Self(1, 27)
  static let oneBudTransparency = Self(1, 29)
  static let touch = Self(1, 34)
  static let battery = Self(2, 2)
  static let connect = Self(4, 1)
  static let disconnect = Self(4, 2)
  static let forget = Self(4, 3)
  static let devices = Self(4, 4)
  static let device = Self(4, 5)
  static let route = Self(4, 12)
  static let deviceFeatures = Self(4, 14)
  static let source = Self(5, 1)
  static let notifications = Self(9, 2)
  static let mode = Self(31, 3)
  static let modeList = Self(31, 6)
  static let favourites = Self(31, 8)
  static let liveSettings = Self(31, 10)

  var response: ResponseID { ResponseID(UInt16(block) << 8 | UInt16(number)) }

  /// The identifier of an answer to `start`, other than that of a `status`, which may come before.
  var started: ResponseID { ResponseID(response.number, sequence: 1) }
}

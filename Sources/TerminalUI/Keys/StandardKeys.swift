internal import Companion
internal import Headphones

extension UserCommand {
  /// The keys that it has unless a person wishes otherwise, the one to show first.
  var standardKeys: [Key] {
    switch self {
    case .nextANC: [.character("a")]
    case .previousANC: [.character("A")]
    case .setANC(.off): [.character("1")]
    case .setANC(.noiseCancelling): [.character("2")]
    case .setANC(.transparency): [.character("3")]
    case .setANC(.adaptive): [.character("4")]
    case .flipTransparency: [.character("t")]
    case .nextEQ: [.character("e")]
    case .toggleWearDetection: [.character("w")]
    case .rename: [.character("n")]
    case .find: [.character("F")]
    case .firmware: [.character("U")]
    case .connectOrDisconnect: [.character("c")]
    case .dropControlLink: [.character("d")]
    case .scan: [.character("s")]
    case .pair: [.character("p")]
    case .forget: [.character("X")]
    case .factoryReset: [.character("R")]
    case .refresh: [.character("r")]
    case .previousHeadphone: [.character("[")]
    case .nextHeadphone: [.character("]")]
    case .raise: [.character("+"), .character("=")]
    case .lower: [.character("-"), .character("_")]
    case .routeSound: [.character("o")]
    case .toggleMute: [.character("m")]
    case .switchProfile: [.character("O")]
    case .otherPanel: [.tab, .backTab]
    case .up: [.up, .character("k")]
    case .down: [.down, .character("j")]
    case .left: [.left, .character("h")]
    case .right: [.right, .character("l")]
    case .top: [.character("g"), .home]
    case .bottom: [.character("G"), .end]
    case .pageUp: [.pageUp]
    case .pageDown: [.pageDown]
    case .accept: [.enter, .character(" ")]
    case .back: [.escape]
    case .filter: [.character("/")]
    case .info: [.character("i")]
    case .log: [.character("L")]
    case .help: [.character("?"), .function(1)]
    case .redraw: [.control("l")]
    case .suspend: [.control("z")]
    case .quit: [.character("q"), .control("c")]
    }
  }
}

internal import Companion
internal import HeadphoneProtocols

extension UserCommand {
  /// The keys of the command unless the configuration says otherwise; the first is the one that is
  /// shown.
  ///
  /// Lower case acts at once and can be taken back; a capital opens something or asks first. Arrows
  /// have the letters of vi beside them. Two commands may share a key where no page has both:
  ///
  /// | key | main page | equaliser | inspector |
  /// | --- | --- | --- | --- |
  /// | n | rename | rename the saved preset | next match |
  /// | u | | undo | notifications |
  /// | + - | louder, quieter | 0.5 dB more, less | |
  /// | Tab | next panel | next part | information |
  var standardKeys: [Key] {
    switch self {
    case .nextANC: [.character("a")]
    case .previousANC: [.character("A")]
    case .setANC(.off): [.character("1")]
    case .setANC(.noiseCancelling): [.character("2")]
    case .setANC(.transparency): [.character("3")]
    case .setANC(.adaptive): [.character("4")]
    case .flipTransparency: [.character("t")]
    // The digits after those of the noise control modes.
    case .scene(let number): Unicode.Scalar("\(number + 4)").map { [.character($0)] } ?? []
    case .nextEQ: [.character("e")]
    case .equaliser: [.character("E")]
    case .flatten: [.character("0")]
    case .savePreset: [.character("S")]
    case .importPreset: [.character("I")]
    case .undo: [.character("u")]
    case .redo: [.control("r")]
    case .compare: [.character("b")]
    case .toggleWearDetection: [.character("w")]
    case .rename: [.character("n")]
    case .find: [.character("F")]
    case .firmware: [.character("U")]
    case .touchActions: [.character("B")]
    case .pairedDevices: [.character("C")]
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
    case .microphone: [.character("M")]
    case .playOrPause: [.character("v")]
    case .previousTrack: [.character("<"), .character(",")]
    case .nextTrack: [.character(">"), .character(".")]
    case .otherPanel: [.tab]
    case .previousPanel: [.backTab]
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
    case .nextMatch: [.character("n")]
    case .previousMatch: [.character("N")]
    case .copy: [.character("y")]
    case .write: [.character("W")]
    case .subscribe: [.character("u")]
    case .info: [.character("i")]
    case .log: [.character("L")]
    case .doctor: [.character("D")]
    case .help: [.character("?"), .function(1)]
    case .redraw: [.control("l")]
    case .nextTheme: [.character("T")]
    case .suspend: [.control("z")]
    case .quit: [.character("q"), .control("c")]
    }
  }
}

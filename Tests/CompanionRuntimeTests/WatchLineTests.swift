import BluetoothCodec
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON
import Testing

@Suite struct WatchLineTests {
  private func line(
    _ format: WatchFormat, left: UInt8? = 84, charging: Bool = false,
    link: LinkState = .connected(.ready), mode: SettingValue = ANCMode.noiseCancelling.settingValue
  ) -> String {
    var headphone = HeadphoneState(
      id: HeadphoneID(rawValue: "ear"), name: "Ear <&>",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    headphone.link = link
    headphone.battery = Reading(
      [.left: Battery(level: left, isCharging: charging), .right: Battery(level: 79)],
      seenAt: Timestamp(milliseconds: 0))
    headphone.settings[.noiseMode] = Setting(mode)
    return WatchLine(headphone, in: State(), thresholds: BatteryThresholds()).text(format)
  }

  @Test func `a plain line has levels and noise control`() {
    #expect(line(.plain) == "L84 R79 NC")
    #expect(line(.plain, charging: true) == "L84+ R79 NC")
    #expect(line(.plain, left: nil) == "R79 NC")
  }

  @Test func `a mode that has no name here is a number`() throws {
    let seven = SettingValue.choice("7")
    #expect(line(.plain, mode: seven) == "L84 R79 mode 7")
    #expect(line(.template(try WatchTemplate("{anc}, {mode}")), mode: seven) == "7, mode 7")
    let json = try JSON(parsing: line(.waybar, mode: seven).utf8)
    #expect(json["class"] == ["ready", "anc-7"])
  }

  @Test func `a link that is down has no levels`() {
    for format in [WatchFormat.plain, .tmux, .polybar] {
      #expect(line(format, link: .unwanted(.disconnected(.timeout))) == "--")
    }
  }

  @Test func `tmux colours what is low`() {
    #expect(line(.tmux) == "L84 R79 NC")
    #expect(line(.tmux, left: 15) == "#[fg=yellow]L15#[default] R79 NC")
    #expect(line(.tmux, left: 5) == "#[fg=red,bold]L5#[default] R79 NC")
    #expect(line(.tmux, left: 5, charging: true) == "L5+ R79 NC")
  }

  @Test func `Polybar and i3blocks colour what is low`() throws {
    #expect(line(.polybar) == "L84 R79 NC")
    #expect(line(.polybar, left: 5) == "%{F#e64553}L5%{F-} R79 NC")
    let json = try JSON(parsing: line(.i3blocks, left: 15).utf8)
    #expect(json["full_text"] == "L15 R79 NC")
    #expect(json["short_text"] == "15%")
    #expect(json["color"] == "#df8e1d")
    #expect(try JSON(parsing: line(.i3blocks).utf8)["color"] == .null)
  }

  @Test func `Waybar can style what charges`() throws {
    let json = try JSON(parsing: line(.waybar, charging: true).utf8)
    #expect(json["class"] == ["ready", "charging", "anc-noise-cancelling"])
    #expect(json["tooltip"]?.text?.contains("PHY") == false)
  }

  @Test func `Waybar gets text, class, percentage and a tooltip without markup`() throws {
    let json = try JSON(parsing: line(.waybar, left: 15).utf8)
    #expect(json["text"] == "L15 R79 NC")
    #expect(json["alt"] == "ready")
    #expect(json["class"] == ["ready", "low", "anc-noise-cancelling"])
    #expect(json["percentage"] == 15)
    let tooltip = try #require(json["tooltip"]?.text)
    #expect(tooltip.contains("Ear &lt;&amp;&gt;") && !tooltip.contains("<"))
    let lost = try JSON(parsing: line(.waybar, link: .unwanted(.disconnected(.timeout))).utf8)
    #expect(lost["class"] == ["disconnected"])
    #expect(lost["percentage"] == .null)
    let starting = try JSON(parsing: line(.waybar, link: .connected(.starting(.subscribing))).utf8)
    #expect(starting["alt"] == "connecting" && starting["class"] == ["subscribing"])
  }

  @Test func `JSON is what status tells`() throws {
    #expect(try JSON(parsing: line(.json).utf8)["schema"] == 1)
  }
}

internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let pairedDevices = PageView(.pairedDevices, sheetColumns: 76) {
    $0.pairedDevicesPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  mutating func pairedDevicesPage(_ state: State, line: Int) {
    let headphone = state.headphones.selected
    let isLive = headphone?.isLive == true
    let note = headphone.map { displayable(isLive ? state.name(of: $0.id) : $0.linkText) } ?? ""
    let box = Box(
      title: "PAIRED DEVICES", isFocused: true,
      note: state.filter.isEmpty ? note : searchNote(state))
    page(state, box) { drawing, inner in
      let devices = state.pairedDeviceLines
      let command = headphone?.deviceCommand.pending
      let titleColumns = min(devices.map(\.title.columns).max() ?? 0, max(0, inner.columns / 2 - 4))
      drawing.listed(devices.map { [$0] }, cursor: line, inner) {
        drawing, device, isChosen, pen in
        let mark = device.isConnected ? drawing.symbols.full : drawing.symbols.empty
        drawing.mark(
          mark, !isLive ? .stale : device.isConnected ? .linkReady : .linkOff, &pen)
        let end = min(pen.end, pen.column + titleColumns)
        var title = Cursor(row: pen.row, from: pen.column, to: end)
        pen.column = min(pen.end, end + 2)
        let isMatch = state.isMatch(device.title)
        drawing.write(device.title, isChosen || isMatch ? .rowSelected : .value, &title)
        if let command, command.address == device.address {
          drawing.write(command.action.title + drawing.symbols.ellipsis, .pending, &pen)
        } else {
          drawing.write(device.stateText, isLive ? .label : .stale, &pen)
        }
      }
      guard devices.isEmpty else { return }
      var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
      drawing.write("The headphone has not reported any.", .muted, &pen)
    }
  }
}

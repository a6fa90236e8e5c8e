import HeadphoneProtocols

extension UserCommand {
  package static let rename = UserCommand(
    "rename", keys: ["F2"], "rename the headphone", hint: 150, label: "Rename",
    availability: { state in
      let whether = state.available("rename", where: \.hasRename)
      return whether == .lacking("rename") ? .refused("this headphone cannot be renamed") : whether
    }
  ) { state, _ in state.askForName() }
  package static let forget = UserCommand(
    "forget", keys: ["X"], "forget the headphone and its keys (asks)", hint: 170, label: "Forget",
    availability: { $0.headphones.selected == nil ? $0.notConnected : .available }
  ) { state, _ in state.askToForget() }
}

extension Question.Subject {
  package static func forget(_ id: HeadphoneID) -> Self {
    Self(
      "Forget this headphone?", no: "Keep", yes: "Forget", of: id,
      text: { state in
        "Forget \(state.name(of: id))? It won't reconnect automatically. Its pairing keys are "
          + "deleted, Earshot's and bluetoothd's, so the desktop forgets it as well."
      }
    ) { state, timestamp in
      let effects = state.giveUpLink(id, at: timestamp)
      let name = state.name(of: id)
      state.headphones.remove(id)
      return effects + [.forget(id)] + state.say("\(name) is forgotten", at: timestamp)
    }
  }
}

extension TextEntry.Purpose {
  /// Entry of the headphone's new name: 1 to 32 bytes of UTF-8, the range of the command.
  package static func rename(_ id: HeadphoneID) -> Self {
    Self("RENAME THE HEADPHONE", "Up to 32 characters, saved on the headphone.", of: id) {
      state, entry, _ in state.rename(id, as: entry)
    }
  }
}

extension State {
  fileprivate mutating func askForName() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    dialog = .entry(TextEntry(.rename(headphone.id), text: headphone.name))
    return []
  }

  fileprivate mutating func rename(_ id: HeadphoneID, as entry: TextEntry) -> [Effect] {
    let name = entry.text.trimmed
    let bytes = name.utf8.count
    guard (1...32).contains(bytes) else {
      let count = bytes - 32
      // The limit counts bytes: with accents or emoji, the excess in bytes is not one in
      // characters.
      let isPlain = name.count == bytes
      return complain(
        bytes == 0
          ? "a name has at least one character"
          : !isPlain
            ? "\(count == 1 ? "1 byte" : "\(count) bytes") too long: accents and emoji take 2 to 4"
            : count == 1 ? "1 character too long" : "\(count) characters too long",
        in: entry)
    }
    dialog = nil
    return headphones[id]?.name == name ? [] : send(.rename(name), to: id)
  }

  fileprivate mutating func askToForget() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    dialog = .question(Question(.forget(headphone.id)))
    return []
  }

  mutating func type(_ key: TextKey, at timestamp: Timestamp) -> [Effect] {
    if case .pairing(let open) = dialog {
      return isTooNew(open, at: timestamp) ? [] : type(key, into: open)
    }
    if case .commands(var search) = dialog {
      search.entry.type(key)
      search.line = 0
      dialog = .commands(search)
      return []
    }
    guard case .entry(var entry) = dialog else {
      return ignore("a typed key with no text entry open", nil, at: timestamp)
    }
    entry.complaint = nil
    entry.names = []
    entry.type(key)
    dialog = .entry(entry)
    entry.purpose.follow(&self, entry.text)
    return []
  }

  /// Handles a command while a dialog is open.
  ///
  /// Other commands are dropped, as is any key within half a second after a pairing question
  /// appears.
  ///
  /// | dialog | Enter | Esc | ← → Tab |
  /// | --- | --- | --- | --- |
  /// | question | gives the chosen answer | No | Yes or No; ↑ ↓ choose the bud to find |
  /// | text | accepts it, or complains | discards it | Tab completes a path, switches response |
  /// | list | chooses the line | closes it | |
  /// | themes | keeps the theme shown | restores the previous one | |
  /// | commands | runs the line | closes it | |
  /// | pairing | the answer or the number | No | Yes or No |
  mutating func handle(_ dialog: Dialog, _ command: UserCommand, at timestamp: Timestamp)
    -> [Effect]
  {
    switch (dialog, command) {
    case (.question, .back): self.dialog = nil
    case (.question(let question), .accept):
      self.dialog = nil
      if question.isYesChosen { return question.subject.confirm(&self, timestamp) }
    case (.question(let question), .left), (.question(let question), .right),
      (.question(let question), .otherPanel), (.question(let question), .previousPanel):
      turn(question)
    case (.question(let question), .up): chooseBud(question, by: -1)
    case (.question(let question), .down): chooseBud(question, by: 1)
    case (.entry(let entry), .back):
      entry.purpose.follow(&self, "")
      self.dialog = nil
    case (.entry(let entry), .accept): return entry.purpose.accept(&self, entry, timestamp)
    case (.entry(let entry), .otherPanel): return entry.purpose.tab(&self, entry)
    case (.soundChoice(let choice), _): return handle(choice, command, at: timestamp)
    case (.theme(let choice), _): return handle(choice, command)
    case (.commands(let search), _): return handle(search, command, at: timestamp)
    case (.pairing(let open), _):
      return isTooNew(open, at: timestamp) ? [] : handle(open, command)
    default: break
    }
    return []
  }

  private mutating func turn(_ question: Question) {
    var question = question
    question.isYesChosen.toggle()
    dialog = .question(question)
  }

  private mutating func chooseBud(_ question: Question, by step: Int) {
    guard let finding = question.subject.finding, isAskingWhichBud(question) else { return }
    let choices = Question.buds
    let place = (choices.firstIndex(of: finding.sides) ?? 0) + step + choices.count
    chooseBud(choices[place % choices.count], of: finding.headphone, question)
  }

  mutating func chooseBud(_ sides: Sides?, of id: HeadphoneID, _ question: Question) {
    var question = question
    question.subject = .find(id, sides)
    dialog = .question(question)
  }

  /// Whether the user chooses the bud to find, because no bud is in an ear.
  package func isAskingWhichBud(_ question: Question) -> Bool {
    guard let headphone = question.subject.finding.flatMap({ headphones[$0.headphone] }) else {
      return false
    }
    return !headphone.hasOneBattery && headphone.budsToFind == .both
  }
}

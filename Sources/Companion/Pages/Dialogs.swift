import HeadphoneProtocols

extension UserCommand {
  package static let rename = UserCommand(
    "rename", keys: ["F2"], "rename the headphone", hint: 150, label: "Rename",
    availability: { state in
      let whether = state.available("rename", where: \.hasRename)
      return whether == .lacking("rename") ? .refused("this headphone cannot be renamed") : whether
    }
  ) { state, _ in state.askForName() }
  /// Forgets the headphone and its keys.
  package static let forget = UserCommand(
    "forget", keys: ["X"], "forget the headphone and its keys (asks)", hint: 170, label: "Forget",
    availability: { $0.headphones.selected == nil ? $0.notConnected : .available }
  ) { state, _ in state.askToForget() }
}

extension State {
  /// Asks for the headphone's name, which it stores itself.
  fileprivate mutating func askForName() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    dialog = .entry(TextEntry(.rename(headphone.id), text: headphone.name))
    return []
  }

  /// Asks before the headphone and its keys are deleted.
  fileprivate mutating func askToForget() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    dialog = .question(Question(.forget(headphone.id)))
    return []
  }

  /// `/`: the text that is searched for, or the log is narrowed to, beginning with the present one.
  mutating func askForFilter() -> [Effect] {
    dialog = .entry(TextEntry(.filter, text: filter))
    return []
  }

  /// A key into the open entry; the log is narrowed with each character, other entries wait for
  /// Enter.
  ///
  /// A complaint about the text disappears with the next key.
  mutating func type(_ key: TextKey, at timestamp: Timestamp) -> [Effect] {
    if case .pairing(let open) = dialog { return type(key, into: open) }
    guard case .entry(var entry) = dialog else {
      return ignore("a typed key with no text entry open", nil, at: timestamp)
    }
    entry.complaint = nil
    entry.names = []
    entry.type(key)
    dialog = .entry(entry)
    if entry.purpose == .filter { narrow(to: entry.text) }
    return []
  }

  /// A command while a dialog is open: arrows and Tab move the choice, Enter gives the answer, Esc
  /// closes it without effect.
  ///
  /// Every other command is dropped.
  ///
  /// | dialog | Enter | Esc | ← → Tab |
  /// | --- | --- | --- | --- |
  /// | question | the chosen answer | No | Yes or No; ↑ ↓: which bud is to be found |
  /// | text | takes it, or complains | drops it | Tab: completes a path, or switches response |
  /// | list | the line | closes it | |
  /// | themes | keeps the one that is shown | returns to the one before | |
  /// | pairing | the answer or the number | No | Yes or No |
  mutating func handle(_ dialog: Dialog, _ command: UserCommand, at timestamp: Timestamp)
    -> [Effect]
  {
    switch (dialog, command) {
    case (.question, .back): self.dialog = nil
    case (.question(let question), .accept):
      if question.isYesChosen { return confirm(question, at: timestamp) }
      self.dialog = nil
    case (.question(let question), .left), (.question(let question), .right),
      (.question(let question), .otherPanel), (.question(let question), .previousPanel):
      turn(question)
    case (.question(let question), .up): chooseBud(question, by: -1)
    case (.question(let question), .down): chooseBud(question, by: 1)
    case (.entry(let entry), .back):
      if entry.purpose == .filter { narrow(to: "") }
      self.dialog = nil
    case (.entry(let entry), .accept): return accept(entry, at: timestamp)
    case (.entry(let entry), .otherPanel) where entry.purpose.isPath:
      return [.completePath(entry.text)]
    case (.entry(let entry), .otherPanel): switchResponse(entry)
    case (.soundChoice(let choice), _): return handle(choice, command, at: timestamp)
    case (.theme(let choice), _): return handle(choice, command)
    case (.pairing(let open), _): return handle(open, command)
    default: break
    }
    return []
  }

  /// From No to Yes, and back.
  private mutating func turn(_ question: Question) {
    var question = question
    question.isYesChosen.toggle()
    dialog = .question(question)
  }

  /// ↑ ↓ in the question about finding: another bud.
  private mutating func chooseBud(_ question: Question, by step: Int) {
    guard case .find(let id, let sides) = question.subject, isAskingWhichBud(question) else {
      return
    }
    let choices = Question.buds
    let place = (choices.firstIndex(of: sides) ?? 0) + step + choices.count
    chooseBud(choices[place % choices.count], of: id, question)
  }

  /// The bud that is to be found; nil: both.
  mutating func chooseBud(_ sides: Sides?, of id: HeadphoneID, _ question: Question) {
    var question = question
    question.subject = .find(id, sides)
    dialog = .question(question)
  }

  /// Whether a question leaves the choice of a bud, because neither is in an ear.
  public func isAskingWhichBud(_ question: Question) -> Bool {
    guard case .find(let id, _) = question.subject, let headphone = headphones[id] else {
      return false
    }
    return !headphone.hasOneBattery && headphone.budsToFind == .both
  }

  /// The log shows only what matches; on other pages the cursor goes to the first match at or after
  /// it.
  private mutating func narrow(to text: String) {
    filter = text
    if page.kind == .log {
      page = .log(line: 0)
    } else if let match = match(from: page.kind.cursor(self) ?? 0, by: 1) {
      page.kind.goTo(&self, match)
    }
  }

  /// Yes: carries out what was asked about, if it is still possible.
  ///
  /// The link or the headphone may be gone since the question was asked; a notice says so then.
  private mutating func confirm(_ question: Question, at timestamp: Timestamp) -> [Effect] {
    dialog = nil
    switch question.subject {
    case .find(let id, let sides):
      guard let headphone = readyHeadphone, headphone.id == id else {
        return noteNotConnected(at: timestamp)
      }
      // It may have been put in meanwhile.
      let buds = headphone.budsToFind.intersection(sides ?? .both)
      return buds.isEmpty
        ? explain(.worn, at: timestamp) : want(buds, of: \.find) { .find($0) }
    case .forget(let id):
      let effects = giveUpLink(id, at: timestamp)
      let name = name(of: id)
      headphones.remove(id)
      return effects + [.forget(id)] + say("\(name) is forgotten", at: timestamp)
    case .pairedDevice(let id, let command):
      guard let headphone = readyHeadphone, headphone.id == id else {
        return noteNotConnected(at: timestamp)
      }
      return want(command, of: \.deviceCommand) { $0.command }
    case .factoryReset(let id, let isCertain):
      return confirmReset(id, isCertain: isCertain, at: timestamp)
    case .installFirmware(let id): return install(on: id, at: timestamp)
    case .replaceEQ(let saved): return [.changeEQs(.keep(saved))]
    case .writeAttribute(let write): return execute(write, at: timestamp)
    case .deleteEQ(let name): return [.changeEQs(.delete(name))]
    case .deleteScene(let name): return [.changeConfiguration(.deleteScene(name))]
    case .runFix(let fix): return [.runFix(fix)]
    case .quitDuringUpdate: return leave()
    }
  }

  /// Enter on an entry: takes the text, or keeps the entry open and says what is wrong with it.
  ///
  /// A name has 1 to 32 bytes of UTF-8, as the protocol's command allows.
  ///
  /// | purpose | accepted | effect |
  /// | --- | --- | --- |
  /// | search | any text | the cursor is on the match already |
  /// | rename | 1 to 32 bytes | the command |
  /// | firmware, import | a path | the file is read |
  /// | save, rename a preset | 1 to 40 characters | the file of presets changes |
  /// | save, rename a scene | 1 to 40 letters, digits, - or _ | the configuration changes |
  /// | code of a broadcast | 4 to 16 bytes | the command |
  /// | attribute | hexadecimal | a question before it is written |
  private mutating func accept(_ entry: TextEntry, at timestamp: Timestamp) -> [Effect] {
    switch entry.purpose {
    case .filter:
      dialog = nil
      let isMissing =
        !filter.isEmpty && page.kind != .log
        && match(from: page.kind.cursor(self) ?? 0, by: 1) == nil
      guard isMissing else { return [] }
      let effects = noteNoMatch(at: timestamp)
      // The footer would name n for it.
      if page == .main { filter = "" }
      return effects
    case .firmwareImage(let id):
      dialog = nil
      return examine(entry.text, for: id)
    case .saveEQ(let gains): return save(gains, as: entry)
    case .attribute(let write):
      accept(write, as: entry)
      return []
    case .renameEQ(let old): return rename(old, as: entry)
    case .saveScene: return saveScene(as: entry, at: timestamp)
    case .renameScene(let old): return renameScene(old, as: entry)
    case .importEQ(let id): return importEQ(from: entry, for: id)
    case .findCorrection(let id): return findCorrection(from: entry, for: id)
    case .broadcastCode(let id, let broadcast):
      return join(broadcast, with: entry, on: id, at: timestamp)
    case .correctionFile(let id): return useCorrectionFile(from: entry, for: id, at: timestamp)
    case .rename(let id):
      guard (1...32).contains(entry.text.utf8.count) else {
        var entry = entry
        entry.complaint =
          entry.text.isEmpty
          ? "a name has at least one character"
          : "\(entry.text.utf8.count - 32) too long for the headphone"
        dialog = .entry(entry)
        return []
      }
      dialog = nil
      return headphones[id]?.name == entry.text ? [] : send(.rename(entry.text), to: id)
    }
  }
}

internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  func begin(_ effect: CorrectionEffect, _ send: @escaping Send) {
    switch effect {
    case .find(let id, let names, let maker):
      tasks.run {
        let match = await FileIO.shared.run { CorrectionTable.bundled().match(names, maker: maker) }
        send(.correction(id, .found(match, for: names)))
      }
    case .search(let id, let text):
      tasks.run {
        let found = await FileIO.shared.run { CorrectionTable.bundled().search(text) }
        send(.correction(id, .searched(CorrectionSearch(text: text, found: found))))
      }
    case .read(let id, let path):
      tasks.run {
        do throws(CommandError) {
          let curve = try await ParametricEQFile.load(path)
          send(.correction(id, .fileRead(path: path, curve)))
        } catch {
          send(.correction(id, .fileRejected(path: path, reason: error.what)))
        }
      }
    case .start(let id, let chain):
      chains.start(chain, of: id) { send(.correction(id, $0)) }
    case .end(let id, let slot): chains.end(slot, of: id)
    }
  }
}

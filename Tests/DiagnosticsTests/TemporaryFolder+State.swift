import Persistence
import TestSupport

extension TemporaryFolder {
  var state: StateFolder { StateFolder(path: path) }
}

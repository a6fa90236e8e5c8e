import CCorrections

@testable import Companion

/// The bundled table of corrections.
let bundledCorrections: CorrectionTable = {
  var length = 0
  let bytes = earshot_corrections(&length)
  return CorrectionTable(Array(UnsafeBufferPointer(start: bytes, count: length)))
}()

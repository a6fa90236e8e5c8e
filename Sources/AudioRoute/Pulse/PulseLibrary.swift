internal import CPulse

/// The functions of libpulse, valid unless `pulseFailure` is set.
///
/// libpulse is loaded at the first use, because its twenty libraries take most of the dynamic
/// linker's time at a start, and many commands need no sound.
let pulse = loaded.library
/// The loader's reason why libpulse cannot be loaded, or nil if it was loaded.
let pulseFailure = loaded.failure

private let loaded: (library: CPulse, failure: String?) = {
  var library = CPulse()
  let failure = CPulse_load(&library).map { String(cString: $0) }
  return (library, failure)
}()

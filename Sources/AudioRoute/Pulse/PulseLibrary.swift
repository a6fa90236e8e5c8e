internal import CPulse

/// The functions of libpulse; all are there unless ``pulseFailure`` says why not.
///
/// Lazy loading, on the thread that calls it: its twenty libraries are most of the dynamic linker's work at a start, and commands
/// that have nothing to do with sound, virtual headphones and machines without a sound server do without.
let pulse = loaded.library
/// Why libpulse cannot be loaded, in the loader's words; nil: it is.
let pulseFailure = loaded.failure

private let loaded: (library: CPulse, failure: String?) = {
  var library = CPulse()
  let failure = CPulse_load(&library).map { String(cString: $0) }
  return (library, failure)
}()

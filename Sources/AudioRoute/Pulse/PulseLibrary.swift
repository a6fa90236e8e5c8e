internal import CPulse

/// The functions of libpulse, all there unless ``pulseFailure`` says why not.
///
/// It is loaded by the thread that calls it, not with the program: with its twenty libraries it is half of what a start spends
/// in the dynamic linker's hands, and commands that are not about sound, virtual headphones and machines without sound do without.
let pulse = loaded.library
/// Why libpulse cannot be loaded, in the loader's words; nil: it is.
let pulseFailure = loaded.failure

private let loaded: (library: CPulse, failure: String?) = {
  var library = CPulse()
  let failure = CPulse_load(&library).map { String(cString: $0) }
  return (library, failure)
}()

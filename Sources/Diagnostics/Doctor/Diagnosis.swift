internal import Companion

/// One result for each check, in the order of the checks.
func diagnose(_ facts: SystemFacts) -> [DiagnosticResult] { Check.allCases.map(facts.finding) }

extension SystemFacts {
  fileprivate func finding(_ check: Check) -> DiagnosticResult {
    switch check {
    case .kernel: kernelFinding
    case .adapter: adapterFinding
    case .rfkill: switchFinding
    case .power: powerFinding
    case .lowEnergy: lowEnergyFinding
    case .netRaw: scanningFinding
    case .netAdmin: pairingFinding
    case .bluetoothd: daemonFinding
    case .kernelRelease: releaseFinding
    case .soundServer: soundFinding
    case .terminal: terminalFinding
    case .locale: localeFinding
    case .stateFolder: folderFinding
    }
  }
}

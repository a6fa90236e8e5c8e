internal import Companion

/// What the facts mean: one finding for each check, in their order.
func diagnose(_ facts: SystemFacts) -> [Finding] { Check.allCases.map(facts.finding) }

extension SystemFacts {
  fileprivate func finding(_ check: Check) -> Finding {
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

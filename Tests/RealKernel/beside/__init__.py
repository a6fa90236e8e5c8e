"""Earshot beside other programs that control the same headphone: `Tests/RealKernel/compare`."""

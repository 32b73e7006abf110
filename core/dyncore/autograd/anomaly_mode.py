"""`torch.autograd.anomaly_mode`: anomaly detection under its name in PyTorch."""

from __future__ import annotations

from dyncore.graph.modes import detect_anomaly as detect_anomaly, set_detect_anomaly as set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]

"""Export of a model with its branches and loops: runs become paths, paths one ONNX model, checked before it exists."""

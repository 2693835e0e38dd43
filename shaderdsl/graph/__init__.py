"""Graphs of ops: tensors that stand for results, gradients, fusion, and plans of launches."""

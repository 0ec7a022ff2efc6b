"""Measuring iteration times of a decoder transformer, with PyTorch (extra ``gpu``)."""

"""Tests of the interface, which share one window."""

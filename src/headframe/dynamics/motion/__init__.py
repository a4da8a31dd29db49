"""Integrators, drives, stops and the ledger."""

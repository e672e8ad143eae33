"""Smoothness: roots, absolute values and shifts whose derivatives exist, or cancel, where their parts' do not."""

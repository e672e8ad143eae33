"""The language, one small program per construct; docs/language.md is written from them."""

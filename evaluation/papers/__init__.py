"""The papers' tables and figures: published values beside what measures them here."""

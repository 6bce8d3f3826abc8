"""The packages; everything else about the project is in pyproject.toml."""

from setuptools import find_packages, setup

ROOMS = ("agent", "cli", "evaluation", "graphs", "ingestion", "serving", "tools")
"""Top-level folders, installed as ``tablerag.<folder>``."""

setup(
    package_dir={"tablerag": "src"} | {f"tablerag.{room}": room for room in ROOMS},
    packages=["tablerag"] + [f"tablerag.{p}" for p in find_packages(include=[g for r in ROOMS for g in (r, f"{r}.*")])],
)

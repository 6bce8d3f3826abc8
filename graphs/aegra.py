"""The graphs that serving/aegra/aegra.json names. Aegra loads this file by its path."""

from tablerag.graphs.hd_rag import graph as hd_rag
from tablerag.graphs.tablerag import graph as tablerag

__all__ = ["hd_rag", "tablerag"]

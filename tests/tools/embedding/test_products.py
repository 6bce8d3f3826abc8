"""Products of vectors in blocks."""

import numpy as np
import pytest

from tablerag.tools.embedding import products as module
from tablerag.tools.embedding.products import products


@pytest.mark.parametrize(("one", "other"), [(3, 7), (1, 1), (2, 0), (0, 2)])
@pytest.mark.parametrize("most", [1, 30, 250_000])
def test_blocks_make_the_whole_product(one: int, other: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", most)
    made = np.random.default_rng(1)
    a, b = made.random((one, 5)), made.random((other, 5))
    assert products(a, b).shape == (one, other)
    assert np.allclose(products(a, b), a @ b.T)

"""Full collections of the server do not visit modules and stores."""

import gc

from tablerag.serving.collector import TIMES, collect_when_started, short_pauses


def test_what_full_collections_keep_is_set_aside_a_few_times() -> None:
    before, many = gc.get_freeze_count(), [[] for _ in range(10_001)]
    with short_pauses():
        at_start = gc.get_freeze_count()
        assert at_start > before + 10_000
        kept = []
        for _ in range(TIMES - 1):
            kept.append([[] for _ in range(1000)])
            gc.collect()
        later = gc.get_freeze_count()
        assert later >= at_start + 1000 * (TIMES - 1)
        kept.append([[] for _ in range(1000)])
        gc.collect()
        assert gc.get_freeze_count() <= later
    assert len(many) > 10_000 and gc.get_freeze_count() == 0


def test_nothing_is_collected_until_the_server_has_started() -> None:
    try:
        collect_when_started()
        assert not gc.isenabled()
        with short_pauses():
            assert gc.isenabled()
    finally:
        gc.enable()

"""Where things are on the page, on a desktop and on a phone."""

import pytest

from tests.support.browsing import OpenPage, ask

SIZES = [(1280, 800), (390, 844)]
ON_TOP = """(id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return document.getElementById(id).contains(found);
}"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_table_s_header_never_covers_the_question_box(open_page: OpenPage, width: int, height: int) -> None:
    page = open_page(width=width, height=height)
    for _ in range(2):
        ask(page, "What is the total revenue per region?")
    main, header = page.locator("main"), page.locator(".result thead th").last
    for target in ("question", "send"):
        # The header is scrolled to where the box is.
        main.evaluate(
            "(main, [header, box]) => { main.scrollTop += header.getBoundingClientRect().top "
            "- document.getElementById(box).getBoundingClientRect().top; }",
            [header.element_handle(), target],
        )
        apart = header.bounding_box()["y"] - page.locator(f"#{target}").bounding_box()["y"]
        assert abs(apart) < 3
        assert page.evaluate(ON_TOP, target), target

"""Where things are on the page, on a desktop and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, ask, fits, problems

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


WIDTHS = (360, 390, 800, 1100, 1280, 1920, 2560)
MOST_SCRIPT_BYTES = 150_000
MOST_PAINT_MS = 1_000


def test_nothing_scrolls_sideways_from_a_small_phone_to_a_large_screen(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "What is the total revenue per region?")
    page.locator(".answer .folded summary").click()
    page.locator(".verdict-details summary").click()
    page.locator(".timeline summary").click()
    page.get_by_role("button", name="Correct this").click()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page), width
        assert page.evaluate("document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth")
        page.locator(".source").first.click()
        expect(page.locator("#panel mark").first).to_be_visible()
        assert fits(page), width
        page.get_by_role("button", name="Close").click()
    assert problems(page) == []


def test_the_page_is_small_and_painted_within_a_second(open_page: OpenPage) -> None:
    page = open_page()
    page.locator(".suggestion").first.wait_for()
    loaded = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('.js')).map(e => e.decodedBodySize)"
    sizes = page.evaluate(loaded)
    assert len(sizes) > 20 and 50_000 < sum(sizes) <= MOST_SCRIPT_BYTES, sum(sizes)
    painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    assert page.evaluate(painted) < MOST_PAINT_MS

"""Which tiles are asked for, and which are kept."""

from app.viewmodels.page_layout import DocumentLayout
from app.viewmodels.tiles import TileCache, TileKey, TileQueue, View, plan


def key(page: int, column: int = 0, row: int = 0) -> TileKey:
    return TileKey("d", 1, page, 1000, 100, 0, column, row)


def test_the_cache_forgets_the_least_recently_used_first() -> None:
    cache: TileCache[str] = TileCache(limit=300)
    for page in range(3):
        cache.put(key(page), str(page), 100)
    assert cache.get(key(0)) == "0"
    cache.put(key(3), "3", 100)
    assert key(1) not in cache
    assert key(0) in cache
    assert cache.bytes == 300


def test_a_tile_larger_than_the_cache_is_still_kept() -> None:
    cache: TileCache[str] = TileCache(limit=10)
    cache.put(key(0), "large", 100)
    assert cache.get(key(0)) == "large"


def test_what_shows_comes_before_what_a_scroll_would_show() -> None:
    layout = DocumentLayout(((7200, 96_000),) * 3, 1.0, 0)  # 96 × 1,280 pixels each, so three tiles a page
    view = View("d", 1, 0, 0, 200, 600, 1.0)
    shown, ahead = plan(layout, view)
    assert [(k.page, k.row) for k in shown] == [(0, 0), (0, 1)]
    assert [(k.page, k.row) for k in ahead] == [(0, 2)]


def test_twice_the_pixels_take_more_tiles_of_the_same_page() -> None:
    layout = DocumentLayout(((38_400, 38_400),), 1.0, 0)  # 512 × 512 pixels at full size
    shown, _ = plan(layout, View("d", 1, 0, 0, 600, 600, 2.0))
    assert {(k.column, k.row) for k in shown} == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert {k.ratio for k in shown} == {200}


def test_a_long_document_asks_for_no_more_than_a_short_one() -> None:
    long = DocumentLayout(((61_200, 79_200),) * 2000, 1.0, 0)
    shown, ahead = plan(long, View("d", 1, 0, 1_000_000, 900, 900, 1.0))
    assert len(shown) <= 12
    assert len(ahead) <= 24


def test_the_queue_gives_nothing_twice_and_nothing_that_failed() -> None:
    queue = TileQueue()
    queue.want([key(0), key(1), key(2)])
    queue.failed.add(key(1))
    assert queue.next({key(0)}) == key(2)
    assert queue.next(()) is None
    queue.want([key(5)])
    assert queue.next(()) == key(5)

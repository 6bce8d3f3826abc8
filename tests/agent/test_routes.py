import pytest

from tablerag.agent.routes import after_cross_validate, after_decompose, after_execute, after_nl2sql, after_retrieve


@pytest.mark.parametrize(
    ("router", "state", "target"),
    [
        (after_decompose, {"subquery": "q"}, "retrieve"),
        (after_decompose, {"subquery": None}, "finish"),
        (after_retrieve, {"schemas": [{}]}, "nl2sql"),
        (after_retrieve, {"schemas": []}, "cross_validate"),
        (after_nl2sql, {"candidate_sql": "SELECT 1"}, "execute"),
        (after_nl2sql, {"candidate_sql": None}, "cross_validate"),
        (after_execute, {"result": {}, "attempts": [], "max_sql_repairs": 2}, "cross_validate"),
        (after_execute, {"result": None, "attempts": [1, 2], "max_sql_repairs": 2}, "nl2sql"),
        (after_execute, {"result": None, "attempts": [1, 2, 3], "max_sql_repairs": 2}, "cross_validate"),
        (after_execute, {"result": None, "attempts": [1], "max_sql_repairs": 0}, "cross_validate"),
        (after_cross_validate, {"iteration": 4, "max_iterations": 5}, "decompose"),
        (after_cross_validate, {"iteration": 5, "max_iterations": 5}, "finish"),
    ],
)
def test_route(router, state, target) -> None:
    assert router(state) == target

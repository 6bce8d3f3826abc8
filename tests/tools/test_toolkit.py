"""The LangChain tools, called as agents call them."""

import json

from tablerag.tools.services import Services
from tablerag.tools.toolkit import toolkit


def test_the_calculator_computes_or_says_why_not(services: Services) -> None:
    tools = {t.name: t for t in toolkit(services, "default")}
    assert set(tools) == {"search_documents", "list_tables", "run_sql", "calculate"}
    calculate = tools["calculate"]
    assert json.loads(calculate.invoke({"formula": "12% * $5 million"})) == {"result": "$600000"}
    assert "powers" in json.loads(calculate.invoke({"formula": "2**2**99"}))["error"]

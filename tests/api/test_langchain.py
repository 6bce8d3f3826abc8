"""The corpus as a LangChain retriever and as tools."""

import json

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_tests.integration_tests import RetrieversIntegrationTests
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from tablerag import ConfigError, TableRAG, TableRAGRetriever

# The suite leaves this mark to the plugin's automatic mode, which would change how other tests run.
pytest.mark.asyncio(RetrieversIntegrationTests.test_ainvoke_returns_documents)


class TestStandard(RetrieversIntegrationTests):
    """LangChain's own tests of retrievers."""

    @pytest.fixture(autouse=True)
    def corpus(self, rag: TableRAG) -> None:
        type(self).rag = rag

    @property
    def retriever_constructor(self) -> type[TableRAGRetriever]:
        return TableRAGRetriever

    @property
    def retriever_constructor_params(self) -> dict:
        return {"rag": self.rag}

    @property
    def retriever_query_example(self) -> str:
        return "warehouses and suppliers"


def test_documents_say_where_they_are_from(rag: TableRAG) -> None:
    (document,) = rag.as_retriever(k=1).invoke("annual tonnes of each supplier")
    assert document.metadata["kind"] == "table" and "Serra Azul" in document.page_content
    assert (document.metadata["source"], document.metadata["table"]) == ("suppliers.html", "suppliers")
    assert len(rag.as_retriever().invoke("coffee", k=5)) == 5
    with pytest.raises(ConfigError, match="unknown corpus 'nowhere'"):
        TableRAG.over(rag.services, corpus="nowhere").as_retriever().invoke("coffee")


def test_tools_answer_and_explain_what_went_wrong(rag: TableRAG) -> None:
    tools = {tool.name: tool for tool in rag.as_tools()}
    answer = json.loads(tools["answer_question"].invoke({"question": "How many orders were placed by Bar Aurora?"}))
    assert (answer["answer"], answer["verdict"]) == ("15", "sql_only")
    assert {*answer} == {"answer", "verdict", "explanation", "sql", "citations"}
    assert json.loads(tools["run_sql"].invoke({"sql": "SELECT COUNT(*) FROM orders"}))["rows"] == [[120]]
    assert "error" in json.loads(tools["run_sql"].invoke({"sql": "DELETE FROM orders"}))
    assert all(tool.description and tool.args for tool in tools.values() if tool.name != "list_tables")


class Agent(GenericFakeChatModel):
    """A chat model that calls the tools that its messages name."""


def test_an_agent_calls_the_tools(rag: TableRAG) -> None:
    call = {"name": "answer_question", "args": {"question": "How many orders were placed by Bar Aurora?"}, "id": "1"}
    model, tools = Agent(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("There are 15.")])), rag.as_tools()
    agent = StateGraph(MessagesState)
    agent.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    agent.add_node("tools", ToolNode(tools))
    agent.add_edge(START, "model")
    agent.add_conditional_edges("model", tools_condition, {"tools": "tools", END: END})
    agent.add_edge("tools", "model")
    # The agent's own configurable names a model too: it is not TableRAG's.
    config = {"configurable": {"model": "openai:other", "thread_id": "t"}}
    result = agent.compile().invoke({"messages": [("human", "How many?")]}, config)
    (reply,) = [m for m in result["messages"] if isinstance(m, ToolMessage)]
    assert json.loads(reply.content)["answer"] == "15"

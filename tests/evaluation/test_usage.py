"""Calls are counted with their tokens, also those that the server had cached."""

from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from tablerag.evaluation.usage import CallCounter


def reply(**details: object) -> LLMResult:
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, **details}
    message = AIMessage("a", response_metadata={"model_name": "m"}, usage_metadata=usage)
    return LLMResult(generations=[[ChatGeneration(message=message)]])


def test_cached_tokens_are_counted_apart() -> None:
    counter = CallCounter()
    counter.on_llm_end(reply(input_token_details={"cache_read": 60}))
    counter.on_llm_end(reply(input_token_details={}))
    counter.on_llm_end(reply())
    counter.on_llm_end(LLMResult(generations=[[ChatGeneration(message=AIMessage("streamed by the graph"))]]))
    assert counter.totals() == {"calls": 3, "input_tokens": 300, "cached_tokens": 60, "output_tokens": 30}

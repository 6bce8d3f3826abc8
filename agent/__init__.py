"""The agent: context, state, nodes, prompts and reasoners."""

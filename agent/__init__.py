"""Who thinks and in which order: context, state, nodes, prompts and reasoners."""

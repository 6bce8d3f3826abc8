"""The chat model as a reasoner: prompts, replies, and the checks on what a model says."""

"""Where chunks are kept and searched: the protocols of both indexes, and what implements them."""

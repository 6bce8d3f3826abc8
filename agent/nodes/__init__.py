"""The graph's nodes, one file each: functions from state to a partial update."""

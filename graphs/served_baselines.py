"""What langgraph.evaluation.json serves beside the two systems: the baselines of evaluations."""

from tablerag.agent.context import Context
from tablerag.graphs.baselines import direct as direct_graph
from tablerag.graphs.baselines import naive_rag as naive_rag_graph
from tablerag.graphs.baselines import program_of_thought as program_of_thought_graph
from tablerag.graphs.baselines import react as react_graph
from tablerag.graphs.baselines import sql_agent as sql_agent_graph
from tablerag.graphs.baselines import text2sql as text2sql_graph
from tablerag.graphs.served import checked

__all__ = ["direct", "naive_rag", "program_of_thought", "react", "sql_agent", "text2sql"]

direct = checked(direct_graph.graph, Context)
naive_rag = checked(naive_rag_graph.graph, Context)
react = checked(react_graph.graph, Context)
text2sql = checked(text2sql_graph.graph, Context)
sql_agent = checked(sql_agent_graph.graph, Context)
program_of_thought = checked(program_of_thought_graph.graph, Context)

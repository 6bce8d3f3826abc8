"""Wordings of office questions by kind, filled in by training.composed over real tables."""

__all__ = ["ABOVE", "BELOW", "NOUNS", "WORDINGS", "YEARS"]

NOUNS = ("rows", "entries", "records", "items")
"""Names for rows if no header gives one."""
ABOVE = {
    ">": ("more than", "over", "above", "greater than", "higher than", "exceeding"),
    ">=": ("at least", "no less than", "a minimum of"),
}
BELOW = {"<": ("less than", "under", "below", "fewer than", "lower than"), "<=": ("at most", "up to", "no more than")}
YEARS = {">": ("after",), ">=": ("since", "from"), "<": ("before",), "=": ("in", "during", "for")}
WORDINGS = {
    "count of a value": (
        "How many {nouns} are {value}?",
        "How many {nouns} have {value} as {column}?",
        "How many {value} are there?",
        "How many {nouns} are in {value}?",
        "How many {value} {nouns} are there?",
        "number of {nouns} with {column} {value}",
        "How many {nouns} does {value} have?",
        "count the {nouns} of {value}",
        "How many {nouns} belong to {value}?",
        "How many {nouns} did {value} have?",
        "How many {nouns} in the {value} {column}?",
        "How many {nouns} went to {value}?",
        "How many {nouns} did {value} make?",
        "How many {nouns} were there for {value}?",
    ),
    "count of two values": (
        "How many {value} {nouns} are {other}?",
        "How many {nouns} of {value} are in {other}?",
        "How many {nouns} from {value} have {other_column} {other}?",
        "number of {value} {nouns} with {other_column} {other}",
    ),
    "count of a bound": (
        "How many {nouns} have {bound} {number} {measure}?",
        "How many {nouns} have a {measure} {bound} {number}?",
        "How many {nouns} with {measure} {bound} {number} are there?",
        "number of {nouns} with {bound} {number} {measure}",
        "How many {nouns} had {bound} {number} {measure}?",
        "How many {nouns} are {bound} {number} in {measure}?",
        "How many {nouns} {bound} {number} {measure} are there?",
        "How many {nouns} have a {measure} of {bound} {number}?",
    ),
    "count of the only bound": (
        "How many {nouns} are {bound} {number}?",
        "How many {nouns} {bound} {number} are there?",
        "number of {nouns} {bound} {number}",
    ),
    "count of a range": (
        "How many {nouns} have a {measure} between {number} and {upper}?",
        "How many {nouns} had {measure} from {number} to {upper}?",
        "number of {nouns} with between {number} and {upper} {measure}",
    ),
    "count of years": (
        "How many {nouns} were there {when} {year}?",
        "How many {nouns} {when} {year}?",
        "number of {nouns} {when} {year}",
        "How many {nouns} were made {when} {year}?",
        "How many {nouns} started {when} {year}?",
    ),
    "count of a span of years": (
        "How many {nouns} were there between {year} and {year2}?",
        "How many {nouns} from {year} to {year2}?",
        "number of {nouns} between {year} and {year2}",
    ),
    "total of a span of years": (
        "How many {measure} between {year} and {year2}?",
        "total {measure} from {year} to {year2}",
        "What was the total {measure} between {year} and {year2}?",
        "How much {measure} was there from {year} to {year2}?",
    ),
    "total of a value and a year": (
        "What was the {measure} of {value} in {year}?",
        "How much {measure} did {value} have in {year}?",
        "How many {measure} did {value} have in {year}?",
        "{measure} of {value} in {year}",
        "How much was the {measure} of {value} in {year}?",
    ),
    "count of a value of names": (
        "In how many {shown} was the {column} {value}?",
        "For how many {shown} is the {column} {value}?",
        "How many {shown} had {column} {value}?",
    ),
    "count of a bound of names": (
        "How many {shown} had {bound} {number} {measure}?",
        "In how many {shown} was the {measure} {bound} {number}?",
        "For how many {shown} is the {measure} {bound} {number}?",
    ),
    "list of a value": (
        "Which {shown} are in {value}?",
        "Which {shown} have {column} {value}?",
        "List the {shown} of {value}.",
        "Which {shown} belong to {value}?",
        "Which {shown} are {value}?",
        "What {shown} does {value} have?",
    ),
    "list of a bound": (
        "Which {shown} have {bound} {number} {measure}?",
        "Which {shown} have a {measure} {bound} {number}?",
        "List the {shown} with {measure} {bound} {number}.",
        "{shown} with {bound} {number} {measure}",
        "In which {shown} was the {measure} {bound} {number}?",
    ),
    "cell": (
        "What is the {column} of {key}?",
        "What {column} does {key} have?",
        "{column} of {key}",
        "Which {column} is {key} in?",
        "How much is the {column} of {key}?",
        "What was the {column} for {key}?",
        "Tell me the {column} of {key}.",
    ),
    "total": (
        "What is the total {measure}?",
        "total {measure}",
        "What is the sum of all {measure}?",
        "overall {measure}",
    ),
    "total of a value": (
        "What is the total {measure} of {value}?",
        "total {measure} for {value}",
        "How much {measure} does {value} have in total?",
        "What is the total {measure} in {value}?",
        "sum of {measure} of {value}",
        "How much {measure} did {value} have altogether?",
        "How many {measure} did {value} have in total?",
        "Total {measure} from {value}",
        "How much {measure} comes from {value}?",
    ),
    "total of years": (
        "What was the total {measure} {when} {year}?",
        "What is the total number of {measure} {when} {year}?",
        "total {measure} {when} {year}",
        "How much {measure} was there {when} {year}?",
    ),
    "average": (
        "What is the average {measure}?",
        "average {measure}",
        "mean {measure} of all {nouns}",
        "What was the {measure} on average?",
    ),
    "average of a value": (
        "What is the average {measure} of {value}?",
        "average {measure} for {value}",
        "mean {measure} in {value}",
        "What is the average {measure} of the {nouns} from {value}?",
        "What is the {measure} of {value} on average?",
    ),
    "most": (
        "Which {shown} has the {most} {measure}?",
        "What is the {shown} with the {most} {measure}?",
        "Which {shown} had the {most} {measure}?",
        "{shown} with the {most} {measure}",
        "Who has the {most} {measure}?",
    ),
    "most of a value": (
        "In which {shown} did {value} have the {most} {measure}?",
        "Which {shown} of {value} has the {most} {measure}?",
        "Which {shown} has the {most} {measure} in {value}?",
        "What is the {shown} from {value} with the {most} {measure}?",
    ),
    "greatest": (
        "What is the {highest} {measure}?",
        "What was the {highest} {measure}?",
        "{highest} {measure}",
        "Give me the {highest} {measure}.",
    ),
    "greatest of a value": (
        "What is the {highest} {measure} of {value}?",
        "What was the {highest} {measure} in {value}?",
        "{highest} {measure} for {value}",
    ),
    "latest": (
        "What is the {latest} {shown}?",
        "Which {shown} is the {latest}?",
        "{latest} {shown}",
        "Which {shown} was the {latest}?",
    ),
    "latest of a value": (
        "What is the {latest} {shown} of {value}?",
        "Which {shown} from {value} is the {latest}?",
        "{latest} {shown} in {value}",
    ),
    "commonest": (
        "Which {column} has the most {nouns}?",
        "What is the most common {column}?",
        "Which {column} had the most {nouns}?",
        "Which {column} appears most often?",
        "most frequent {column}",
    ),
    "different": (
        "How many different {columns} are there?",
        "How many {columns} are there?",
        "number of distinct {columns}",
    ),
}

"""The functions that a statement may call: a true allow-list, by syntax class and by name."""

from sqlglot import exp

__all__ = ["ALLOWED_FUNCTIONS", "ALLOWED_NAMES", "NODES_THAT_ARE_NO_CALLS"]

_CLASSES = """
    Abs Acos Asin Atan Atan2 Avg Case Cast Ceil Chr Coalesce Concat ConcatWs Corr Cos Cot Count CountIf CovarPop
    CovarSamp CumeDist CurrentDate CurrentTime CurrentTimestamp Date DateAdd DateDiff DateFromParts DateStrToDate
    DateSub DateTrunc Datetime DatetimeAdd DatetimeDiff DatetimeSub Day DayOfMonth DayOfWeek DayOfYear Dayname
    Degrees DenseRank Elt Exists Exp Extract FirstValue Floor Greatest GroupConcat Hour If Initcap Lag LastDay LastValue
    Lead Least Left Length Ln Log Lower Max Min Minute Mod Month Monthname NthValue Ntile Nullif Pad PercentRank Pi
    Pow Quarter Radians Rank RegexpExtract RegexpLike RegexpReplace RegexpSubstr RegexpInstr Repeat Replace Reverse
    Right Round RowNumber Second Sign Sin Space Sqrt Stddev StddevPop StddevSamp StrPosition StrToDate StrToTime
    Substring SubstringIndex Sum Tan Time TimeStrToDate TimeStrToTime TimeToStr TimeToUnix Timestamp TimestampAdd
    TimestampDiff TimestampSub ToDays Trim Trunc TryCast TsOrDsAdd TsOrDsDiff TsOrDsToDate TsOrDsToTime
    TsOrDsToTimestamp TsOrDsToDatetime UnixToTime UnixToStr Upper UtcDate UtcTimestamp Variance VariancePop Week
    WeekOfYear Year YearOfWeek AnyValue Ascii Unicode Localtimestamp Localtime Convert IsNullValue NumberToStr
"""
ALLOWED_FUNCTIONS = frozenset(getattr(exp, name) for name in _CLASSES.split() if hasattr(exp, name))

ALLOWED_NAMES = frozenset(
    """
    CHAR_LENGTH CHARACTER_LENGTH DAYNAME ELT FIELD FORMAT IFNULL INSTR ISNULL LCASE LOCATE LOG10 LOG2 MAKEDATE MID
    MONTHNAME POSITION POWER QUARTER SEC_TO_TIME STD STDDEV STRCMP SUBSTR SUBSTRING_INDEX TIME_TO_SEC TO_DAYS TRUNCATE
    UCASE VARIANCE VAR_POP VAR_SAMP WEEK WEEKDAY WEEKOFYEAR YEARWEEK LPAD RPAD LTRIM RTRIM SPACE REVERSE FROM_DAYS
    DAYOFWEEK DAYOFYEAR MICROSECOND NOW CURDATE
    """.split()
)

NODES_THAT_ARE_NO_CALLS = (exp.And, exp.Or, exp.Xor, exp.Not, exp.Connector)
"""Operators that the parser files under functions."""

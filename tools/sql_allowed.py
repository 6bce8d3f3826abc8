"""What a statement may hold: a true allow-list of functions, and the parts that are refused."""

from sqlglot import exp

__all__ = ["ALLOWED_FUNCTIONS", "ALLOWED_NAMES", "FORBIDDEN", "NODES_THAT_ARE_NO_CALLS"]

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
    Stuff
"""
ALLOWED_FUNCTIONS = frozenset(getattr(exp, name) for name in _CLASSES.split() if hasattr(exp, name))

ALLOWED_NAMES = frozenset(
    """
    ADDDATE CHAR_LENGTH CHARACTER_LENGTH DAYNAME ELT FIELD FORMAT IFNULL INSTR ISNULL LCASE LOCATE LOG10 MAKEDATE MID
    MONTHNAME POSITION POWER QUARTER SEC_TO_TIME STD STDDEV STRCMP SUBSTR SUBSTRING_INDEX TIME_TO_SEC TO_DAYS TRUNCATE
    UCASE VARIANCE VAR_POP VAR_SAMP WEEK WEEKDAY WEEKOFYEAR YEARWEEK LPAD RPAD LTRIM RTRIM SPACE REVERSE FROM_DAYS
    DAYOFWEEK DAYOFYEAR FIND_IN_SET MICROSECOND NOW CURDATE LOG2 OCTET_LENGTH PERIOD_ADD PERIOD_DIFF SUBDATE
    """.split()
)

NODES_THAT_ARE_NO_CALLS = (exp.And, exp.Or, exp.Xor, exp.Not, exp.Connector)
"""Operators that the parser files under functions."""

FORBIDDEN: dict[type[exp.Expression], str] = {
    exp.Into: "INTO writes outside the result",
    exp.Lock: "row locks (FOR UPDATE, FOR SHARE) are not allowed",
    exp.Hint: "optimizer hints are not allowed",
    exp.WithTableHint: "table hints are not allowed",
    exp.IndexTableHint: "index hints are not allowed",
    exp.SessionParameter: "system variables (@@name) are not allowed",
    exp.Parameter: "user variables (@name) are not allowed",
    exp.Placeholder: "placeholders are not allowed: write the value itself",
    exp.DML: "only SELECT is allowed",
    exp.DDL: "only SELECT is allowed",
    exp.Command: "only SELECT is allowed",
    exp.PropertyEQ: "assignments (:=) are not allowed",
    exp.Introducer: "character set introducers are not allowed",
    exp.Values: "VALUES is not allowed: use SELECT",
    exp.Lateral: "LATERAL is not allowed",
    exp.Collate: "COLLATE is not allowed: text compares without regard to case already",
}

"""What a statement may hold: true allow-lists of functions, of other parts, and of what each part may carry."""

from sqlglot import exp

__all__ = [
    "ALLOWED_FUNCTIONS",
    "ALLOWED_NAMES",
    "ALLOWED_PARTS",
    "ALLOWED_TYPES",
    "ALLOWED_UNITS",
    "CARRIES",
    "FORBIDDEN",
    "REFUSED_KEYS",
]

_CLASSES = """
    Abs Acos Asin Atan Atan2 Avg Case Cast Ceil Chr Coalesce Concat ConcatWs Cos Cot Count
    CumeDist CurrentDate CurrentTime CurrentTimestamp Date DateAdd DateDiff DateFromParts DateStrToDate
    DateSub DateTrunc Datetime DatetimeAdd DatetimeDiff DatetimeSub Day DayOfMonth DayOfWeek DayOfYear Dayname
    Degrees DenseRank Elt Exists Exp Extract FirstValue Floor Greatest GroupConcat Hour If Lag LastDay LastValue
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

_PARTS = """
    Add Alias All And Any Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr BitwiseRightShift BitwiseXor Boolean
    CTE Column DataType DataTypeParam Distinct Div EQ Escape Except Fetch From GT GTE Group Having Identifier In IntDiv
    Intersect Interval Is Join LT LTE Like Limit LimitOptions Literal Mod Mul NEQ Neg Not Null NullSafeEQ NullSafeNEQ
    Offset Or Order Ordered Paren Rollup Select Star Sub Subquery Table TableAlias Tuple Union Var Where Window
    WindowSpec With Xor
"""
ALLOWED_PARTS = frozenset(getattr(exp, name) for name in _PARTS.split())
"""Everything that is no function call; the parser files AND, OR and XOR under functions."""

_MODIFIERS = "where group having windows order limit offset joins with_"
CARRIES: dict[type[exp.Expr], frozenset[str]] = {
    kind: frozenset(keys.split())
    for kind, keys in {
        exp.Select: f"expressions distinct from_ operation_modifiers {_MODIFIERS}",
        exp.Union: "this expression distinct order limit offset with_",
        exp.Except: "this expression distinct order limit offset with_",
        exp.Intersect: "this expression distinct order limit offset with_",
        exp.Subquery: "this alias joins",
        exp.Table: "this alias joins db catalog",
        exp.TableAlias: "this columns",
        exp.Join: "this on side kind using method",
        exp.With: "expressions recursive",
        exp.CTE: "this alias",
        exp.Column: "this table",
        exp.Star: "",
        exp.Distinct: "expressions",
        exp.Group: "expressions rollup",
        exp.Rollup: "",
        exp.Order: "this expressions",
        exp.Ordered: "this desc nulls_first",
        exp.Limit: "expression",
        exp.Offset: "expression",
        exp.Fetch: "direction count limit_options",
        exp.LimitOptions: "rows",
        exp.Window: "this partition_by order spec alias over",
        exp.WindowSpec: "kind start start_side end end_side",
        exp.DataType: "this expressions",
        exp.In: "this expressions query",
        exp.Cast: "this to",
        exp.TryCast: "this to safe",
        exp.Chr: "expressions",
        exp.GroupConcat: "this separator",
        exp.Trim: "this expression position",
    }.items()
}
"""What a part may carry beside nothing; parts that are not named here are checked by what they hold alone."""

ALLOWED_TYPES = frozenset(
    getattr(exp.DataType.Type, name)
    for name in """
        BIGINT UBIGINT INT UINT SMALLINT TINYINT DECIMAL DOUBLE FLOAT CHAR NCHAR VARCHAR TEXT BINARY DATE DATETIME TIME
        TIMESTAMP TIMESTAMPTZ TIMESTAMPLTZ BOOLEAN
    """.split()
)

ALLOWED_UNITS = frozenset(
    """
    MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND
    HOUR_MICROSECOND HOUR_SECOND HOUR_MINUTE DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH
    """.split()
)
"""Words of INTERVAL, EXTRACT and TIMESTAMPDIFF: the only bare words that are rendered as they stand."""

FORBIDDEN: dict[type[exp.Expr], str] = {
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
    exp.National: "character set introducers are not allowed: leave the N before the text out",
    exp.Values: "VALUES is not allowed: use SELECT",
    exp.Lateral: "LATERAL is not allowed",
    exp.Collate: "COLLATE is not allowed: text compares without regard to case already",
    exp.HexString: "hexadecimal literals are not allowed: write the text in quotes, or the number itself",
    exp.BitString: "bit literals are not allowed: write the number itself",
    exp.JSONValue: "JSON functions are not allowed: cells hold plain values",
    exp.JSONTable: "JSON functions are not allowed: cells hold plain values",
    exp.Filter: "FILTER is not MySQL: write the condition within the aggregate, as in SUM(IF(condition, x, 0))",
    exp.IgnoreNulls: "IGNORE NULLS is not MySQL: filter in a derived table",
    exp.RespectNulls: "RESPECT NULLS is not MySQL: leave it out",
    exp.WithinGroup: "WITHIN GROUP is not MySQL: use window functions",
    exp.Dot: "functions of a database are not allowed: name columns and functions without one",
    exp.Cube: "CUBE is not MySQL: use GROUP BY ... WITH ROLLUP, or UNION ALL",
    exp.GroupingSets: "GROUPING SETS is not MySQL: use GROUP BY ... WITH ROLLUP, or UNION ALL",
    exp.SimilarTo: "SIMILAR TO is not MySQL: use LIKE or REGEXP",
    exp.Glob: "GLOB is not MySQL: use LIKE or REGEXP",
    exp.ILike: "ILIKE is not MySQL: LIKE has no regard to case already",
    exp.Qualify: "QUALIFY is not MySQL: filter a derived table by its window's column",
}
"""Reasons for parts that models do write; what is on no list at all is refused in general words."""

REFUSED_KEYS = {
    "charset": "character sets cannot be chosen",
    "connect": "CONNECT BY is not allowed",
    "cluster": "CLUSTER BY is not MySQL: use ORDER BY",
    "distribute": "DISTRIBUTE BY is not MySQL: use ORDER BY",
    "sort": "SORT BY is not MySQL: use ORDER BY",
    "all": "GROUP BY ALL is not MySQL: name the columns",
    "except_": "* EXCEPT is not MySQL: name the columns that you want",
    "replace": "* REPLACE is not MySQL: name the columns that you want",
    "this": "LIMIT bounds a whole query, not an aggregate",
    "kind": "character sets and structs cannot be chosen: every text is utf8mb4, every value plain",
    "materialized": "MATERIALIZED is not MySQL: leave it out",
    "laterals": "LATERAL is not allowed",
    "pivots": "PIVOT is not MySQL: use SUM(CASE WHEN ... THEN ... END)",
    "sample": "TABLESAMPLE is not MySQL: whole tables are read",
    "partition": "PARTITION and time travel are not allowed",
    "version": "PARTITION and time travel are not allowed",
    "when": "PARTITION and time travel are not allowed",
    "system_time": "PARTITION and time travel are not allowed",
    "db": "columns are named without a database",
    "catalog": "columns are named without a database",
    "on": "DISTINCT ON is not MySQL: use GROUP BY, or ROW_NUMBER() in a derived table",
    "limit_options": "LIMIT takes a number of rows, nothing else",
    "expressions": "LIMIT takes a number of rows, nothing else",
    "nested": "types are plain: cast to CHAR, SIGNED, DECIMAL, DOUBLE, DATE or DATETIME",
    "locks": "row locks (FOR UPDATE, FOR SHARE) are not allowed",
    "hint": "optimizer hints are not allowed",
    "hints": "hints are not allowed",
    "into": "INTO writes outside the result",
    "qualify": "QUALIFY is not MySQL: filter a derived table by its window's column",
}

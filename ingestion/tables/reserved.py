"""The words that a SQL name must not be; a SQL library would take longer to load than a small file to read."""

__all__ = ["RESERVED"]

RESERVED = frozenset(
    """
    all alter analyze and anti any apply array as asc asof attach auto_increment autoincrement begin between
    bigdecimal bigint bignum bignumeric binary bit blob bool boolean bpchar byte bytea cache call case char character
    charset clob collate column comment commit constraint copy create cross cube current_catalog current_date
    current_schema current_time current_timestamp current_user database datemultirange daterange datetime dec decfloat
    decimal decimal128 decimal256 decimal32 decimal64 default delete desc describe detach distinct distinctrow div
    double drop else end enum escape except execute exists explain false fetch file filter first fixed float float4
    float8 for force format from full function geography geometry glob grant having hugeint ignore ilike in index inet
    inner insert int int1 int128 int16 int2 int256 int32 int4 int4multirange int4range int64 int8 int8multirange
    int8range integer intersect interval into is isnull join json jsonb keep key kill lateral left like limit list
    load localtime localtimestamp lock long longblob longtext longvarchar map match mediumblob mediumint mediumtext
    merge mod namespace natural nchar next not notnull null nullable numeric nummultirange numrange nvarchar nvarchar2
    object offset on operator optimize or ordinality out outer over overlaps overwrite partition partitioned_by
    percent pivot pragma prepare procedure qualify range real recursive ref references regexp rename replace returning
    revoke right rlike rollback rollup row rows schema select semi separator sequence serial session session_user set
    settings short show signed smallint some start str straight_join string struct table tablesample temp temporary
    text then time_ns timestamp timestamp_ltz timestamp_ntz timestampltz timestampntz timestamptz timetz tinyblob
    tinyint tinytext trigger true truncate tsmultirange tsrange tstzmultirange tstzrange uhugeint uint uint128 uint256
    uncache union unique unknown unnest unpivot unsigned update use using uuid vacuum values varbinary varchar
    varchar2 variant vector view volatile when where window with xor
    """.split()
)
"""The keywords of MySQL's dialect but for those that every engine accepts as quoted names, and three that
 earlier versions reserved: a column keeps its name when its file is read again."""

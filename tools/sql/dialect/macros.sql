-- Functions of MySQL that DuckDB lacks. A macro's arguments are copied into it: where one is used more than once, it is
-- bound first, as the parameter of a lambda, so that nested calls stay small.

-- Numbers of other values.
CREATE MACRO m_number(x) AS
    list_transform(
        [TRY_CAST(regexp_replace(x, '(?s)^\s*([-+]?)(\d*\.?\d*)((?:[eE][-+]?\d+)?).*$', '\10\2\3') AS DOUBLE)],
        lambda v: CASE WHEN isinf(v) THEN sign(v) * 1.79769313486231e308 ELSE v + 0 END)[1];
CREATE MACRO m_any_number(x) AS m_number(CAST(x AS VARCHAR));
CREATE MACRO m_date_number(d) AS CAST(strftime(d, '%Y%m%d') AS BIGINT);
CREATE MACRO m_datetime_number(d) AS CAST(strftime(d, '%Y%m%d%H%M%S') AS BIGINT);
CREATE MACRO m_time_number(t) AS CAST(replace(split_part(t, '.', 1), ':', '') AS BIGINT);
CREATE MACRO m_exact(x) AS CAST(format('{:.15g}', x) AS DECIMAL(38, 12));
CREATE MACRO m_exact_text(x) AS
    regexp_replace(x, '(?s)^\s*([-+]?)(\d*\.?\d*)((?:[eE][-+]?\d+)?).*$', '\10\2\3');
CREATE MACRO m_digits(x) AS regexp_replace(regexp_replace(x, '\.0$|\.0(e)', '\1'), 'e\+?(-?)0*', 'e\1');
CREATE MACRO m_double_text(x) AS m_digits(CAST(CAST(x AS DOUBLE) + 0 AS VARCHAR));
CREATE MACRO m_quotient_text(x) AS m_digits(format('{:.15g}', x + 0));
CREATE MACRO m_signed(x) AS
    list_transform([CAST(regexp_extract(x, '^\s*([-+]?\d{1,37})', 1) AS VARCHAR)], lambda v:
        CAST(greatest(least(CAST(CASE WHEN v = '' THEN '0' ELSE v END AS HUGEINT), 9223372036854775807),
            -9223372036854775808) + CASE WHEN v IS NULL THEN NULL ELSE 0 END AS BIGINT))[1];
CREATE MACRO m_decimal(x, places, most, least_) AS
    list_transform([{'v': round(TRY_CAST(x AS DECIMAL(38, 12)), places), 'd': TRY_CAST(x AS DOUBLE)}], lambda p:
        CASE WHEN p.v > most OR (p.v IS NULL AND p.d >= most) THEN most
             WHEN p.v < least_ OR (p.v IS NULL AND p.d <= least_) THEN least_
             WHEN p.v IS NULL AND abs(p.d) < 1 THEN 0
             WHEN p.v IS NULL AND p.d IS NOT NULL THEN error('a number is out of range: DECIMAL holds at most 26 digits before the point')
             ELSE p.v END)[1];

-- Arithmetic.
CREATE MACRO m_div(a, b) AS CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0);
CREATE MACRO m_mul(a, b) AS (a + CAST(0 AS DECIMAL(38, 0))) * b;
CREATE MACRO m_mod(a, b) AS a % nullif(b, 0);
CREATE MACRO m_whole_div(a, b) AS a // nullif(b, 0);
CREATE MACRO m_div_whole(a, b) AS
    list_transform([{'a': a, 'b': nullif(b, 0)}], lambda p: CAST(round((p.a - p.a % p.b) / p.b) AS BIGINT))[1];
CREATE MACRO m_round(x, n) AS list_transform([{'x': x, 'n': n}], lambda p: round(p.x, greatest(least(p.n, 15), -15)))[1];
CREATE MACRO m_trunc(x, n) AS list_transform([{'x': x, 'n': n}], lambda p: trunc(p.x, greatest(least(p.n, 15), -15)))[1];
CREATE MACRO m_finite(x) AS
    list_transform([x], lambda v: CASE WHEN isfinite(v) THEN v WHEN v IS NOT NULL
        THEN error('a number is out of range: DOUBLE holds at most 1.797e308') END)[1];
CREATE MACRO m_sqrt(x) AS list_transform([x], lambda v: CASE WHEN v >= 0 THEN sqrt(v) END)[1];
CREATE MACRO m_ln(x) AS list_transform([x], lambda v: CASE WHEN v > 0 THEN ln(v) END)[1];
CREATE MACRO m_log2(x) AS list_transform([x], lambda v: CASE WHEN v > 0 THEN log2(v) END)[1];
CREATE MACRO m_log10(x) AS list_transform([x], lambda v: CASE WHEN v > 0 THEN log10(v) END)[1];
CREATE MACRO m_log(base, x) AS
    list_transform([{'b': base, 'x': x}], lambda p: CASE WHEN p.x > 0 AND p.b > 0 AND p.b <> 1 THEN ln(p.x) / ln(p.b) END)[1];
CREATE MACRO m_exp(x) AS m_finite(exp(x));
CREATE MACRO m_asin(x) AS list_transform([x], lambda v: CASE WHEN v BETWEEN -1 AND 1 THEN asin(v) END)[1];
CREATE MACRO m_acos(x) AS list_transform([x], lambda v: CASE WHEN v BETWEEN -1 AND 1 THEN acos(v) END)[1];
CREATE MACRO m_pow(x, y) AS
    list_transform([{'x': x, 'y': y}], lambda p:
        CASE WHEN p.x < 0 AND p.y <> floor(p.y) THEN NULL ELSE m_finite(pow(p.x, p.y)) END)[1];
CREATE MACRO m_bits(x) AS CAST(CAST(x AS HUGEINT) & 18446744073709551615 AS UBIGINT);
CREATE MACRO m_bit_and(a, b) AS a & b;
CREATE MACRO m_bit_or(a, b) AS a | b;
CREATE MACRO m_bit_xor(a, b) AS xor(a, b);
CREATE MACRO m_bit_not(a) AS ~a;
CREATE MACRO m_shift_right(a, n) AS
    list_transform([{'a': a, 'n': n}], lambda p: CASE WHEN p.n > 63 THEN 0::UBIGINT ELSE p.a >> p.n END)[1];
CREATE MACRO m_shift_left(a, n) AS
    list_transform([{'a': CAST(a AS HUGEINT), 'n': CAST(n AS HUGEINT)}], lambda p: CASE WHEN p.n > 63 THEN 0::UBIGINT
        ELSE CAST((p.a & (18446744073709551615 >> p.n)) << p.n AS UBIGINT) END)[1];
CREATE MACRO m_format(x) AS
    list_transform([x], lambda t: CASE WHEN starts_with(t, '-') THEN '-' ELSE '' END
        || format('{:,}', CAST(split_part(ltrim(t, '-'), '.', 1) AS HUGEINT))
        || CASE WHEN contains(t, '.') THEN '.' || split_part(t, '.', 2) ELSE '' END)[1];

CREATE MACRO m_step(n, most) AS list_transform([n], lambda v: CASE WHEN v >= most
    THEN error('the recursion takes more than ' || format('{:,}', most) || ' steps: end it with a condition, such as WHERE n < 100') ELSE v + 1 END)[1];

-- Texts.
CREATE MACRO m_fold(x) AS translate(strip_accents(lower(x)), 'øłđħ', 'oldh');
CREATE MACRO m_upper(x) AS replace(upper(x), 'ẞ', 'ß');
CREATE MACRO m_left(x, n) AS list_transform([{'x': x, 'n': n}], lambda p:
    CASE WHEN p.n > 0 THEN left(p.x, p.n) WHEN p.n <= 0 AND p.x IS NOT NULL THEN '' END)[1];
CREATE MACRO m_right(x, n) AS list_transform([{'x': x, 'n': n}], lambda p:
    CASE WHEN p.n > 0 THEN right(p.x, p.n) WHEN p.n <= 0 AND p.x IS NOT NULL THEN '' END)[1];
CREATE MACRO m_size(n) AS list_transform([n], lambda v: CASE WHEN v > 2000000000 THEN 2000000000 WHEN v < 0 THEN 0 ELSE v END)[1];
CREATE MACRO m_substring(x, n, size) AS list_transform([{'x': x, 'n': n, 's': size}], lambda p:
    CASE WHEN p.x IS NULL OR p.n IS NULL OR p.s IS NULL THEN NULL
         WHEN p.n = 0 OR p.n < -length(p.x) OR p.n > length(p.x) OR p.s = 0 THEN ''
         WHEN p.n > 0 THEN substring(p.x, p.n, p.s)
         ELSE substring(p.x, length(p.x) + p.n + 1, p.s) END)[1];
CREATE MACRO m_joined_length(pieces, mark) AS
    list_sum(list_transform(pieces, lambda v: length(v))) + (len(pieces) - 1) * length(mark);
CREATE MACRO m_substring_index(x, mark, n) AS list_transform([{'x': x, 'm': mark, 'n': n}], lambda p:
    CASE WHEN p.x IS NULL OR p.m IS NULL OR p.n IS NULL THEN NULL
         WHEN p.m = '' OR p.n = 0 OR p.x = '' THEN ''
         WHEN p.n > 0 THEN left(p.x, CAST(m_joined_length(string_split(p.x, p.m)[1:p.n], p.m) AS BIGINT))
         ELSE right(p.x, CAST(m_joined_length(string_split(p.x, p.m)[greatest(len(string_split(p.x, p.m)) + p.n + 1, 1):],
             p.m) AS BIGINT)) END)[1];
CREATE MACRO m_repeat(x, n) AS list_transform([{'x': x, 'n': n}], lambda p:
    CASE WHEN p.n <= 0 AND p.x IS NOT NULL THEN ''
         WHEN length(p.x) * CAST(p.n AS HUGEINT) > 1000000
         THEN error('result of a text function too long: at most 1,000,000 characters')
         ELSE repeat(p.x, p.n) END)[1];
CREATE MACRO m_lpad(x, n, fill) AS list_transform([{'x': x, 'n': n, 'f': fill}], lambda p:
    CASE WHEN p.n < 0 OR (p.f = '' AND p.n > length(p.x)) THEN NULL WHEN p.n > 1000000
         THEN error('result of a text function too long: at most 1,000,000 characters')
         WHEN p.n <= length(p.x) AND p.f IS NOT NULL THEN substring(p.x, 1, p.n)
         ELSE lpad(p.x, CAST(p.n AS INTEGER), p.f) END)[1];
CREATE MACRO m_rpad(x, n, fill) AS list_transform([{'x': x, 'n': n, 'f': fill}], lambda p:
    CASE WHEN p.n < 0 OR (p.f = '' AND p.n > length(p.x)) THEN NULL WHEN p.n > 1000000
         THEN error('result of a text function too long: at most 1,000,000 characters')
         WHEN p.n <= length(p.x) AND p.f IS NOT NULL THEN substring(p.x, 1, p.n)
         ELSE rpad(p.x, CAST(p.n AS INTEGER), p.f) END)[1];
CREATE MACRO m_trim_left(x, mark) AS regexp_replace(x, '^(?:' || regexp_escape(mark) || ')+', '');
CREATE MACRO m_trim_right(x, mark) AS regexp_replace(x, '(?:' || regexp_escape(mark) || ')+\z', '');
CREATE MACRO m_replace(x, old, new) AS list_transform([{'x': x, 'o': old, 'n': new}], lambda p:
    CASE WHEN length(p.n) > 1 AND CAST(length(p.x) AS HUGEINT) * length(p.n) > 8000000
         THEN error('result of a text function too long: at most 1,000,000 characters') ELSE replace(p.x, p.o, p.n) END)[1];
CREATE MACRO m_insert(x, n, size, new) AS list_transform([{'x': x, 'n': n, 's': size, 'w': new}], lambda p:
    CASE WHEN p.s IS NULL OR p.w IS NULL THEN NULL WHEN p.n < 1 OR p.n > length(p.x) THEN p.x
         ELSE substring(p.x, 1, p.n - 1) || p.w || CASE WHEN p.s < 0 OR p.n + p.s > length(p.x) THEN ''
             ELSE substring(p.x, p.n + p.s) END END)[1];
CREATE MACRO m_locate(part, x, n) AS list_transform([{'p': part, 'x': x, 'n': n}], lambda p:
    CASE WHEN p.p IS NULL OR p.x IS NULL THEN NULL WHEN p.n < 1 OR p.n > length(p.x) + 1 THEN 0
         WHEN instr(substring(p.x, p.n), p.p) = 0 AND p.p <> '' THEN 0
         WHEN p.p = '' THEN p.n ELSE instr(substring(p.x, p.n), p.p) + p.n - 1 END)[1];
CREATE MACRO m_place(n) AS list_transform([n], lambda v: CASE WHEN v > 0 THEN v ELSE 0 END)[1];
CREATE MACRO m_ascii(x) AS CAST(coalesce(TRY_CAST('0x' || left(hex(x), 2) AS BIGINT), CASE WHEN x IS NOT NULL THEN 0 END) AS BIGINT);
CREATE MACRO m_char(n) AS chr(CAST(n AS INTEGER));
CREATE MACRO m_field(x, items) AS
    list_transform([{'x': x, 'l': items}], lambda p: CASE WHEN p.x IS NULL THEN 0
        ELSE CAST(coalesce(list_position(p.l, p.x), 0) AS BIGINT) END)[1];
CREATE MACRO m_find_in_set(part, items) AS list_transform([{'p': part, 'l': items}], lambda p:
    CASE WHEN p.p IS NULL OR p.l IS NULL THEN NULL WHEN p.l = '' OR contains(p.p, ',') THEN 0
         ELSE CAST(coalesce(list_position(string_split(p.l, ','), p.p), 0) AS BIGINT) END)[1];
CREATE MACRO m_strcmp(a, b) AS list_transform([{'a': m_fold(a), 'b': m_fold(b)}], lambda p:
    CASE WHEN p.a < p.b THEN -1 WHEN p.a > p.b THEN 1 WHEN p.a = p.b THEN 0 END)[1];
CREATE MACRO m_greatest(items) AS list_transform([items], lambda l: CASE WHEN list_count(l) = len(l) THEN list_max(l) END)[1];
CREATE MACRO m_least(items) AS list_transform([items], lambda l: CASE WHEN list_count(l) = len(l) THEN list_min(l) END)[1];
CREATE MACRO m_greatest_text(items) AS list_transform([items], lambda l: CASE WHEN list_count(l) = len(l)
    THEN list_max(list_transform(l, lambda v: {'k': m_fold(v), 'v': v})).v END)[1];
CREATE MACRO m_least_text(items) AS list_transform([items], lambda l: CASE WHEN list_count(l) = len(l)
    THEN list_min(list_transform(l, lambda v: {'k': m_fold(v), 'v': v})).v END)[1];
CREATE MACRO m_joined_text(x, most) AS list_transform([x], lambda v: CASE WHEN strlen(v) > most
    THEN error('GROUP_CONCAT and JSON_ARRAYAGG return at most ' || format('{:,}', most) || ' bytes: make smaller groups') ELSE v END)[1];
CREATE MACRO m_json(x) AS CAST(to_json(CAST(x AS VARCHAR)) AS VARCHAR);
CREATE MACRO m_json_array(x) AS '[' || x || ']';
CREATE MACRO m_pair(k, v) AS {'k': k, 'v': v};
CREATE MACRO m_joined_sorted(items, down, mark) AS list_transform([list_sort(list_transform(
        list_filter(items, lambda v: v.v IS NOT NULL), lambda v, i: {'k': v.k, 'i': i, 'v': v.v}))], lambda l:
    list_transform([list_filter(l, lambda v, i: i = 1 OR l[i - 1].k <> v.k)], lambda l: CASE WHEN len(l) > 0 THEN
        array_to_string(list_transform(CASE WHEN down THEN list_reverse(l) ELSE l END, lambda v: v.v), mark) END)[1])[1];
CREATE MACRO m_joined_distinct(items, mark) AS
    list_transform([list_transform([list_filter(items, lambda v: v IS NOT NULL)], lambda l:
        CASE WHEN len(l) > 10000 THEN error('GROUP_CONCAT with DISTINCT and another order is limited to 10,000 rows')
             ELSE {'l': l, 'k': list_transform(l, lambda v: m_fold(v))} END)[1]], lambda p:
        CASE WHEN len(p.l) > 0
             THEN array_to_string(list_filter(p.l, lambda v, i: list_position(p.k, p.k[i]) = i), mark) END)[1];

-- Regular expressions.
CREATE MACRO m_ascii_letters(x) AS list_transform([x], lambda v:
    CASE WHEN regexp_matches(v, '[^\x00-\x7f]') AND regexp_matches(regexp_replace(v, '[\x00-\x7f]+', '', 'g'), '[\p{L}\p{N}]')
         THEN error('\b only supports ASCII letters: write (^|[^[:alnum:]]) and ([^[:alnum:]]|$)') ELSE v END)[1];
CREATE MACRO m_searched(x, most) AS list_transform([x], lambda v: CASE WHEN length(v) > most
    THEN error('regular expression too complex for a long text: shorten the text or the expression') ELSE v END)[1];
CREATE MACRO m_ascii_words(x, pattern) AS list_transform([{'x': x, 'p': pattern}], lambda p:
    CASE WHEN length(p.x) > 10000
         THEN error('regular expression too complex for a long text: shorten the text or the expression') WHEN regexp_matches(p.p, '\\[bB]|\[:[<>]:\]') THEN m_ascii_letters(p.x) ELSE p.x END)[1];
CREATE MACRO m_replacement(x) AS regexp_replace(x, '\$(\d)', '\\\1', 'g');
CREATE MACRO m_regexp_instr(x, pattern, begun) AS list_transform([x], lambda v:
    CASE WHEN v IS NULL THEN NULL WHEN regexp_matches(v, pattern, 'i')
         THEN length(regexp_extract(v, begun, 1, 'i')) + 1 ELSE 0 END)[1];

-- Dates.
CREATE MACRO m_two(x) AS lpad(CASE WHEN x = '' OR x IS NULL THEN '00' ELSE x END, 2, '0');
CREATE MACRO m_century(y) AS
    list_transform([y], lambda v: CASE WHEN length(v) > 2 THEN v WHEN CAST(v AS INTEGER) < 70 THEN CAST(CAST(v AS INTEGER) + 2000 AS VARCHAR)
        ELSE '19' || v END)[1];
CREATE MACRO m_moment_of(p) AS list_transform([p], lambda v: CASE WHEN v.y <> '' THEN TRY_CAST(lpad(m_century(v.y), 4, '0') || '-'
    || m_two(v.m) || '-' || m_two(v.d) || ' ' || m_two(v.h) || ':' || m_two(v.i) || ':' || m_two(v.s) || v.f AS TIMESTAMP) END)[1];
CREATE MACRO m_moment(x) AS list_transform([x], lambda v:
    CASE WHEN length(v) > 40 THEN NULL
         WHEN regexp_matches(v, '^\s*\d{1,4}[^\w\s]') THEN m_moment_of(regexp_extract(v,
             '^\s*(\d{1,4})[^\w\s](\d{1,2})[^\w\s](\d{1,2})(?:[T\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(\.\d{0,6})?)?)?)?',
             ['y', 'm', 'd', 'h', 'i', 's', 'f']))
         WHEN regexp_matches(v, '^\s*(\d{14}|\d{8})(\.\d{0,6})?$') THEN m_moment_of(regexp_extract(v,
             '^\s*(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(\.\d*)?$', ['y', 'm', 'd', 'h', 'i', 's', 'f']))
         WHEN regexp_matches(v, '^\s*(\d{12}|\d{6})(\.\d{0,6})?$') THEN m_moment_of(regexp_extract(v,
             '^\s*(\d{2})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(\.\d*)?$', ['y', 'm', 'd', 'h', 'i', 's', 'f']))
    END)[1];
CREATE MACRO m_clock(d) AS list_transform([d], lambda v: strftime(v, '%H:%M:%S') || CASE WHEN microsecond(v) % 1000000 > 0
    THEN strftime(v, '.%f') ELSE '' END)[1];
CREATE MACRO m_clock_of(x) AS regexp_extract(x, '^\s*(-?)(\d{1,3}):(\d{1,2})(?::(\d{1,2})(\.\d{0,6})?)?\s*$', ['n', 'h', 'm', 's', 'f']);
CREATE MACRO m_time(x) AS list_transform([x], lambda v: CASE WHEN m_clock_of(v).h <> ''
    THEN m_clock_of(v).n || m_two(m_clock_of(v).h) || ':' || m_two(m_clock_of(v).m) || ':' || m_two(m_clock_of(v).s)
        || CASE WHEN CAST('0' || m_clock_of(v).f || '0' AS DOUBLE) > 0 THEN rpad(m_clock_of(v).f, 7, '0') ELSE '' END
    ELSE m_clock(m_moment(v)) END)[1];
CREATE MACRO m_clock_part(x, place) AS list_transform([m_time(x)], lambda v:
    CASE WHEN place = 3 THEN CAST(rpad(split_part(v, '.', 2), 6, '0') AS BIGINT)
         ELSE CAST(split_part(split_part(ltrim(v, '-'), '.', 1), ':', place + 1) AS BIGINT) END)[1];
CREATE MACRO m_fraction(n) AS n % 1000000;
CREATE MACRO m_day_of_week(d) AS dayofweek(d) + 1;
CREATE MACRO m_weekday(d) AS isodow(d) - 1;
CREATE MACRO m_week(d, monday, first_) AS list_transform([CAST(d AS DATE)], lambda v:
    (dayofyear(v) - (dayofweek(v) + 7 - monday) % 7 + first_ + 6) // 7)[1];
CREATE MACRO m_anchor(d, monday, first_) AS list_transform([CAST(d AS DATE)], lambda v:
    v - CAST((dayofweek(v) + 7 - monday) % 7 AS INTEGER) + CAST(first_ AS INTEGER))[1];
CREATE MACRO m_week_of_year(d, monday, first_) AS (dayofyear(m_anchor(d, monday, first_)) + 6) // 7;
CREATE MACRO m_yearweek(d, monday, first_) AS list_transform([m_anchor(d, monday, first_)], lambda v:
    year(v) * 100 + (dayofyear(v) + 6) // 7)[1];
CREATE MACRO m_ordinal(d) AS list_transform([day(d)], lambda v: CAST(v AS VARCHAR)
    || CASE WHEN v // 10 = 1 THEN 'th' WHEN v % 10 = 1 THEN 'st' WHEN v % 10 = 2 THEN 'nd' WHEN v % 10 = 3 THEN 'rd' ELSE 'th' END)[1];
CREATE MACRO m_week_text_1(d) AS lpad(CAST(m_week(d, 1, 3) AS VARCHAR), 2, '0');
CREATE MACRO m_week_text_2(d) AS lpad(CAST(m_week_of_year(d, 0, 0) AS VARCHAR), 2, '0');
CREATE MACRO m_week_year_2(d) AS strftime(m_anchor(d, 0, 0), '%Y');
CREATE MACRO m_empty(d) AS list_transform([d], lambda v: CASE WHEN v IS NOT NULL THEN '' END)[1];
CREATE MACRO m_moved(d, span) AS list_transform(list_transform([{'d': d, 'span': span}], lambda p: TRY(p.d + p.span)), lambda v:
    CASE WHEN v BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999' THEN v END)[1];
CREATE MACRO m_shifted_text(d, x, timed) AS list_transform([{'d': d, 'x': x}], lambda p:
    CASE WHEN timed OR contains(p.x, ':') OR contains(p.x, 'T') OR length(p.x) = 14
         THEN strftime(p.d, '%Y-%m-%d ') || m_clock(p.d)
         ELSE strftime(p.d, '%Y-%m-%d') END)[1];
CREATE MACRO m_span(n) AS list_transform([n], lambda v: CASE WHEN abs(v) <= 1000000000 THEN CAST(v AS INTEGER) END)[1];
CREATE MACRO m_months(n, sign) AS to_months(CAST(m_span(round(n)) * sign AS INTEGER));
CREATE MACRO m_days(n, sign) AS to_days(CAST(m_span(round(n)) * sign AS INTEGER));
CREATE MACRO m_microseconds(n, sign) AS to_microseconds(TRY_CAST(round(n * sign) AS BIGINT));
CREATE MACRO m_whole_microseconds(n, sign) AS to_microseconds(TRY_CAST(round(n) * sign AS BIGINT));
CREATE MACRO m_days_of_era(d) AS date_diff('day', DATE '1970-01-01', d) + 719527;
CREATE MACRO m_whole_months(a, b) AS (year(b) - year(a)) * 12 + month(b) - month(a)
    - CASE WHEN strftime(b, '%d%H%M%S%f') < strftime(a, '%d%H%M%S%f') THEN 1 ELSE 0 END;
CREATE MACRO m_months_between(a, b, per) AS list_transform([{'a': a, 'b': b}], lambda p:
    CASE WHEN p.b >= p.a THEN m_whole_months(p.a, p.b) // per ELSE -(m_whole_months(p.b, p.a) // per) END)[1];
CREATE MACRO m_time_between(a, b, per) AS (epoch_us(b) - epoch_us(a)) // per;
CREATE MACRO m_makedate(y, n) AS list_transform([{'y': y, 'n': n}], lambda p: CASE WHEN p.n > 0 AND p.n < 4000000 AND p.y BETWEEN 0 AND 9999
    THEN CAST(m_moved(make_date(CASE WHEN p.y < 70 THEN p.y + 2000 WHEN p.y < 100 THEN p.y + 1900 ELSE p.y END, 1, 1),
        to_days(CAST(p.n - 1 AS INTEGER))) AS DATE) END)[1];
CREATE MACRO m_from_days(n) AS list_transform([n], lambda v: CASE WHEN v BETWEEN 366 AND 3652424
    THEN DATE '1970-01-01' + CAST(v - 719528 AS INTEGER) END)[1];
CREATE MACRO m_period(p) AS list_transform([p], lambda v:
    CASE WHEN v // 100 < 70 THEN v // 100 + 2000 WHEN v // 100 < 100 THEN v // 100 + 1900 ELSE v // 100 END * 12 + v % 100 - 1)[1];
CREATE MACRO m_period_add(p, n) AS list_transform([m_period(p) + n], lambda v: v // 12 * 100 + v % 12 + 1)[1];
CREATE MACRO m_period_diff(p, q) AS m_period(p) - m_period(q);
CREATE MACRO m_sec_to_time(n) AS list_transform([{'n': n, 's': CAST(least(abs(n), 3020399) AS BIGINT)}], lambda p: CASE WHEN p.n IS NOT NULL
    THEN CASE WHEN p.n < 0 THEN '-' ELSE '' END || format('{:02d}:{:02d}:{:02d}', p.s // 3600, p.s // 60 % 60, p.s % 60) END)[1];
CREATE MACRO m_clock_seconds(d) AS epoch_us(d) // 1000000;
CREATE MACRO m_time_to_sec(t) AS list_transform([t], lambda v: CASE WHEN starts_with(v, '-') THEN -1 ELSE 1 END
    * (m_clock_part(v, 0) * 3600 + m_clock_part(v, 1) * 60 + m_clock_part(v, 2)))[1];
CREATE MACRO m_unix(d) AS list_transform([epoch_us(d) // 1000000], lambda v: CASE WHEN v >= 0 THEN v END)[1];
CREATE MACRO m_from_unix(n) AS list_transform([n], lambda v:
    CASE WHEN v BETWEEN 0 AND 32536771199 THEN make_timestamp(CAST(round(v * 1000000) AS BIGINT)) END)[1];
CREATE MACRO m_read(x) AS TRY_CAST(x AS BIGINT);
CREATE MACRO m_read_fraction(x) AS TRY_CAST(rpad(x, 6, '0') AS BIGINT);
CREATE MACRO m_read_year(x) AS TRY_CAST(m_century(nullif(x, '')) AS BIGINT);
CREATE MACRO m_read_month(x) AS list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
    lower(left(x, 3)));
CREATE MACRO m_read_half(x, half) AS list_transform([{'h': TRY_CAST(x AS BIGINT), 'p': lower(half)}], lambda p:
    CASE WHEN p.h BETWEEN 1 AND 12 THEN p.h % 12 + CASE WHEN p.p = 'pm' THEN 12 ELSE 0 END END)[1];
CREATE MACRO m_date_of(y, m, d, n) AS list_transform([{'y': y, 'm': m, 'd': d, 'n': n}], lambda p: CASE WHEN p.n IS NULL
    THEN TRY(make_date(p.y, p.m, p.d)) ELSE TRY(make_date(p.y, 1, 1) + CAST(p.n - 1 AS INTEGER)) END)[1];
CREATE MACRO m_datetime_of(y, m, d, n, h, i, s, f) AS
    CAST(m_date_of(y, m, d, n) AS TIMESTAMP) + CASE WHEN h < 24 AND i < 60 AND s < 60 THEN to_microseconds(((h * 60 + i) * 60 + s) * 1000000 + f) END;
CREATE MACRO m_time_of(h, i, s, f) AS CASE WHEN h < 24 AND i < 60 AND s < 60 THEN format('{:02d}:{:02d}:{:02d}', h, i, s)
    || CASE WHEN f > 0 THEN format('.{:06d}', f) ELSE '' END END;

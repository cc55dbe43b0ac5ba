"""The tables of an audit's index, and what is asked of them at its end."""

from __future__ import annotations

# What is there, what is known of it, and what came of it (spec/audit.md, 1, 4 and 5).
COURSE = """
create table folder (n integer primary key, path blob);
create table name (source blob primary key);
create table found (n integer primary key, source blob unique, listed integer);
create table known (source blob primary key, match text, line text);
create table result (source blob primary key, verdict text, code text, match text, events integer,
    sha256 text, key_id text, convicts integer, compared text, line text);
create table trouble (kind text, source text, line text);
create table pair (n integer primary key, match text, a blob, b blob, sha256_a text, sha256_b text);
create table paper (n integer primary key, path blob);
create table voucher (match text, key_id text, seq integer, hash text, signature text,
    source text, line text, primary key (match, key_id, seq, hash, signature));
create table held (match text, seq integer, what text, convicts integer, line text);
create table history (match text, a text, b text, convicts integer, line text);
"""

# What counted matches tell (2 and 3), a row for each time.
COUNTS = """
create table ending (kind text, reason text, knew text);
create table overdue (source blob, match text, close_by integer);
create table seat (key text, seat integer, name text, timed_out integer, left_it integer,
    withheld integer, abandoned integer);
create table house (key_id text, counted integer, refuted integer, convicts integer,
    voided integer, abandoned integer, timed_out integer, left_it integer, withheld integer);
create table seed (seed text, match text, seat integer, key text, kind text);
create table mark (kind text, value text, match text, round integer);
create table choice (ruleset text, name text, published text, here text);
create table note (code text);
create table play (ruleset text, seats integer, partners integer, hands integer, nobody integer,
    drawn integer);
create table chair (ruleset text, seats integer, partners integer, seat integer,
    led_first integer, led integer, hands_won integer, matches_won integer, pips integer);
"""

# The same, added up.
SUMS = """
create view void_sum as
    select reason, knew, count(*) as matches from ending where kind = 'voided'
    group by reason, knew;
create view seat_sum as
    select key, seat, name, count(*) as matches, sum(timed_out) as timed_out,
        sum(left_it) as left_it, sum(withheld) as withheld, sum(abandoned) as abandoned,
        sum(timed_out + left_it + withheld + abandoned) as total
    from seat group by key, seat, name;
create view house_sum as
    select key_id, sum(counted), sum(refuted), sum(convicts), sum(voided), sum(abandoned),
        sum(timed_out), sum(left_it), sum(withheld)
    from house group by key_id;
create view seed_again as
    select seed, count(*) as times, count(distinct match) as matches from seed
    group by seed having count(*) > 1;
create view seed_odd as
    select seed, kind, count(*) as times from seed where kind <> '' group by seed, kind;
create view mark_again as
    select kind, value, count(*) as times from mark group by kind, value having count(*) > 1;
create view choice_sum as
    select ruleset, name, published, here, count(*) as matches from choice
    group by ruleset, name, published, here;
create view play_sum as
    select ruleset, seats, partners, count(*), sum(hands), sum(nobody), sum(drawn)
    from play group by ruleset, seats, partners;
create view chair_sum as
    select ruleset, seats, partners, seat, sum(led_first) as led_first, sum(led) as led,
        sum(hands_won) as hands_won, sum(matches_won) as matches_won, sum(pips) as pips
    from chair group by ruleset, seats, partners, seat;
"""

TABLES = COURSE + COUNTS + SUMS

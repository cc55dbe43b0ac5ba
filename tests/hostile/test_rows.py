"""The rows of the threat model that the service answers for, and the attacks that try each.

A test says in its docstring which rows it tries; this page says it too, so that no test goes
unnoticed.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parents[1] / "docs" / "threat-model.md").read_text("utf-8")
ROWS: dict[str, tuple[str, ...]] = {
    "T7": ("test_replays::test_no_seed_before_the_last_commitment",),
    "T8": (
        "test_replays::test_replayed_to_another_seat",
        "test_replays::test_replayed_to_another_match",
        "test_replays::test_a_copied_commitment_takes_no_seat",
        "test_signatures::test_a_seat_reserved_for_a_key",
    ),
    "T9": (
        "test_races::test_a_true_seed_among_false_ones",
        "test_replays::test_a_seed_for_another_seating",
        "test_signatures::test_a_seed_signed_for_something_else",
    ),
    "T12": (
        "test_replays::test_replayed_to_another_match",
        "test_signatures::test_a_registration_for_something_else",
        "test_signatures::test_a_seed_signed_for_something_else",
        "test_signatures::test_a_move_signed_for_something_else",
        "test_signatures::test_an_action_spelled_otherwise",
        "test_signatures::test_a_signature_where_none_is_due",
    ),
    "T13": (
        "test_races::test_moves_of_all_seats_at_once",
        "test_refusals::test_a_refusal",
        "test_refusals::test_the_matches_go_on",
        "test_tokens::test_refusals_show_nothing_of_what_is_hidden",
    ),
    "T20": (
        "test_bodies::test_a_bomb",
        "test_bodies::test_nothing_is_smuggled",
        "test_idempotency::test_an_unusable_key",
        "test_idempotency::test_a_control_in_a_key",
    ),
    "T23": (
        "test_tokens::test_a_guess_is_answered_alike_whatever_the_match_is_at",
        "test_tokens::test_refusals_show_nothing_of_what_is_hidden",
    ),
    "T25": (
        "test_idempotency::test_a_key_is_no_token",
        "test_races::test_many_guests_for_one_seat",
        "test_races::test_one_guest_for_every_seat",
        "test_replays::test_replayed_to_another_seat",
        "test_tokens::test_a_guessed_token",
        "test_tokens::test_a_guess_is_answered_alike_whatever_the_match_is_at",
        "test_tokens::test_a_weak_token",
        "test_tokens::test_another_scheme",
        "test_tokens::test_no_token",
        "test_tokens::test_several_tokens",
        "test_tokens::test_odd_bytes_in_a_token",
        "test_tokens::test_other_headers",
        "test_tokens::test_a_header_that_breaks_http",
        "test_tokens::test_a_token_in_another_place",
        "test_tokens::test_a_token_opens_its_own_seat",
        "test_tokens::test_a_connection_that_had_a_token_has_none",
    ),
    "T26": (
        "test_signatures::test_crooked_signatures_on_every_path",
        "test_signatures::test_weak_keys_take_no_seat",
        "test_signatures::test_a_registration_for_something_else",
        "test_signatures::test_a_move_signed_for_something_else",
    ),
    "T27": (
        "test_deadlines::test_moving_as_time_runs_out",
        "test_deadlines::test_the_last_one_as_time_runs_out",
        "test_deadlines::test_readers_and_movers_after_the_deadline",
        "test_idempotency::test_another_body_under_a_known_key",
        "test_idempotency::test_the_same_body_in_another_spelling",
        "test_idempotency::test_a_failed_opening_keeps_no_key",
        "test_idempotency::test_a_key_is_no_token",
        "test_idempotency::test_an_unusable_key",
        "test_idempotency::test_many_keys",
        "test_patience::test_requests_in_one_stream",
        "test_patience::test_twenty_moves_in_one_stream",
        "test_patience::test_whoever_does_not_hear_the_answer_asks_again",
        "test_races::test_different_moves_for_one_seq",
        "test_races::test_one_move_twenty_times",
        "test_races::test_one_key_opens_one_match",
        "test_replays::test_the_same_again",
        "test_replays::test_the_same_again_in_a_void_match",
        "test_replays::test_the_same_with_one_change",
    ),
    "T28": (
        "test_secrets_at_rest::test_no_seed_is_anywhere_before_its_event",
        "test_secrets_at_rest::test_no_invitation_is_anywhere",
        "test_tokens::test_a_secret_in_a_wrong_place_is_not_logged",
    ),
    "T36": (
        "test_bodies::test_a_bomb",
        "test_bodies::test_a_huge_opening",
        "test_bodies::test_a_length_that_is_a_lie",
        "test_bodies::test_nothing_is_smuggled",
        "test_bodies::test_chunks_without_end",
        "test_bodies::test_chunks_are_gathered",
        "test_patience::test_slow_clients_hold_nobody_and_are_given_up",
        "test_patience::test_more_readers_than_may_wait",
        "test_patience::test_waiting_readers_who_go_away",
        "test_patience::test_connections_that_come_and_go",
        "test_patience::test_what_is_no_http",
        "test_patience::test_http_1_0",
        "test_refusals::test_a_refusal",
    ),
    "T37": (
        "test_replays::test_a_seed_for_another_seating",
        "test_signatures::test_a_registration_for_something_else",
        "test_signatures::test_a_seed_signed_for_something_else",
    ),
    "T38": (
        "test_races::test_many_guests_for_one_seat",
        "test_races::test_the_last_seeds_at_once",
        "test_refusals::test_a_refusal",
        "test_replays::test_the_same_with_one_change",
        "test_replays::test_nothing_follows_the_end",
    ),
    "T43": (
        "test_races::test_different_moves_for_one_seq",
        "test_receipts::test_a_forged_receipt_loses_no_history",
        "test_receipts::test_one_receipt_for_each_head",
    ),
    "T45": (
        "test_secrets_at_rest::test_no_invitation_is_anywhere",
        "test_signatures::test_a_seat_reserved_for_a_key",
        "test_tokens::test_an_invitation",
    ),
    "T46": (
        "test_tokens::test_a_connection_that_had_a_token_has_none",
        "test_tokens::test_no_cache_gives_a_seats_view_away",
    ),
    "T50": (
        "test_deadlines::test_the_last_one_as_time_runs_out",
        "test_races::test_the_last_to_join_against_one_who_leaves",
        "test_races::test_the_last_seed_against_one_who_leaves",
        "test_races::test_leaving_against_moving",
        "test_replays::test_replayed_to_another_seat",
        "test_signatures::test_leaving_for_somebody_else",
        "test_tokens::test_a_token_opens_its_own_seat",
    ),
    "T51": (
        "test_receipts::test_a_forged_receipt_loses_no_history",
        "test_receipts::test_true_receipts_change_nothing",
    ),
}


def tried() -> dict[str, tuple[str, ...]]:
    """Every row with the tests whose docstrings name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for row in re.findall(r"\bT\d+\b", ast.get_docstring(node) or ""):
                    found.setdefault(row, []).append(f"{path.stem}::{node.name}")
    return {row: tuple(found[row]) for row in sorted(found, key=lambda it: int(it[1:]))}


def test_every_row_of_the_service_is_tried() -> None:
    assert tried() == ROWS


def test_every_row_is_there() -> None:
    assert len(ROWS) > 15
    for row in ROWS:
        assert f"\n| {row} | " in PAGE

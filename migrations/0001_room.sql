-- The room's facts. Nothing here is ever deleted; a terminal Turn and a stored event never change.

CREATE TABLE actors (
    actor_id     TEXT PRIMARY KEY,
    kind         TEXT NOT NULL CHECK (kind IN ('user', 'agent', 'system')),
    display_name TEXT NOT NULL,
    enabled      INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

-- One row per process that ran for an agent.
CREATE TABLE agent_instances (
    instance_id TEXT PRIMARY KEY,
    actor_id    TEXT NOT NULL REFERENCES actors (actor_id),
    adapter_id  TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('starting', 'ready', 'ended', 'failed')),
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;

-- The stored source of commands and Turns. The secret that an agent sends is never stored.
CREATE TABLE session_bindings (
    binding_id        TEXT PRIMARY KEY,
    instance_id       TEXT REFERENCES agent_instances (instance_id),
    actor_id          TEXT NOT NULL REFERENCES actors (actor_id),
    protocol          TEXT NOT NULL,
    cwd               TEXT,
    native_session_id TEXT,
    -- Only a native session that was given a prompt is worth a resume.
    prompted          INTEGER NOT NULL DEFAULT 0,
    created_at        INTEGER NOT NULL,
    ready_at          INTEGER,
    closed_at         INTEGER
) STRICT;
CREATE INDEX session_bindings_by_actor ON session_bindings (actor_id, created_at);

CREATE TABLE client_commands (
    command_id        TEXT PRIMARY KEY,
    binding_id        TEXT NOT NULL REFERENCES session_bindings (binding_id),
    client_command_id TEXT NOT NULL,
    command_type      TEXT NOT NULL,
    canonical_hash    TEXT NOT NULL,
    -- Absent while a command that reaches outside the store is under way.
    result            TEXT,
    accepted_at       INTEGER NOT NULL,
    UNIQUE (binding_id, client_command_id)
) STRICT;

-- `envelope` is the whole event as JSON, but for its seq, which only the commit gives.
CREATE TABLE events (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id       TEXT NOT NULL UNIQUE,
    event_type     TEXT NOT NULL CHECK (
        event_type NOT GLOB 'approval.*' AND event_type NOT GLOB 'permission.*' AND event_type NOT GLOB 'user_input.*'
    ),
    actor_id       TEXT NOT NULL REFERENCES actors (actor_id),
    correlation_id TEXT NOT NULL,
    turn_id        TEXT,
    occurred_at    INTEGER NOT NULL,
    envelope       TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_correlation ON events (correlation_id, seq);
-- What a context packet may show.
CREATE INDEX events_said ON events (seq) WHERE event_type IN ('message.created', 'operator.dispatch');

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'a stored event never changes'); END;

CREATE TABLE turns (
    turn_id             TEXT PRIMARY KEY,
    source_event_id     TEXT NOT NULL REFERENCES events (event_id),
    target_actor_id     TEXT NOT NULL REFERENCES actors (actor_id),
    adapter_id          TEXT NOT NULL,
    correlation_id      TEXT NOT NULL,
    root_correlation_id TEXT NOT NULL,
    parent_turn_id      TEXT REFERENCES turns (turn_id),
    hop_count           INTEGER NOT NULL,
    transport           TEXT NOT NULL CHECK (transport IN ('direct', 'structured')),
    -- The seq of its turn.queued: the order in its lane.
    enqueue_seq         INTEGER NOT NULL UNIQUE,
    status              TEXT NOT NULL CHECK (status IN (
        'queued', 'dispatching', 'running', 'cancelling', 'completed', 'failed', 'cancelled', 'interrupted'
    )),
    partial_text        TEXT,
    error_code          TEXT,
    response_event_id   TEXT REFERENCES events (event_id),
    terminal_event_id   TEXT REFERENCES events (event_id),
    queued_at           INTEGER NOT NULL,
    started_at          INTEGER,
    terminal_at         INTEGER,
    UNIQUE (source_event_id, target_actor_id)
) STRICT;
CREATE INDEX turns_open ON turns (target_actor_id, enqueue_seq)
    WHERE status IN ('queued', 'dispatching', 'running', 'cancelling');
CREATE INDEX turns_by_root ON turns (root_correlation_id);

CREATE TRIGGER turns_terminal_never_changes BEFORE UPDATE OF status ON turns
WHEN OLD.status IN ('completed', 'failed', 'cancelled', 'interrupted') AND NEW.status IS NOT OLD.status
BEGIN SELECT RAISE (ABORT, 'a terminal Turn never changes'); END;

CREATE TABLE turn_attempts (
    attempt_id          TEXT PRIMARY KEY,
    turn_id             TEXT NOT NULL REFERENCES turns (turn_id),
    binding_id          TEXT NOT NULL REFERENCES session_bindings (binding_id),
    instance_id         TEXT NOT NULL REFERENCES agent_instances (instance_id),
    dispatch_phase      TEXT NOT NULL CHECK (dispatch_phase IN ('prepared', 'prompt_invoked', 'native_started', 'terminal')),
    delivery_certainty  TEXT NOT NULL CHECK (delivery_certainty IN ('not_delivered', 'delivered', 'unknown')),
    context_through_seq INTEGER,
    native_turn_id      TEXT,
    claimed_at          INTEGER NOT NULL,
    prompt_invoked_at   INTEGER,
    started_at          INTEGER,
    terminal_at         INTEGER
) STRICT;
CREATE UNIQUE INDEX turn_attempts_one_open ON turn_attempts (turn_id) WHERE terminal_at IS NULL;
CREATE INDEX turn_attempts_by_turn ON turn_attempts (turn_id, claimed_at);

CREATE TRIGGER turn_attempts_delivered_stays BEFORE UPDATE OF delivery_certainty ON turn_attempts
WHEN OLD.delivery_certainty = 'delivered' AND NEW.delivery_certainty <> 'delivered'
BEGIN SELECT RAISE (ABORT, 'delivered never becomes anything else'); END;

-- Up to where an agent has seen the room.
CREATE TABLE delivery_cursors (
    actor_id           TEXT PRIMARY KEY REFERENCES actors (actor_id),
    last_delivered_seq INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;

-- One row: rewritten when what was committed without a flush has to reach the disk now.
CREATE TABLE flush_mark (
    only       INTEGER PRIMARY KEY CHECK (only = 1),
    flushed_at INTEGER NOT NULL
) STRICT;
INSERT INTO flush_mark (only, flushed_at) VALUES (1, 0);

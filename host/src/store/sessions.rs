//! Who is in the room, and which native sessions stand behind its agents.

use rusqlite::{OptionalExtension, params};

use super::fault::StoreFault;
use super::open::Store;
use super::writer::Safety;
use crate::protocol::{ActorId, ActorKind, BindingId, InstanceId, Timestamp};

/// One actor of the room.
#[derive(Debug, Clone)]
pub struct RosterEntry {
    /// The actor.
    pub actor: ActorId,
    /// What kind.
    pub kind: ActorKind,
    /// Its name from now on.
    pub display_name: String,
    /// Whether it can be addressed.
    pub enabled: bool,
}

/// A native session that is about to be started.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its process.
    pub instance: InstanceId,
    /// Its source binding.
    pub binding: BindingId,
    /// Its agent.
    pub actor: ActorId,
    /// The agent's key.
    pub adapter_id: String,
    /// The agent's driver.
    pub driver: String,
    /// Its folder.
    pub cwd: String,
    /// When.
    pub at: Timestamp,
}

/// A native session that was given a prompt and can be gone on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumableSession {
    /// The CLI's own id.
    pub native_session_id: String,
}

impl Store {
    /// Writes the room's actors and the web binding; agents that are not named become disabled.
    pub async fn enrol(&self, roster: Vec<RosterEntry>, at: Timestamp) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let disable = "UPDATE actors SET enabled = 0 WHERE kind = 'agent'";
                batch.connection.execute(disable, [])?;
                for entry in &roster {
                    batch.connection.execute(
                        "INSERT INTO actors (actor_id, kind, display_name, enabled, created_at, updated_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (actor_id) DO UPDATE SET
                            display_name = excluded.display_name, enabled = excluded.enabled, updated_at = excluded.updated_at",
                        params![entry.actor.as_str(), entry.kind.as_str(), entry.display_name, entry.enabled, at.0],
                    )?;
                }
                batch.connection.execute(
                    "INSERT INTO session_bindings (binding_id, actor_id, protocol, created_at)
                     VALUES (?1, ?2, 'local-rest', ?3) ON CONFLICT (binding_id) DO NOTHING",
                    params![BindingId::web().as_str(), ActorId::web().as_str(), at.0],
                )?;
                Ok(())
            })
            .await
    }

    /// Writes that a session is being started.
    pub async fn session_opened(&self, session: NewSession) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                let NewSession { instance, binding, actor, adapter_id, driver, cwd, at } = &session;
                batch.connection.prepare_cached(
                    "INSERT INTO agent_instances (instance_id, actor_id, adapter_id, status, started_at)
                     VALUES (?1, ?2, ?3, 'starting', ?4)",
                )?.execute(params![instance.as_str(), actor.as_str(), adapter_id, at.0])?;
                batch.connection.prepare_cached(
                    "INSERT INTO session_bindings (binding_id, instance_id, actor_id, protocol, cwd, created_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?.execute(params![binding.as_str(), instance.as_str(), actor.as_str(), driver, cwd, at.0])?;
                Ok(())
            })
            .await
    }

    /// Writes that a session takes prompts. `prompted`: its native session has history already.
    pub async fn session_ready(
        &self,
        binding: BindingId,
        native_session_id: Option<String>,
        prompted: bool,
        at: Timestamp,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                batch.connection.prepare_cached(
                    "UPDATE session_bindings SET native_session_id = ?2, prompted = ?3, ready_at = ?4 WHERE binding_id = ?1",
                )?.execute(params![binding.as_str(), native_session_id, prompted, at.0])?;
                batch.connection.prepare_cached(
                    "UPDATE agent_instances SET status = 'ready' WHERE instance_id =
                        (SELECT instance_id FROM session_bindings WHERE binding_id = ?1)",
                )?.execute([binding.as_str()])?;
                Ok(())
            })
            .await
    }

    /// Writes that a session is over.
    pub async fn session_closed(
        &self,
        binding: BindingId,
        failed: bool,
        at: Timestamp,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                let status = if failed { "failed" } else { "ended" };
                batch
                    .connection
                    .prepare_cached(
                        "UPDATE agent_instances SET status = ?2, ended_at = ?3 WHERE instance_id =
                        (SELECT instance_id FROM session_bindings WHERE binding_id = ?1)",
                    )?
                    .execute(params![binding.as_str(), status, at.0])?;
                batch
                    .connection
                    .prepare_cached(
                        "UPDATE session_bindings SET closed_at = ?2 WHERE binding_id = ?1",
                    )?
                    .execute(params![binding.as_str(), at.0])?;
                Ok(())
            })
            .await
    }

    /// The newest native session of this agent, by this driver in this folder, that was ever given a prompt.
    pub async fn resumable(
        &self,
        actor: ActorId,
        cwd: String,
        driver: String,
    ) -> Result<Option<ResumableSession>, StoreFault> {
        self.readers
            .read(move |tx| {
                let sql = "SELECT native_session_id FROM session_bindings
                           WHERE actor_id = ?1 AND cwd = ?2 AND protocol = ?3 AND prompted = 1 AND native_session_id IS NOT NULL
                           ORDER BY created_at DESC, rowid DESC LIMIT 1";
                let found = tx.query_row(sql, [actor.as_str(), &cwd, &driver], |row| row.get(0)).optional()?;
                Ok(found.map(|native_session_id| ResumableSession { native_session_id }))
            })
            .await
    }

    /// Writes that a native session is lost, so that it is not tried again.
    pub async fn session_lost(
        &self,
        actor: ActorId,
        native_session_id: String,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                batch.connection.execute(
                    "UPDATE session_bindings SET prompted = 0 WHERE actor_id = ?1 AND native_session_id = ?2",
                    params![actor.as_str(), native_session_id],
                )?;
                Ok(())
            })
            .await
    }
}

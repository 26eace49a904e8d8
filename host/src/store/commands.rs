//! Receipts: the memory behind "the same command twice is one command" (protocol 8.1).

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::StoreFault;
use super::open::Store;
use super::writer::{Batch, Safety};
use crate::protocol::{BindingId, ClientCommandId, CommandId, Timestamp};

/// A command that wants to be accepted.
#[derive(Debug, Clone)]
pub struct NewCommand {
    /// Its id.
    pub command_id: CommandId,
    /// The channel it came through.
    pub binding: BindingId,
    /// The caller's name for it.
    pub client_command_id: ClientCommandId,
    /// What kind it is, e.g. `message.post`.
    pub kind: &'static str,
    /// Hash of its canonical payload.
    pub hash: String,
    /// When.
    pub at: Timestamp,
}

/// What the store knows of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Receipt {
    /// Never seen.
    New,
    /// Seen and done: its stored answer.
    Done(String),
    /// Seen, begun, and never finished.
    Unfinished,
    /// The same name stands for something else.
    Conflict,
}

impl Store {
    /// What is known of a command, without touching it.
    pub async fn receipt(&self, command: NewCommand) -> Result<Receipt, StoreFault> {
        self.readers.read(move |tx| find(tx, &command)).await
    }

    /// Claims a command that reaches outside the store; its answer is kept by `finish_command`.
    pub async fn begin_command(&self, command: NewCommand) -> Result<Receipt, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let receipt = find(batch.connection, &command)?;
                if receipt == Receipt::New {
                    insert(batch, &command, None)?;
                }
                Ok(receipt)
            })
            .await
    }

    /// Keeps the answer of a begun command.
    pub async fn finish_command(
        &self,
        binding: BindingId,
        name: ClientCommandId,
        result: String,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let sql = "UPDATE client_commands SET result = ?3
                           WHERE binding_id = ?1 AND client_command_id = ?2 AND result IS NULL";
                let values = params![binding.as_str(), name.as_str(), result];
                batch.connection.prepare_cached(sql)?.execute(values)?;
                Ok(())
            })
            .await
    }

    /// Takes back a begun command that was refused before it did anything.
    pub async fn drop_command(
        &self,
        binding: BindingId,
        name: ClientCommandId,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let sql = "DELETE FROM client_commands
                           WHERE binding_id = ?1 AND client_command_id = ?2 AND result IS NULL";
                batch
                    .connection
                    .prepare_cached(sql)?
                    .execute([binding.as_str(), name.as_str()])?;
                Ok(())
            })
            .await
    }
}

pub(super) fn find(connection: &Connection, command: &NewCommand) -> Result<Receipt, StoreFault> {
    let sql = "SELECT command_type, canonical_hash, result FROM client_commands
               WHERE binding_id = ?1 AND client_command_id = ?2";
    let names = params![command.binding.as_str(), command.client_command_id.as_str()];
    let found = connection
        .prepare_cached(sql)?
        .query_row(names, |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, Option<String>>(2)?,
            ))
        })
        .optional()?;
    Ok(match found {
        None => Receipt::New,
        Some((kind, hash, _)) if kind != command.kind || hash != command.hash => Receipt::Conflict,
        Some((_, _, Some(result))) => Receipt::Done(result),
        Some((_, _, None)) => Receipt::Unfinished,
    })
}

pub(super) fn insert(
    batch: &mut Batch<'_>,
    command: &NewCommand,
    result: Option<&str>,
) -> Result<(), StoreFault> {
    batch
        .connection
        .prepare_cached(
            "INSERT INTO client_commands
             (command_id, binding_id, client_command_id, command_type, canonical_hash, result, accepted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            command.command_id.as_str(),
            command.binding.as_str(),
            command.client_command_id.as_str(),
            command.kind,
            command.hash,
            result,
            command.at.0,
        ])?;
    Ok(())
}

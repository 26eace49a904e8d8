//! Whose file it is, who may have it, and what a start makes of a damaged one.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;

use super::super::{Durability, OpenFault, SCHEMA_VERSION, Store};
use super::stage::Stage;
use crate::protocol::TurnStatus;

fn open(path: &Path) -> Result<Store, OpenFault> {
    Store::open(path, Durability::Normal)
}

/// Why a file made by `make` is refused; it must stay as it was, byte for byte.
fn refusal(make: impl FnOnce(&Path)) -> OpenFault {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("groupx.db");
    make(&path);
    let before = std::fs::read(&path).unwrap();
    let Err(fault) = open(&path) else {
        panic!("it was opened");
    };
    assert_eq!(std::fs::read(&path).unwrap(), before, "{fault}");
    assert!(fault.to_string().contains("groupx.db"), "{fault}");
    fault
}

fn sql(script: &'static str) -> impl FnOnce(&Path) {
    move |path| {
        Connection::open(path)
            .unwrap()
            .execute_batch(script)
            .unwrap()
    }
}

#[test]
fn the_typescript_database_is_recognized_and_left_alone() {
    let fault = refusal(sql(
        "CREATE TABLE events (seq INTEGER); CREATE TABLE delivery_cursors (actor_id TEXT)",
    ));
    assert!(matches!(fault, OpenFault::Legacy { .. }), "{fault}");
}

#[test]
fn another_programs_database_and_any_other_file_are_left_alone() {
    let fault = refusal(sql("CREATE TABLE bookmarks (url TEXT)"));
    assert!(matches!(fault, OpenFault::Foreign { .. }), "{fault}");
    let fault = refusal(|path| std::fs::write(path, "Dear diary,\n".repeat(500)).unwrap());
    assert!(matches!(fault, OpenFault::Foreign { .. }), "{fault}");
}

#[tokio::test]
async fn a_newer_groupxs_database_is_left_to_it() {
    let stage = Stage::open(Durability::Normal).await;
    stage.store.close().await;
    let path = stage.folder.path().join("groupx.db");
    let connection = Connection::open(&path).unwrap();
    let newer = SCHEMA_VERSION + 1;
    connection
        .pragma_update(None, "user_version", newer)
        .unwrap();
    drop(connection);
    drop(stage.store);
    let Err(fault) = open(&path) else {
        panic!("it was opened");
    };
    assert!(
        matches!(fault, OpenFault::Newer { found, known: SCHEMA_VERSION, .. } if found == newer),
        "{fault}"
    );
}

#[tokio::test]
async fn one_database_has_one_runtime() {
    let stage = Stage::open(Durability::Normal).await;
    let path = stage.folder.path().join("groupx.db");
    let Err(fault) = open(&path) else {
        panic!("it was opened twice");
    };
    let OpenFault::Locked { holder, .. } = &fault else {
        panic!("{fault}");
    };
    assert!(holder.contains(&std::process::id().to_string()), "{holder}");
    stage.store.close().await;
    let Stage { store, folder, .. } = stage;
    drop(store);
    open(&path).unwrap().close().await;
    drop(folder);
}

#[tokio::test]
async fn sec_04_the_files_are_their_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let store = open(&inner.join("groupx.db")).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    let files: Vec<_> = std::fs::read_dir(&inner).unwrap().flatten().collect();
    assert!(files.len() >= 3, "database, log and lock: {files:?}");
    for file in files {
        assert_eq!(mode(&file.path()), 0o600, "{}", file.path().display());
    }
    store.close().await;
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_crash_and_after_an_end() {
    let stage = Stage::open(Durability::Full).await;
    let turn = stage.say("remember").await;
    let path = stage.folder.path().join("groupx.db");
    // A copy of the files as they are now is what a crash would leave.
    let crashed = tempfile::tempdir().unwrap();
    for name in ["groupx.db", "groupx.db-wal", "groupx.db.lock"] {
        std::fs::copy(path.with_file_name(name), crashed.path().join(name)).unwrap();
    }
    let store = open(&crashed.path().join("groupx.db")).unwrap();
    let found = store.turn(turn.clone()).await.unwrap().unwrap();
    assert_eq!(found.status, TurnStatus::Queued);
    assert_eq!(store.tail().shown(), stage.store.tail().shown());
    store.close().await;

    stage.store.close().await;
    let Stage { store, folder, .. } = stage;
    drop(store);
    let again = open(&path).unwrap();
    assert!(again.turn(turn).await.unwrap().is_some());
    again.close().await;
    drop(folder);
}

#[tokio::test]
async fn a_damaged_database_is_noticed_after_a_crash() {
    let stage = Stage::open(Durability::Normal).await;
    for number in 0..200 {
        stage
            .say_only(&format!("{number}: {}", "x".repeat(2_000)))
            .await;
    }
    stage.store.close().await;
    let Stage { store, folder, .. } = stage;
    drop(store);
    let path = folder.path().join("groupx.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    std::fs::write(path.with_file_name("groupx.db.lock"), "groupx, process 1").unwrap();

    let store = open(&path).unwrap();
    let noticed = async {
        while store.integrity_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    };
    let patience = std::time::Duration::from_secs(20);
    tokio::time::timeout(patience, noticed).await.unwrap();
    store.close().await;
}

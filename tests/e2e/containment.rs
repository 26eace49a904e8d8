//! A dropped-in driver that does what no driver should: it costs its own Turn and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::room::{AgentPlan, Plan, Room};

/// The component of `tests/hostile-driver`, in a folder of its own.
fn hostile_folder(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../drivers");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--quiet"])
        .args(["--target", "wasm32-wasip2", "--target-dir"])
        .arg(&target)
        .current_dir(root.join("tests/hostile-driver"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .unwrap();
    assert!(built.success(), "tests/hostile-driver does not build");
    let dropped = folder.join("drivers");
    std::fs::create_dir(&dropped).unwrap();
    let component = target.join("wasm32-wasip2/release/groupx_hostile_driver.wasm");
    std::fs::copy(component, dropped.join("hostile.wasm")).unwrap();
    dropped
}

#[tokio::test]
async fn drv_05_a_hostile_driver_harms_only_its_own_turn() {
    let folder = tempfile::tempdir().unwrap();
    let drivers = hostile_folder(folder.path());
    let plan = Plan::fakes(&["alpha"])
        .with(AgentPlan::program(
            "mallory",
            "hostile",
            Path::new("/bin/cat"),
        ))
        .set("drivers.dir", drivers.to_str().unwrap());
    let room = Room::open(plan).await;
    let steady = room
        .say("agent:alpha", "{{deltas n=400 size=5 every=10}}")
        .await;
    room.reached(&steady, "turn.content.delta").await;

    for wish in ["spin", "allocate", "recurse", "panic", "one huge output"] {
        let began = Instant::now();
        let turn = room.say("agent:mallory", wish).await;
        let end = room.end(&turn).await;
        assert!(
            ["turn.failed", "turn.interrupted"].contains(&end.kind()),
            "{wish}: {}",
            end.raw
        );
        let message = end.body()["message"].as_str().unwrap_or_default();
        assert!(
            message.contains("hostile"),
            "{wish} names the driver: {}",
            end.raw
        );
        let took = began.elapsed();
        assert!(took < Duration::from_secs(10), "{wish} took {took:?}");
        // The next session is as good as the first, and one good Turn ends the growing waits.
        assert_eq!(room.ask("agent:mallory", "behave").await, "as you wish");
    }
    assert_eq!(room.answer(&steady).await, "abcde".repeat(400));
    assert_eq!(room.wire("alpha").processes(), 1);
    assert_eq!(
        room.get("/api/health").await.body["store"]["available"],
        true
    );
}

#[tokio::test]
async fn drv_06_a_file_that_is_no_driver_is_refused_and_the_room_opens() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.wasm"), b"\0asm but not really").unwrap();
    let plan = Plan::fakes(&["alpha"]).set("drivers.dir", folder.path().to_str().unwrap());
    let mut room = Room::open(plan).await;
    assert_eq!(room.ask("agent:alpha", "fine").await, "echo: fine");
    let doctor = room.cli(&["doctor", "--config", room.config_text()]).await;
    assert!(doctor.said().contains("broken.wasm"), "{}", doctor.said());
    room.stop().await;
}

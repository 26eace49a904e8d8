//! No stream makes a driver wait, and none fails on the threads that drivers run on.

use tokio::runtime::Runtime;

use super::*;

/// Both streams are ready at once; stdin ends and stderr takes everything.
const WAITED: &str = "2 flush zeroes";

#[test]
fn drv_05_a_driver_that_waits_for_a_stream_goes_on_at_once() {
    let mut instance = DRIVER.open(&config("")).unwrap();
    let before = Instant::now();
    assert_eq!(told(&mut instance, "wait").unwrap(), WAITED);
    let took = before.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn drv_05_a_driver_that_polls_or_writes_without_end_is_stopped() {
    for wish in ["endless poll", "endless stderr"] {
        let fault = contained(wish);
        let DriverFault::Deadline { spent, .. } = &fault else {
            panic!("{wish}: {fault}");
        };
        assert!(*spent < Duration::from_secs(1), "{wish}: {spent:?}");
    }
}

#[test]
fn drv_05_a_driver_that_hoards_streams_is_stopped() {
    let said = contained("hoard streams").to_string();
    assert!(said.contains("handle limit exceeded"), "{said}");
}

#[test]
fn drv_05_stdout_takes_whatever_a_driver_prints() {
    let mut instance = DRIVER.open(&config("")).unwrap();
    for _ in 0..3 {
        assert_eq!(told(&mut instance, "print much").unwrap(), "");
    }
}

#[test]
fn streams_work_on_a_thread_of_the_drivers_own_and_on_a_blocking_thread_of_the_runtime() {
    let wait = || told(&mut DRIVER.open(&config("")).unwrap(), "wait").unwrap();
    assert_eq!(std::thread::spawn(wait).join().unwrap(), WAITED);
    let runtime = Runtime::new().unwrap();
    let waited = runtime.block_on(async { tokio::task::spawn_blocking(wait).await });
    assert_eq!(waited.unwrap(), WAITED);
}

#[test]
#[should_panic(expected = "runtime")]
fn streams_panic_on_a_worker_of_the_runtime() {
    let mut instance = DRIVER.open(&config("")).unwrap();
    let step = async { told(&mut instance, "wait") };
    let _ = Runtime::new().unwrap().block_on(step);
}

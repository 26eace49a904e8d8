//! The shell that makes a [`Driver`] a component: [`crate::export_driver!`] expands to calls of it.
//!
//! It owns the one session an instance has, and the way a panic's words reach the host. Nothing in
//! here is for a driver author to call.

use crate::bindings::exports::groupx::driver::driver::StepResult;
use crate::{Driver, Failure, Input, Level, SessionConfig, Step};
use std::cell::RefCell;
use std::thread::LocalKey;

/// The session of this instance; `None` until `open`.
pub type Session<D> = RefCell<Option<D>>;

/// `open`: at most once an instance.
///
/// # Errors
/// What the driver says, or that the instance has a session already.
pub fn open<D: Driver>(
    session: &'static LocalKey<Session<D>>,
    config: SessionConfig,
) -> Result<(), Failure> {
    tell_the_host_of_panics();
    session.with_borrow_mut(|session| {
        if session.is_some() {
            return Err(misuse("open was called twice on one instance"));
        }
        *session = Some(D::open(config)?);
        Ok(())
    })
}

/// `step`: all inputs in order. Without a session there is nothing to say and nothing to do.
pub fn step<D: Driver>(session: &'static LocalKey<Session<D>>, inputs: Vec<Input>) -> StepResult {
    session.with_borrow_mut(|session| match session {
        Some(driver) => {
            let Step { outputs, hold } = Step::take(driver, inputs);
            StepResult { outputs, hold }
        }
        None => StepResult {
            outputs: Vec::new(),
            hold: true,
        },
    })
}

fn misuse(message: &str) -> Failure {
    Failure {
        code: "internal".to_owned(),
        message: message.to_owned(),
        detail: None,
        retryable: false,
    }
}

/// A trap alone says "unreachable"; the host can show where it was.
fn tell_the_host_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        crate::bindings::groupx::driver::log::log(Level::Error, &panic.to_string());
    }));
}

/// Makes a type that is a [`Driver`] the driver of this component. Use it once, at the crate's root.
#[macro_export]
macro_rules! export_driver {
    ($driver:ty) => {
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::bindings::exports::groupx::driver::driver::{Guest, StepResult};
            use $crate::component::{self, Session};
            use $crate::{Description, Driver, Failure, Input, LaunchSpec, SessionConfig};

            ::std::thread_local! {
                static SESSION: Session<$driver> = const { Session::new(None) };
            }

            struct Component;

            impl Guest for Component {
                fn describe() -> Description {
                    <$driver as Driver>::describe()
                }
                fn launch(config: SessionConfig) -> Result<LaunchSpec, Failure> {
                    <$driver as Driver>::launch(&config)
                }
                fn open(config: SessionConfig) -> Result<(), Failure> {
                    component::open(&SESSION, config)
                }
                fn step(inputs: Vec<Input>) -> StepResult {
                    component::step(&SESSION, inputs)
                }
            }

    $crate::bindings::export_component!(Component with_types_in $crate::bindings);
        };
    };
}

//! From bytes to a driver: everything that is checked before a component may run.

use std::path::Path;
use std::sync::Arc;

use groupx_driver_abi::{AgentDriver, AgentDriverPre};
use wasmtime::component::types::Component as ComponentType;
use wasmtime::component::{Component, HasSelf, Linker};

use super::engine::DriverEngine;
use super::fault::Call;
use super::loaded::Driver;
use super::refusal::{Refusal, RefusedDriver, Source, api_series};
use super::sandbox::Sandbox;
use super::state::State;
use super::{Description, DriverFault, default_limits, sealed_wasi};

/// The export that makes a component a driver, without its version.
const DRIVER_EXPORT: &str = "groupx:driver/driver@";

/// Compiles and checks components. Cheap to share, dear to make: keep one.
pub struct Loader {
    pub(super) engine: Arc<DriverEngine>,
    linker: Linker<State>,
    uncached: Option<String>,
}

impl Loader {
    /// `cache` is an absolute path of a folder for compiled code, made if missing, owner only.
    ///
    /// # Errors
    /// When the machine cannot run compiled wasm at all.
    pub fn new(cache: &Path) -> Result<Self, DriverFault> {
        let broken = |error: wasmtime::Error| DriverFault::Engine(format!("{error:#}"));
        let (engine, uncached) = DriverEngine::new(cache).map_err(broken)?;
        let mut linker = Linker::new(engine.wasm());
        link(&mut linker).map_err(broken)?;
        Ok(Loader {
            engine: Arc::new(engine),
            linker,
            uncached,
        })
    }

    /// A sentence when compiled code is not kept, and why.
    pub fn uncached(&self) -> Option<&str> {
        self.uncached.as_deref()
    }

    /// Compiles (or takes from the cache) and checks one component, which runs it. Takes up to a
    /// second; as [`super::Instance::step`], not for a worker of the async runtime.
    ///
    /// # Errors
    /// A sentence for the driver's author, with `source` in it.
    pub fn load(&self, source: Source, bytes: &[u8]) -> Result<Driver, RefusedDriver> {
        match self.check(bytes) {
            Ok((component, description)) => Ok(Driver::new(
                Arc::clone(&self.engine),
                component,
                description,
                source,
            )),
            Err(reason) => Err(RefusedDriver { source, reason }),
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<(AgentDriverPre<State>, Description), Refusal> {
        looks_like_a_component(bytes)?;
        let component = Component::from_binary(self.engine.wasm(), bytes)
            .map_err(|error| Refusal::Damaged(on_one_line(&error)))?;
        let surface = component.component_type();
        speaks_our_api(&surface, &self.engine)?;
        imports_only_what_is_allowed(&surface, &self.engine)?;
        let driver = self
            .linker
            .instantiate_pre(&component)
            .and_then(AgentDriverPre::new)
            .map_err(|error| Refusal::OtherInterface(on_one_line(&error)))?;
        let description = self.describe(&driver)?;
        is_usable(&description)?;
        Ok((driver, description))
    }

    fn describe(&self, driver: &AgentDriverPre<State>) -> Result<Description, Refusal> {
        // It has no id yet; the sentence around this one names the file.
        let unnamed: Arc<str> = Arc::from("?");
        Sandbox::start(
            &self.engine,
            driver,
            &unnamed,
            default_limits().max_json as usize,
        )
        .and_then(|mut sandbox| {
            sandbox.call(Call::Describe, 0, |exports, store| {
                exports.groupx_driver_driver().call_describe(store)
            })
        })
        .map_err(|fault| Refusal::Describe(what_happened(fault)))
    }
}

fn what_happened(fault: DriverFault) -> String {
    match fault {
        DriverFault::Trapped { reason, .. } => format!("it crashed: {reason}"),
        DriverFault::Deadline { spent, .. } => {
            format!("it did not return within {} ms", spent.as_millis())
        }
        DriverFault::Memory { wanted, .. } => format!("it wanted {wanted} bytes of memory"),
        DriverFault::OutputTooLarge { limit, .. } => {
            format!("it answered with more than {limit} bytes")
        }
        other => other.to_string(),
    }
}

fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    sealed_wasi::add_to_linker(linker)?;
    AgentDriver::add_to_linker::<_, HasSelf<_>>(linker, |state| state)
}

/// The first eight bytes tell the mistakes that people make from files that are merely damaged.
fn looks_like_a_component(bytes: &[u8]) -> Result<(), Refusal> {
    if wasmtime::Engine::detect_precompiled(bytes).is_some() {
        return Err(Refusal::Precompiled);
    }
    match bytes {
        [0x00, b'a', b's', b'm', 0x01, 0x00, 0x00, 0x00, ..] => Err(Refusal::CoreModule),
        [0x00, b'a', b's', b'm', ..] => Ok(()),
        _ => Err(Refusal::NotWasm),
    }
}

fn speaks_our_api(surface: &ComponentType, engine: &DriverEngine) -> Result<(), Refusal> {
    let version = surface
        .exports(engine.wasm())
        .find_map(|(name, _)| name.strip_prefix(DRIVER_EXPORT));
    match version {
        None => Err(Refusal::NotADriver),
        Some(version) if series(version) == api_series() => Ok(()),
        Some(version) => Err(Refusal::OtherVersion {
            found: version.to_owned(),
        }),
    }
}

fn imports_only_what_is_allowed(
    surface: &ComponentType,
    engine: &DriverEngine,
) -> Result<(), Refusal> {
    match surface
        .imports(engine.wasm())
        .find(|(name, _)| !sealed_wasi::may_import(name))
    {
        Some((name, _)) => Err(Refusal::ForbiddenImport(name.to_owned())),
        None => Ok(()),
    }
}

fn is_usable(description: &Description) -> Result<(), Refusal> {
    let id = &description.id;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || id.len() > 32 || !id.chars().all(plain) {
        return Err(Refusal::BadDescription(format!(
            "its id {id:?} is not 1 to 32 of a-z, 0-9 and -"
        )));
    }
    if description.display_name.trim().is_empty() {
        return Err(Refusal::BadDescription(
            "its display name is empty".to_owned(),
        ));
    }
    if let Some(nameless) = description
        .executables
        .iter()
        .position(|executable| executable.name.is_empty())
    {
        return Err(Refusal::BadDescription(format!(
            "its executable number {} has no name",
            nameless + 1
        )));
    }
    Ok(())
}

/// "0.1" of "0.1.7": what has to agree.
fn series(version: &str) -> &str {
    version
        .rsplit_once('.')
        .map_or(version, |(series, _)| series)
}

fn on_one_line(error: &wasmtime::Error) -> String {
    format!("{error:#}")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

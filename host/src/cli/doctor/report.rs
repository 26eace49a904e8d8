//! What the doctor found, as scripts read it.

use serde::Serialize;

/// Everything.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    /// Of GroupX.
    pub(super) version: &'static str,
    /// Operating system and processor.
    pub(super) system: String,
    pub(super) configuration: Configuration,
    /// Absent when there is no usable configuration.
    pub(super) database: Option<Database>,
    /// Absent when there is no usable configuration.
    pub(super) room: Option<Room>,
    pub(super) drivers: Vec<DriverRow>,
    pub(super) agents: Vec<AgentRow>,
}

/// The file.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Configuration {
    pub(super) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// Where events are kept.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Database {
    pub(super) path: String,
    pub(super) exists: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// What the configured port says.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Room {
    pub(super) port: u16,
    pub(super) state: RoomState,
}

/// Who has the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum RoomState {
    /// Nobody.
    Stopped,
    /// The room of this configuration.
    Running,
    /// Somebody else.
    Taken,
}

/// A program that was looked for.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<String>,
    /// What it says of its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    /// What is wrong, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// A driver, and the CLI that it looks for.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DriverRow {
    /// Its id, or its file when that is all that is known.
    pub(super) id: String,
    /// Of the driver; absent when it cannot be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) driver_version: Option<String>,
    /// The file, for one that is not a part of GroupX.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    #[serde(flatten)]
    pub(super) cli: Found,
    /// Whether the CLI is GroupX itself, which says nothing about what is installed.
    #[serde(skip)]
    pub(super) is_ourselves: bool,
}

/// An agent of the configuration.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AgentRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) driver: String,
    /// A disabled one is not looked for.
    pub(super) enabled: bool,
    #[serde(flatten)]
    pub(super) cli: Found,
}

impl Report {
    /// Whether there is anything that a room could start.
    pub(super) fn finds_a_cli(&self) -> bool {
        let found = |cli: &Found| cli.executable.is_some();
        self.agents.iter().any(|agent| found(&agent.cli))
            || self
                .drivers
                .iter()
                .any(|row| found(&row.cli) && !row.is_ourselves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(driver: Option<&str>, is_ourselves: bool, agent: Option<&str>) -> Report {
        let found = |executable: Option<&str>| Found {
            executable: executable.map(str::to_owned),
            ..Found::default()
        };
        Report {
            version: "0",
            system: String::new(),
            configuration: Configuration {
                path: String::new(),
                problem: Some("broken".into()),
            },
            database: None,
            room: None,
            drivers: vec![DriverRow {
                id: "x".into(),
                driver_version: None,
                file: None,
                cli: found(driver),
                is_ourselves,
            }],
            agents: vec![AgentRow {
                id: "a".into(),
                name: "A".into(),
                driver: "x".into(),
                enabled: true,
                cli: found(agent),
            }],
        }
    }

    #[test]
    fn life_04_one_cli_is_enough_whatever_the_configuration_says_and_groupx_itself_is_none() {
        assert!(report(Some("/bin/x"), false, None).finds_a_cli());
        assert!(report(None, false, Some("/bin/x")).finds_a_cli());
        assert!(!report(Some("/bin/groupx"), true, None).finds_a_cli());
        assert!(!report(None, false, None).finds_a_cli());
    }

    #[test]
    fn life_04_what_is_unknown_is_absent_for_scripts() {
        let json = serde_json::to_value(report(None, false, Some("/bin/x"))).unwrap();
        assert_eq!(
            json["agents"][0],
            serde_json::json!({
                "id": "a", "name": "A", "driver": "x", "enabled": true, "executable": "/bin/x",
            })
        );
    }
}

//! Which of an agent's modes asks nobody, from what it offered when the session was opened. Pure.

use crate::agent::{Mode, UNATTENDED};
use serde_json::Value;

/// What is to be done about the mode.
#[derive(Debug, PartialEq)]
pub(crate) enum Choice {
    /// Its arguments, or nothing, make it work unattended.
    Nothing,
    /// `session/set_mode`.
    Set { mode: String, must: bool },
    /// `session/set_config_option`.
    Option { option: String, mode: String },
    /// It must have this mode and does not offer it.
    Lacking(&'static str),
}

/// `opened` is the answer to `session/new` or `session/load`. Agents forget the mode when a session is
/// loaded, so it is chosen anew each time.
pub(crate) fn choose(wanted: Mode, opened: &Value) -> Choice {
    let modes = offered(&opened["modes"]["availableModes"], "id");
    let preferred = match wanted {
        Mode::Must(mode) => {
            return match modes {
                Some(modes) if !modes.contains(&mode) => Choice::Lacking(mode),
                // Where nothing is offered the answer to the call tells.
                _ => Choice::Set {
                    mode: mode.to_owned(),
                    must: true,
                },
            };
        }
        Mode::Prefer(modes) => modes,
    };
    if let Some(modes) = modes {
        let current = opened["modes"]["currentModeId"].as_str();
        return match first_of(preferred, &modes) {
            Some(mode) if current != Some(mode) => Choice::Set {
                mode: mode.to_owned(),
                must: false,
            },
            _ => Choice::Nothing,
        };
    }
    let options = opened["configOptions"].as_array().into_iter().flatten();
    for option in options.filter(|option| option["category"] == "mode") {
        let values = offered(&option["options"], "value").unwrap_or_default();
        let (Some(id), Some(mode)) = (option["id"].as_str(), first_of(preferred, &values)) else {
            continue;
        };
        if option["currentValue"].as_str() != Some(mode) {
            return Choice::Option {
                option: id.to_owned(),
                mode: mode.to_owned(),
            };
        }
    }
    Choice::Nothing
}

fn offered<'a>(list: &'a Value, key: &str) -> Option<Vec<&'a str>> {
    let list = list.as_array()?;
    Some(
        list.iter()
            .filter_map(|entry| entry[key].as_str())
            .collect(),
    )
}

fn first_of(preferred: &[&'static str], offered: &[&str]) -> Option<&'static str> {
    let wanted = preferred.iter().chain(&UNATTENDED);
    wanted.copied().find(|mode| offered.contains(mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn modes(current: &str, ids: &[&str]) -> Value {
        let modes: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
        json!({ "modes": { "currentModeId": current, "availableModes": modes } })
    }

    fn set(mode: &str, must: bool) -> Choice {
        Choice::Set {
            mode: mode.into(),
            must,
        }
    }

    #[test]
    fn drv_09_a_mode_that_must_be_is_set_each_time_and_its_lack_is_seen() {
        let auto = Mode::Must("auto");
        let kimi = ["default", "plan", "auto", "yolo"];
        assert_eq!(choose(auto, &modes("default", &kimi)), set("auto", true));
        assert_eq!(choose(auto, &modes("auto", &kimi)), set("auto", true));
        assert_eq!(choose(auto, &json!({})), set("auto", true));
        assert_eq!(
            choose(auto, &modes("default", &["default"])),
            Choice::Lacking("auto")
        );
    }

    #[test]
    fn an_agents_own_favourite_comes_before_the_list_and_the_list_has_an_order() {
        let any = Mode::Prefer(&[]);
        assert_eq!(
            choose(any, &modes("ask", &["ask", "auto", "yolo"])),
            set("yolo", false)
        );
        let own = Mode::Prefer(&["full-access"]);
        assert_eq!(
            choose(own, &modes("auto", &["auto", "full-access"])),
            set("full-access", false)
        );
        assert_eq!(
            choose(any, &modes("yolo", &["ask", "yolo"])),
            Choice::Nothing
        );
        assert_eq!(
            choose(any, &modes("build", &["build", "plan"])),
            Choice::Nothing
        );
        assert_eq!(choose(any, &json!({})), Choice::Nothing);
    }

    #[test]
    fn modes_may_be_offered_as_a_config_option() {
        let offer = |current: &str, values: &[&str]| {
            let options: Vec<_> = values
                .iter()
                .map(|value| json!({ "value": value }))
                .collect();
            json!({ "configOptions": [
                { "id": "model", "category": "model", "options": [{ "value": "yolo" }] },
                { "id": "m", "category": "mode", "currentValue": current, "options": options },
            ] })
        };
        let any = Mode::Prefer(&[]);
        let yolo = Choice::Option {
            option: "m".into(),
            mode: "yolo".into(),
        };
        assert_eq!(choose(any, &offer("ask", &["ask", "yolo"])), yolo);
        assert_eq!(
            choose(any, &offer("yolo", &["ask", "yolo"])),
            Choice::Nothing
        );
        assert_eq!(
            choose(any, &offer("build", &["build", "plan"])),
            Choice::Nothing
        );
    }
}

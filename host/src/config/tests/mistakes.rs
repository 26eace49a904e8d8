//! Every mistake that a file can hold, with the sentence that its author reads.

use super::*;

/// What is said about a file: one sentence a mistake, in the order of the keys.
fn said(text: &str) -> Vec<String> {
    match parse(text) {
        Err(ConfigError::Invalid { problems, .. }) => {
            problems.iter().map(ToString::to_string).collect()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn life_06_each_mistake_is_refused_with_its_key_and_what_is_allowed() {
    let agent = |fields: &str| format!(r#"{{"agents":{{"codex":{{{fields}}}}}}}"#);
    let fine = r#""command":"codex","cwd":".""#;
    let cases = [
        ("[]".into(), "The file must be an object."),
        (r#"{"server":4310}"#.into(), "`server` must be an object."),
        (
            r#"{"server":{"port":0}}"#.into(),
            "`server.port` must be from 1 to 65535.",
        ),
        (
            r#"{"server":{"port":-1}}"#.into(),
            "`server.port` must be from 1 to 65535.",
        ),
        (
            r#"{"server":{"port":1.5}}"#.into(),
            "`server.port` must be a whole number.",
        ),
        (
            r#"{"server":{"port":"4310"}}"#.into(),
            "`server.port` must be a whole number.",
        ),
        (
            r#"{"server":{"port":null}}"#.into(),
            "`server.port` must be a whole number.",
        ),
        (
            r#"{"server":{"host":"0.0.0.0"}}"#.into(),
            "`server.host` must be \"127.0.0.1\".",
        ),
        (
            r#"{"transport":"direct"}"#.into(),
            "`transport` is \"direct\", which GroupX no longer has: every agent is spoken to over \
             its own protocol. Remove the line.",
        ),
        (
            r#"{"transport":"fast"}"#.into(),
            "`transport` must be \"structured\".",
        ),
        (
            r#"{"storage":{"path":" "}}"#.into(),
            "`storage.path` must not be blank.",
        ),
        (
            r#"{"storage":{"durability":"none"}}"#.into(),
            "`storage.durability` must be \"full\" or \"normal\".",
        ),
        (
            r#"{"ui":{"language":"fr"}}"#.into(),
            "`ui.language` must be \"en\" or \"zh\".",
        ),
        (r#"{"agents":[]}"#.into(), "`agents` must be an object."),
        (
            r#"{"agents":{}}"#.into(),
            "`agents` must hold at least one agent.",
        ),
        (
            r#"{"agents":{"codex":"codex"}}"#.into(),
            "`agents.codex` must be an object.",
        ),
        (
            r#"{"agents":{"bot":7}}"#.into(),
            "`agents.bot` must be an object.",
        ),
        (
            r#"{"agents":{"-x":{}}}"#.into(),
            "`agents.-x` is no id for an agent: it must be 1 to 64 letters, digits, dots, \
             underscores or dashes, with a letter or digit at both ends.",
        ),
        (
            r#"{"agents":{"assistant":{}}}"#.into(),
            "`agents.assistant` is no id for an agent: it is reserved for the room's assistant.",
        ),
        (
            format!(r#"{{"agents":{{"my.bot":{{{fine}}}}}}}"#),
            "`agents[\"my.bot\"].driver` is missing. Only codex, grok, kimi, hermes and claude \
             name their driver by themselves.",
        ),
        (
            agent(&format!(r#"{fine},"driver":"Codex 2""#)),
            "`agents.codex.driver` is no driver's id: those are 1 to 32 lower-case letters, \
             digits and dashes.",
        ),
        (
            agent(&format!(r#"{fine},"driver":"""#)),
            "`agents.codex.driver` must not be blank.",
        ),
        (
            agent(&format!(r#"{fine},"name":"{}""#, "😀".repeat(33))),
            "`agents.codex.name` must be at most 64 characters long.",
        ),
        (
            agent(&format!(r#"{fine},"name":"""#)),
            "`agents.codex.name` must not be blank.",
        ),
        (
            agent(&format!(r#"{fine},"enabled":"no""#)),
            "`agents.codex.enabled` must be true or false.",
        ),
        (agent(r#""cwd":".""#), "`agents.codex.command` is missing."),
        (
            agent(r#""command":"codex""#),
            "`agents.codex.cwd` is missing.",
        ),
        (
            agent(r#""cwd":".","command":"""#),
            "`agents.codex.command` must not be blank.",
        ),
        (
            agent(r#""cwd":".","command":["codex","app-server"]"#),
            "`agents.codex.command` must be a text, or an object with `executable` and \
             `prefixArgs`.",
        ),
        (
            agent(r#""cwd":".","command":{}"#),
            "`agents.codex.command.executable` is missing.",
        ),
        (
            agent(r#""cwd":".","command":{"executable":"node","prefixArgs":"x.js"}"#),
            "`agents.codex.command.prefixArgs` must be a list of texts.",
        ),
        (
            agent(r#""cwd":".","command":{"executable":"codex","args":[]}"#),
            "`agents.codex.command.args` is not a key of groupx.json. Known here: executable, \
             prefixArgs.",
        ),
        (
            r#"{"assistant":{}}"#.into(),
            "`assistant.brain` is missing.",
        ),
        (
            r#"{"assistant":{"brain":{"driver":"codex","command":"codex"}}}"#.into(),
            "`assistant.brain.cwd` is missing.",
        ),
        (
            r#"{"limits":{"hopCont":3}}"#.into(),
            "`limits.hopCont` is not a key of groupx.json. Did you mean `limits.hopCount`?",
        ),
        (
            r#"{"limits":{"idleMs":3000}}"#.into(),
            "`limits.idleMs` is not a key of groupx.json. Did you mean `timeouts.idleMs`?",
        ),
        (
            r#"{"cwd":"."}"#.into(),
            "`cwd` is not a key of groupx.json. Did you mean `agents.<id>.cwd`?",
        ),
        (
            r#"{"memory":{}}"#.into(),
            "`memory` is not a key of groupx.json. Known here: $schema, transport, server, \
             storage, agents, assistant, limits, timeouts, drivers, ui.",
        ),
        (
            r#"{"server":{"port":1,"port":2}}"#.into(),
            "`server.port` stands there twice. Remove one of them.",
        ),
        (
            r#"{"drivers":{"dir":""}}"#.into(),
            "`drivers.dir` must not be blank.",
        ),
        (r#"{"$schema":1}"#.into(), "`$schema` must be a text."),
    ];
    for (text, sentence) in cases {
        assert_eq!(said(&text), [sentence], "{text}");
    }
}

#[test]
fn every_number_is_refused_just_outside_its_bounds_and_taken_at_them() {
    use crate::config::key::Rule;
    use crate::config::keys::ROOT;
    let sections = ROOT
        .0
        .iter()
        .filter(|key| matches!(key.name(), "limits" | "timeouts"));
    for (section, number) in
        sections.flat_map(|s| s.shape().inside().iter().map(|key| (s.name(), key)))
    {
        let Rule::Whole(least, most) = number.shape().rule() else {
            panic!("{}", number.name())
        };
        let file = |value: u64| format!(r#"{{"{section}":{{"{}":{value}}}}}"#, number.name());
        for value in [least, most] {
            assert!(parse(&file(value)).is_ok(), "{}", file(value));
        }
        for value in [least - 1, most + 1] {
            let name = number.name();
            let sentence = format!("`{section}.{name}` must be from {least} to {most}.");
            assert_eq!(said(&file(value)), [sentence]);
        }
    }
}

#[test]
fn life_06_all_mistakes_are_told_at_once_under_the_name_of_the_file() {
    let error = parse(r#"{"prot":1,"server":{"port":0},"agents":{"x":{"command":7}}}"#);
    assert_eq!(
        error.unwrap_err().to_string(),
        "/room/groupx.json cannot be used:\n  \
         `prot` is not a key of groupx.json. Known here: $schema, transport, server, storage, \
         agents, assistant, limits, timeouts, drivers, ui.\n  \
         `server.port` must be from 1 to 65535.\n  \
         `agents.x.driver` is missing. Only codex, grok, kimi, hermes and claude name their \
         driver by themselves.\n  \
         `agents.x.command` must be a text, or an object with `executable` and `prefixArgs`.\n  \
         `agents.x.cwd` is missing."
    );
}

#[test]
fn a_text_that_is_no_json_is_refused_with_the_place() {
    assert_eq!(
        parse("{\n  \"server\": }").unwrap_err().to_string(),
        "/room/groupx.json is not valid JSON: expected value at line 2 column 13."
    );
    let deep = "[".repeat(100_000);
    assert!(matches!(parse(&deep), Err(ConfigError::Syntax { .. })));
}

#[test]
fn a_missing_file_is_told_apart_from_one_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let absent = Config::load(&folder.path().join("groupx.json")).unwrap_err();
    assert!(matches!(absent, ConfigError::Absent { .. }), "{absent}");
    let unreadable = Config::load(folder.path()).unwrap_err();
    assert!(
        matches!(unreadable, ConfigError::Unreadable { .. }),
        "{unreadable}"
    );
}

proptest::proptest! {
    #[test]
    fn whatever_the_file_holds_it_is_read_or_refused(
        at in 0..1_500_usize,
        cut in 0..40_usize,
        put in "[{}\\[\\]\",:a-z0-9.\\\\-]{0,12}",
    ) {
        let legacy = include_str!("../fixtures/groupx-0.1.16.json");
        let from = legacy.floor_char_boundary(at);
        let to = legacy.floor_char_boundary(at + cut);
        let _ = parse(&format!("{}{put}{}", &legacy[..from], &legacy[to..]));
    }
}

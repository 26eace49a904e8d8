use super::*;

fn typed(line: &str) -> Result<Verb, Instead> {
    parse(line.split(' ').map(OsString::from), Language::English)
}

fn start(config: &str, no_open: bool, demo: bool) -> Verb {
    let file = ConfigOptions {
        config: config.into(),
    };
    Verb::Start(StartOptions {
        file,
        no_open,
        demo,
    })
}

fn mistake(line: &str, language: Language) -> String {
    match parse(line.split(' ').map(OsString::from), language) {
        Err(Instead::Mistake(text)) => text,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_verb_and_flag_is_understood() {
    assert_eq!(typed("groupx"), Ok(start("groupx.json", false, false)));
    assert_eq!(
        typed("groupx start"),
        Ok(start("groupx.json", false, false))
    );
    assert_eq!(
        typed("groupx start --no-open --config a/b.json"),
        Ok(start("a/b.json", true, false))
    );
    assert_eq!(
        typed("groupx start --demo"),
        Ok(start("groupx.json", false, true))
    );
    let file = ConfigOptions {
        config: "x.json".into(),
    };
    assert_eq!(
        typed("groupx stop --config=x.json"),
        Ok(Verb::Stop(file.clone()))
    );
    assert_eq!(
        typed("groupx doctor --json --config x.json"),
        Ok(Verb::Doctor(DoctorOptions { file, json: true }))
    );
    assert_eq!(typed("groupx demo-agent"), Ok(Verb::DemoAgent));
    for line in ["groupx -v", "groupx --version", "groupx version"] {
        assert_eq!(typed(line), Ok(Verb::Version), "{line}");
    }
    assert_eq!(typed("groupx help"), Ok(Verb::Help));
}

#[test]
fn what_is_not_known_is_a_mistake_with_a_hint() {
    let english = mistake("groupx start --no-opne", Language::English);
    assert!(english.contains("--no-open"), "{english}");
    let english = mistake("groupx stat", Language::English);
    assert!(
        english.contains("start") && english.contains("doctor"),
        "{english}"
    );
    assert_eq!(
        mistake("groupx start --no-opne", Language::Chinese),
        "不认识“--no-opne”。是否想输入“--no-open”？"
    );
    assert!(mistake("groupx stop --demo", Language::Chinese).contains("--demo"));
    assert!(mistake("groupx start --config", Language::Chinese).contains("--config"));
    assert!(mistake("groupx start --demo --config a.json", Language::English).contains("--config"));
}

#[test]
fn the_help_lists_verbs_and_exit_codes_and_hides_the_demo_agent() {
    for (language, words) in [
        (Language::English, ["Open the room", "Exit codes", "130"]),
        (Language::Chinese, ["打开房间", "退出码", "130"]),
    ] {
        let Err(Instead::Help(help)) = parse(["groupx", "--help"].map(OsString::from), language)
        else {
            panic!("no help");
        };
        for word in words
            .into_iter()
            .chain(["start", "stop", "doctor", "--version"])
        {
            assert!(help.contains(word), "{word} in\n{help}");
        }
        assert!(!help.contains("demo-agent"), "{help}");
    }
}

#[test]
fn the_help_of_a_verb_lists_its_flags() {
    let Err(Instead::Help(help)) = typed("groupx start --help") else {
        panic!("no help")
    };
    for word in ["--config <FILE>", "--no-open", "--demo", "--help"] {
        assert!(help.contains(word), "{word} in\n{help}");
    }
}

use super::*;
use crate::config::Config;

#[test]
fn the_first_variable_that_is_set_decides_and_every_chinese_locale_is_chinese() {
    let cases = [
        (["", "", "zh_CN.UTF-8"], Language::Chinese),
        (["", "", "zh"], Language::Chinese),
        (["", "zh-TW", "en_US.UTF-8"], Language::Chinese),
        (["C", "", "zh_CN.UTF-8"], Language::English),
        (["", "", "de_DE.UTF-8"], Language::English),
        (["", "", ""], Language::English),
    ];
    for (values, language) in cases {
        let locale = Locale {
            variables: values.map(|value| Some(value.to_owned())),
        };
        assert_eq!(locale.language(), language, "{values:?}");
    }
    assert_eq!(Locale::default().language(), Language::English);
}

#[test]
fn what_scripts_wait_for_is_the_same_in_every_language() {
    let line = Sentence::Listening {
        origin: "http://127.0.0.1:4310",
    };
    let english = line.in_language(Language::English);
    assert_eq!(
        english,
        "GroupX listening on http://127.0.0.1:4310 (transport=structured, access=unrestricted)"
    );
    assert_eq!(line.in_language(Language::Chinese), english);
}

#[test]
fn life_06_a_configuration_is_refused_in_chinese_with_the_same_keys() {
    let text = r#"{"limits":{"hopCont":1},"agents":{"assistant":{},"x":{"cwd":"."}}}"#;
    let error = Config::parse(text, "/room/groupx.json".into(), None).unwrap_err();
    assert_eq!(
        Sentence::BadConfiguration(&error).in_language(Language::Chinese),
        "无法使用 /room/groupx.json：\n  \
         `agents.assistant` 不能用作智能体的 id：应为 1 到 64 个字母、数字、点、下划线或连字符，首尾是\
         字母或数字；assistant 和 __assistant__ 保留给房间助理。\n  \
         `agents.x.driver` 缺失。只有 codex、grok、kimi、hermes 和 claude 可以省略驱动。\n  \
         `agents.x.command` 缺失。\n  \
         `limits.hopCont` 不是 groupx.json 的键。是否想写 `limits.hopCount`？"
    );
}

use super::*;

/// Lets the agent hear these lines, then the end of its stdin; returns what it wrote.
fn conversation(lines: &str) -> Vec<String> {
    let (tell, heard) = mpsc::sync_channel(64);
    listen(lines.as_bytes(), &tell);
    drop(tell);
    let mut out = vec![];
    converse(&heard, &mut out).unwrap();
    String::from_utf8(out)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn it_greets_first_and_goes_with_bye_or_the_end_of_stdin() {
    assert_eq!(conversation("bye\nprompt \"x\"\n"), ["hello 1 Demo agent"]);
    assert_eq!(conversation(""), ["hello 1 Demo agent"]);
}

#[test]
fn each_prompt_is_answered_to_its_end_and_then_it_listens_again() {
    let (tell, heard) = mpsc::sync_channel(1);
    let (done, wrote) = mpsc::channel();
    let talk = thread::spawn(move || converse(&heard, &mut Lines(done)));
    for _ in 0..2 {
        tell.send(Heard::Prompt("fast, with a tool".into()))
            .unwrap();
        let answer: Vec<_> = wrote.iter().take_while(|line| line != "done").collect();
        assert!(
            answer
                .iter()
                .any(|line| line.starts_with("tool count completed "))
        );
        assert!(
            answer
                .iter()
                .filter(|line| line.starts_with("say "))
                .count()
                > 10
        );
    }
    drop(tell);
    talk.join().unwrap().unwrap();
}

/// A stdout that hands over each line.
struct Lines(mpsc::Sender<String>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).unwrap().trim_end();
        if !text.is_empty() {
            self.0.send(text.to_owned()).unwrap();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn cancel_stops_it_between_two_words() {
    let lines = conversation("prompt \"slow 600\"\r\nnonsense\ncancel\ncancel\nbye\n");
    assert_eq!(lines, ["hello 1 Demo agent", "stopped"]);
}

#[test]
fn lines_that_are_no_requests_are_skipped() {
    assert_eq!(
        parse("prompt \"a\\nb\""),
        Some(Heard::Prompt("a\nb".into()))
    );
    assert_eq!(parse("cancel\r"), Some(Heard::Cancel));
    assert_eq!(parse("bye"), Some(Heard::Bye));
    for line in [
        "",
        "prompt",
        "prompt x",
        "prompt \"x\" y",
        "Cancel",
        "prompt 7",
    ] {
        assert_eq!(parse(line), None, "{line}");
    }
}

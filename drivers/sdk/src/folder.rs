//! Folders as agents spell them: what a session was started in, and what the agent says it works in.

/// Whether two absolute paths name one folder, as far as their spelling tells; `os` as in
/// [`SessionConfig`](crate::SessionConfig).
pub fn same(a: &str, b: &str, os: &str) -> bool {
    let plain = |path: &str| match os {
        "windows" => {
            let path = path.trim_start_matches(r"\\?\").replace('/', "\\");
            path.to_lowercase().trim_end_matches('\\').to_owned()
        }
        "macos" => {
            let path = path.strip_prefix("/private").unwrap_or(path);
            path.trim_end_matches('/').to_owned()
        }
        _ => path.trim_end_matches('/').to_owned(),
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_may_be_spelled_in_several_ways() {
        assert!(same("/room/", "/room", "linux"));
        assert!(!same("/room/a", "/room", "linux"));
        assert!(same("/private/tmp/room", "/tmp/room", "macos"));
        assert!(same(r"\\?\C:\Room", "c:/room", "windows"));
    }
}

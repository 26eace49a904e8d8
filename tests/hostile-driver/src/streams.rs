//! Host calls that could wait, made as no honest driver would make them.
//!
//! The standard library offers few of them, so they are declared here as the linker sees them; the
//! standard library's own interface description covers them.

type Handle = u32;

#[link(wasm_import_module = "wasi:cli/stdin@0.2.6")]
unsafe extern "C" {
    #[link_name = "get-stdin"]
    fn stdin() -> Handle;
}

#[link(wasm_import_module = "wasi:cli/stderr@0.2.6")]
unsafe extern "C" {
    #[link_name = "get-stderr"]
    fn stderr() -> Handle;
}

#[link(wasm_import_module = "wasi:io/streams@0.2.6")]
unsafe extern "C" {
    #[link_name = "[method]input-stream.subscribe"]
    fn readable(stream: Handle) -> Handle;
    #[link_name = "[method]output-stream.subscribe"]
    fn writable(stream: Handle) -> Handle;
    #[link_name = "[method]input-stream.blocking-read"]
    fn read(stream: Handle, bytes: u64, answer: *mut Answer);
    #[link_name = "[method]input-stream.blocking-skip"]
    fn skip(stream: Handle, bytes: u64, answer: *mut Answer);
    #[link_name = "[method]output-stream.blocking-flush"]
    fn flush(stream: Handle, answer: *mut Answer);
    #[link_name = "[method]output-stream.blocking-write-zeroes-and-flush"]
    fn write_zeroes(stream: Handle, bytes: u64, answer: *mut Answer);
    #[link_name = "[method]output-stream.blocking-splice"]
    fn splice(to: Handle, from: Handle, bytes: u64, answer: *mut Answer);
}

#[link(wasm_import_module = "wasi:io/poll@0.2.6")]
unsafe extern "C" {
    #[link_name = "[method]pollable.block"]
    fn block(pollable: Handle);
    #[link_name = "poll"]
    fn poll(list: *const Handle, length: usize, ready: *mut List);
}

/// Room for any result of the calls above; its first byte is 0 when it is no error.
#[derive(Default)]
#[repr(C, align(8))]
struct Answer([u8; 24]);

#[derive(Default)]
#[repr(C)]
struct List {
    start: usize,
    length: usize,
}

/// Waits in every way there is; says how many pollables were ready and which calls did not fail.
pub fn wait_in_every_way() -> String {
    // SAFETY: handles are used while they are held, and answers have room for any result.
    unsafe {
        let (input, output) = (stdin(), stderr());
        let pollables = [readable(input), writable(output)];
        let mut ready = List::default();
        poll(pollables.as_ptr(), pollables.len(), &mut ready);
        pollables.into_iter().for_each(|pollable| block(pollable));
        let calls: [(&str, &dyn Fn(*mut Answer)); 5] = [
            ("read", &|answer| read(input, 1, answer)),
            ("skip", &|answer| skip(input, 1, answer)),
            ("flush", &|answer| flush(output, answer)),
            ("zeroes", &|answer| write_zeroes(output, 4096, answer)),
            ("splice", &|answer| splice(output, input, 1, answer)),
        ];
        let mut said = ready.length.to_string();
        for (name, call) in calls {
            let mut answer = Answer::default();
            call(&mut answer);
            if answer.0[0] == 0 {
                said = format!("{said} {name}");
            }
        }
        said
    }
}

/// Polls a list, about as long as the host allows, again and again.
pub fn poll_without_end() -> ! {
    // SAFETY: as above; the answer is a list that the host had allocated here.
    unsafe {
        let list = vec![writable(stderr()); 200];
        loop {
            let mut ready = List::default();
            poll(list.as_ptr(), list.len(), &mut ready);
            drop(Vec::from_raw_parts(
                ready.start as *mut Handle,
                ready.length,
                ready.length,
            ));
        }
    }
}

/// Takes streams and gives none back.
pub fn hoard() -> ! {
    loop {
        // SAFETY: a call without arguments.
        unsafe { stdin() };
    }
}

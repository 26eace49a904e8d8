// The built program with a room of its own: fake Codex agents that do what their prompts say, in a
// temporary folder and on a free port. It can be killed as a machine kills, and started again.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM =
  process.env.GROUPX_BIN || fileURLToPath(new URL("../../../target/debug/groupx", import.meta.url));
const FAKE_CODEX = fileURLToPath(new URL("../../tools/fake-agents/fake-codex.mjs", import.meta.url));

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Program {
  constructor(folder, port) {
    this.folder = folder;
    this.port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.arguments = ["start", "--no-open", "--config", join(folder, "groupx.json")];
  }

  /** A room of these agents: `{ id: name }`. `more` goes into its configuration. */
  static async withAgents(agents, more = {}) {
    const folder = mkdtempSync(join(tmpdir(), "groupx-browser-"));
    const port = await freePort();
    const entries = Object.entries(agents).map(([id, name]) => {
      const cwd = join(folder, id);
      mkdirSync(cwd);
      return [id, { driver: "codex", name, command: { executable: "node", prefixArgs: [FAKE_CODEX] }, cwd }];
    });
    const config = { server: { port }, agents: Object.fromEntries(entries), ...more };
    writeFileSync(join(folder, "groupx.json"), JSON.stringify(config));
    return new Program(folder, port);
  }

  /** The demo room: agents without any CLI, in a folder that the program makes itself. */
  static async demo() {
    const folder = mkdtempSync(join(tmpdir(), "groupx-browser-"));
    const program = new Program(folder, 0);
    program.arguments = ["start", "--demo", "--no-open"];
    return program.start();
  }

  /** Starts it, and waits until it says that the room is open. */
  async start() {
    // Nothing of the person who runs the tests: no configuration, no dropped-in drivers.
    const env = {
      ...process.env,
      HOME: join(this.folder, "home"),
      XDG_DATA_HOME: join(this.folder, "data"),
      LC_ALL: "C.UTF-8",
    };
    this.child = spawn(PROGRAM, this.arguments, { env, cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stderr.resume();
    const said = [];
    for await (const line of createInterface({ input: this.child.stdout })) {
      said.push(line);
      this.origin = /GroupX listening on (http:\S+)/.exec(line)?.[1] ?? this.origin;
      if (line.startsWith("The room is open.")) {
        this.child.stdout.resume();
        return this;
      }
    }
    throw new Error(`groupx did not open its room:\n${said.join("\n")}`);
  }

  /** Ends it as the kernel does: nothing of it runs on. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async end() {
    this.child?.kill("SIGTERM");
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async bootstrap() {
    return (await fetch(`${this.origin}/api/bootstrap`)).json();
  }
}

/** Runs `story(program)` with a running program and ends it, whatever happens. */
export async function withProgram(agents, story, more) {
  const program = await Program.withAgents(agents, more);
  try {
    await program.start();
    await story(program);
  } finally {
    await program.end();
  }
}

#!/usr/bin/env node
// Mock model server: one loopback port that speaks the model APIs of the real
// CLIs, scripted by the prompt text. This file is the door: routes, options and
// the request log. Each API is a dialect of its own (responses.mjs, messages.mjs, chat.mjs).

import fs from "node:fs";
import http from "node:http";
import { chat } from "./chat.mjs";
import { messages } from "./messages.mjs";
import { responses } from "./responses.mjs";
import { json } from "./stream.mjs";

const options = readOptions(process.argv.slice(2));
const log = options.log ? fs.createWriteStream(options.log, { flags: "a" }) : null;
const note = (entry) => log?.write(`${JSON.stringify({ t: Date.now(), ...entry })}\n`);
const failures = new Map(); // scripted "MOCK:error N xK": how often each was served
let requests = 0;
const MODEL = { id: "mock-model", object: "model", created: 0, owned_by: "mock", context_length: 200_000, max_model_len: 200_000 };

const server = http.createServer((req, res) => {
  handle(req, res).catch((error) => {
    note({ at: "crash", message: String(error?.stack ?? error) });
    if (!res.headersSent) res.writeHead(500);
    res.end();
  });
});
server.listen(options.port, "127.0.0.1", () => {
  // The one line a harness has to read.
  process.stdout.write(`${JSON.stringify({ ready: true, port: server.address().port })}\n`);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
if (options.exitWithStdin) process.stdin.on("end", () => process.exit(0)).resume();

async function handle(req, res) {
  const no = (requests += 1);
  const path = new URL(req.url, "http://127.0.0.1").pathname;
  const text = await readBody(req);
  note({
    at: "request", no, method: req.method, path,
    ...(options.logBodies ? { headers: req.headers, body: parseOr(text, text) } : {})
  });
  const body = parseOr(text, {});
  const call = { no, res, body, note, options, failures };
  if (req.method === "POST" && path.endsWith("/chat/completions")) return await chat(call);
  if (req.method === "POST" && path.endsWith("/responses")) return await responses(call);
  if (req.method === "POST" && path.endsWith("/messages/count_tokens")) return json(res, 200, { input_tokens: 42 });
  if (req.method === "POST" && path.endsWith("/messages")) return await messages(call);
  if (req.method === "GET" && path.endsWith("/models")) return json(res, 200, { object: "list", data: [MODEL], models: [] });
  if (req.method === "GET" && path.endsWith(`/models/${MODEL.id}`)) return json(res, 200, MODEL);
  if (req.method === "HEAD" || path === "/healthz") return json(res, 200, { ok: true });
  note({ at: "unhandled", no, method: req.method, path });
  return json(res, 404, { error: { type: "not_found_error", message: `mock: no route ${req.method} ${path}` } });
}

async function readBody(req) {
  const parts = [];
  for await (const part of req) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function parseOr(text, fallback) {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}

function readOptions(argv) {
  const out = { port: 0, deltaMs: 15, log: null, logBodies: false, markers: [], exitWithStdin: false };
  const value = { "--port": (v) => (out.port = Number(v)), "--delta-ms": (v) => (out.deltaMs = Number(v)), "--log": (v) => (out.log = v), "--marker": (v) => out.markers.push(v) };
  const flag = { "--log-bodies": () => (out.logBodies = true), "--exit-with-stdin": () => (out.exitWithStdin = true) };
  for (let i = 0; i < argv.length; i += 1) {
    if (value[argv[i]]) value[argv[i]](argv[(i += 1)]);
    else if (flag[argv[i]]) flag[argv[i]]();
    else throw new Error(`unknown option ${argv[i]}`);
  }
  return out;
}

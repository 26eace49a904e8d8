// Numbers: percentiles of raw samples, and what a process has used so far.

import { existsSync, readFileSync } from "node:fs";

export function stats(values) {
  const v = [...values].sort((a, b) => a - b);
  const q = (p) => (v.length === 0 ? null : v[Math.min(v.length - 1, Math.floor(p * v.length))]);
  const r = (x) => (x === null ? null : Math.round(x * 1000) / 1000);
  return { n: v.length, min: r(v[0] ?? null), p50: r(q(0.5)), p95: r(q(0.95)), p99: r(q(0.99)), max: r(v.at(-1) ?? null), mean: r(v.length ? v.reduce((a, b) => a + b, 0) / v.length : null) };
}

/** CPU, memory and threads of a process from /proc; nothing where there is none. */
export function procStat(p) {
  if (p === undefined || !existsSync(`/proc/${p}/stat`)) return undefined;
  const s = readFileSync(`/proc/${p}/stat`, "utf8");
  const f = s.slice(s.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${p}/status`, "utf8");
  const kb = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(status)?.[1] ?? 0);
  return { cpuSeconds: (Number(f[11]) + Number(f[12])) / 100, rssMiB: Math.round(kb("VmRSS") / 102.4) / 10, peakRssMiB: Math.round(kb("VmHWM") / 102.4) / 10, threads: kb("Threads") };
}

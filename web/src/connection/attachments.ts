/**
 * Asks how the agents' tools stand while some of them are pending: that they attach is a fact the
 * host observes, and no event tells of it.
 */

import { effect } from "@preact/signals";
import type { Room } from "../store/room";
import { api } from "./api";

const EVERY_MS = 3_000;

/** Runs until the page is closed; asks only while somebody looks. */
export function watchAttachments(room: Room): void {
  let timer: ReturnType<typeof setInterval> | null = null;
  const ask = async () => {
    if (document.visibilityState === "hidden") return;
    try {
      room.noteTools((await api.health()).agents);
    } catch {
      // Without a host there is no news; the connection says so elsewhere.
    }
  };
  effect(() => {
    const agents = room.state.value?.agents;
    const pending = [...(agents?.values() ?? [])].some(
      (agent) => agent.tools === "pending" && agent.session.is === "ready",
    );
    if (pending && timer === null) timer = setInterval(() => void ask(), EVERY_MS);
    if (!pending && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  });
}

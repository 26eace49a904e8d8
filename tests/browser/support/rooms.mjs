// Rooms for tests: a scripted one, with the page that `npm test` has built.

import { fileURLToPath } from "node:url";
import { agent } from "../double/events.mjs";
import { RoomDouble } from "../double/room.mjs";

const PAGE = fileURLToPath(new URL("../../artifacts/page", import.meta.url));

/** Runs `story(room)` with a scripted room and ends it, whatever happens. */
export async function withRoom(agents, story) {
  const room = new RoomDouble(PAGE, agents);
  await room.listen();
  try {
    await story(room);
  } finally {
    await room.close();
  }
}

export const ADA = "agent:ada";
export const BEN = "agent:ben";

export const one = () => [agent("ada", "Ada")];
export const two = () => [agent("ada", "Ada"), agent("ben", "Ben")];

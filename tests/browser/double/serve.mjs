// Shows the story in a browser: `npm run double [PORT]`, then open the address it prints.

import { fileURLToPath } from "node:url";
import { RoomDouble } from "./room.mjs";
import { streamSome, tellStory, threeAgents } from "./story.mjs";

const page = fileURLToPath(new URL("../../../web/dist", import.meta.url));
const room = new RoomDouble(page, threeAgents());
const { running } = tellStory(room);
console.log(await room.listen(Number(process.argv[2] ?? 4399)));
setTimeout(() => streamSome(room, running), 2_000);

room.onTurns = (turns, { content }) => {
  for (const turn of turns) {
    room.author.clock = Date.now();
    room.author.start(turn);
    const words = `You said: ${content}\n\nThat is **all** I know.`.split(/(?<= )/u);
    words.forEach((word, at) => setTimeout(() => room.author.delta(turn, at + 1, word), 60 * at));
    setTimeout(() => room.author.complete(turn, words.join("")), 60 * words.length + 200);
  }
};

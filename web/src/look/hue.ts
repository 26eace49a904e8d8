/** Which of the eight hues an actor has: its own, stable by id. */

/** How many hues the tokens have. */
export const HUES = 8;

/** The hue's number, from 0. */
export function hueOf(actorId: string): number {
  let hash = 2166136261;
  for (let i = 0; i < actorId.length; i += 1) hash = Math.imul(hash ^ actorId.charCodeAt(i), 16777619);
  return ((hash >>> 0) >>> 4) % HUES;
}

/** Two letters for a badge: of two words, or the first two of one. */
export function lettersOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/u)
    .filter((word) => word !== "");
  const first = words[0];
  if (first === undefined) return "?";
  const letters = [...first];
  const second = words[1];
  const pair =
    second === undefined ? letters.slice(0, 2).join("") : `${letters[0] ?? ""}${[...second][0] ?? ""}`;
  return pair.toLocaleUpperCase();
}

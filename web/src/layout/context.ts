/** What every part of the page may reach: the store, the line to the host, and the user's choices. */

import { computed, signal, useComputed, type ReadonlySignal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Composing } from "../composer/draft";
import { Link, type Receiver } from "../connection/link";
import { LanguageChoice, type Language } from "../language/language";
import { ThemeChoice } from "../look/theme";
import { textAt } from "../store/facts";
import { framePacer } from "../store/pace";
import { Room } from "../store/room";
import type { RoomState } from "../store/state";
import { Turning } from "../timeline/turning";
import { Folds } from "../timeline/folds";
import { Places } from "../timeline/places";
import { clock } from "./clock";
import { keptStorage } from "./kept";

/** What stands in the drawer or above the page; one at a time. */
export type Opened =
  | { readonly is: "agent"; readonly actorId: string }
  | { readonly is: "agents" }
  | { readonly is: "keys" }
  | { readonly is: "settings" };

/** The page's parts. */
export interface Page {
  readonly room: Room;
  readonly link: Link;
  readonly language: LanguageChoice;
  readonly theme: ThemeChoice;
  readonly composing: Composing;
  readonly turning: Turning;
  readonly folds: Folds;
  readonly places: Places;
  readonly opened: Signal<Opened | null>;
  readonly now: ReadonlySignal<number>;
}

/** Makes the parts and connects them; nothing runs yet. */
export function createPage(): Page {
  const storage = keptStorage();
  const room = new Room(framePacer());
  const language = new LanguageChoice(navigator.languages, storage);
  const busy = computed(() => (room.state.value?.open.size ?? 0) > 0);
  return {
    room,
    link: new Link(receiverFor(room, language)),
    language,
    theme: new ThemeChoice(document.documentElement, storage),
    composing: new Composing(storage),
    turning: new Turning(),
    folds: new Folds(),
    places: new Places(),
    opened: signal(null),
    now: clock(busy),
  };
}

/** What the line feeds: the store, and the language that the configuration asks for. */
function receiverFor(room: Room, language: LanguageChoice): Receiver {
  return {
    get cursor() {
      return room.cursor;
    },
    receive: (envelope) => room.receive(envelope),
    meet: (snapshot) => {
      language.configure(textAt({ ...snapshot }, "uiLanguage"));
      room.meet(snapshot);
    },
  };
}

const Context = createContext<Page | null>(null);

export const PageProvider = Context.Provider;

/** The page's parts, for a component. */
export function usePage(): Page {
  const page = useContext(Context);
  if (page === null) throw new Error("invariant: every component stands inside the page");
  return page;
}

/** Words and formats; the component is drawn again when the language changes. */
export function useLanguage(): Language {
  return usePage().language.current.value;
}

/**
 * What a component needs of the room, which exists before any component does. It is drawn again when
 * the selected value is another one; what `select` takes from outside must not change.
 */
export function useSelected<T>(select: (state: RoomState) => T): T {
  const { room } = usePage();
  return useComputed(() => {
    const state = room.state.value;
    if (state === null) throw new Error("invariant: the room is drawn after its first snapshot");
    return select(state);
  }).value;
}

/** The page: agents to the left, the room in the middle, a drawer to the right. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { AgentList } from "../agents/agent-list";
import { LiveRegions, type Announcer } from "../attention/announcer";
import type { Attention } from "../attention/attention";
import { Composer } from "../composer/composer";
import { ReconnectBar } from "../connection/reconnect-bar";
import { usePageKeys } from "../keyboard/page-keys";
import { useForgetEsc } from "../timeline/keys";
import { Timeline } from "../timeline/timeline";
import { useLanguage, usePage } from "./context";
import { Drawer } from "./drawer";
import { TopBar } from "./top-bar";
import "./page.css";

interface Props {
  readonly announcer: Announcer;
  readonly attention: Attention;
}

export function PageView({ announcer, attention }: Props) {
  const { room, language } = usePage();
  const { words } = useLanguage();
  usePageKeys();
  useForgetEsc();
  useAnnouncedLink(announcer);
  useSignalEffect(() => {
    document.documentElement.lang = language.current.value.code;
  });
  const ready = useComputed(() => room.state.value !== null).value;
  return (
    <div class="page">
      <TopBar />
      <ReconnectBar />
      <div class="middle">
        <nav class="agents" aria-label={words["page.agents"]}>
          {ready && <AgentList />}
        </nav>
        <main class="room">
          {ready ? (
            <>
              <Timeline />
              <Composer announcer={announcer} />
            </>
          ) : (
            <p class="opening">{words["page.opening"]}</p>
          )}
        </main>
        {ready && <Drawer attention={attention} />}
      </div>
      <LiveRegions announcer={announcer} />
    </div>
  );
}

/** Says that the connection is lost, and that it is back; not that it was made. */
function useAnnouncedLink(announcer: Announcer): void {
  const { link, language } = usePage();
  const lost = useRef(false);
  useSignalEffect(() => {
    const { is } = link.state.value;
    const { words } = language.current.peek();
    if (is === "live" && lost.current) announcer.polite(words["announce.back"]);
    if (is === "lost" && !lost.current) announcer.polite(words["announce.lost"]);
    lost.current = is === "lost";
  });
}

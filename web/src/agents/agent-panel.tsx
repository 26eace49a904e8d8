/** One agent opened: what runs it, where, with which rights, and what one can do about it. */

import type { ComponentChildren } from "preact";
import { useLanguage, usePage, useSelected } from "../layout/context";
import { activeTurnOf } from "../store/look-up";
import type { Agent } from "../store/state";
import { sessionWords } from "./agent-words";

export function AgentPanel({ actorId }: { readonly actorId: string }) {
  const agent = useSelected((state) => state.agents.get(actorId));
  if (agent === undefined) return null;
  return <Known agent={agent} />;
}

function Known({ agent }: { readonly agent: Agent }) {
  const { composing, places, opened } = usePage();
  const language = useLanguage();
  const { words } = language;
  const active = useSelected((state) => activeTurnOf(state, agent.actorId)?.turnId ?? null);
  const { driver, driverInfo } = agent;
  // On a narrow screen the panel lies over what the user wants to see now.
  const uncover = () => {
    if (matchMedia("(max-width: 1000px)").matches) opened.value = null;
  };
  const access =
    driverInfo.unrestricted ??
    (agent.access === "unrestricted" ? words["agent.access.unrestricted"] : agent.access);
  return (
    <>
      <dl class="facts">
        <Fact name={words["agent.state"]}>{sessionWords(language, agent.session)}</Fact>
        <Fact name={words["agent.driver"]}>
          {[driver, driverInfo.version, driverInfo.protocol].filter((part) => part !== undefined).join(" · ")}
        </Fact>
        <Fact name={words["agent.folder"]}>
          <code>{agent.cwd}</code>
        </Fact>
        <Fact name={words["agent.access"]}>{access}</Fact>
        <Fact name={words["agent.tools"]}>{words[`agent.tools.${agent.tools}.long`]}</Fact>
        <ContextUse agent={agent} />
      </dl>
      <div class="panel-actions">
        <button
          type="button"
          onClick={() => {
            composing.address([agent.actorId]);
            uncover();
            document.getElementById("composer-text")?.focus();
          }}
        >
          {words["agent.writeTo"](agent.displayName)}
        </button>
        {active !== null && (
          <button
            type="button"
            onClick={() => {
              uncover();
              places.go(active);
            }}
          >
            {words["agent.goToTurn"]}
          </button>
        )}
        <Restart actorId={agent.actorId} working={active !== null} />
      </div>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ContextUse({ agent }: { readonly agent: Agent }) {
  const { words, format } = useLanguage();
  const { contextUsed, contextWindow } = agent.usage ?? {};
  if (contextUsed === undefined || contextWindow === undefined || contextWindow === 0) return null;
  const share = Math.min(1, contextUsed / contextWindow);
  return (
    <Fact name={words["agent.context"]}>
      <meter
        class="context-use"
        min={0}
        max={1}
        high={0.8}
        value={share}
        aria-label={words["agent.context"]}
      />
      {words["agent.context.of"](
        format.compact(contextUsed),
        format.compact(contextWindow),
        format.percent(share),
      )}
    </Fact>
  );
}

function Restart({ actorId, working }: { readonly actorId: string; readonly working: boolean }) {
  const { turning } = usePage();
  const { words } = useLanguage();
  const wish = turning.wishes.value.get(actorId);
  const asked = wish?.is === "asked";
  return (
    <>
      <button type="button" disabled={asked} onClick={() => void turning.restart(actorId)}>
        {asked
          ? words["agent.restarting.now"]
          : working
            ? words["agent.restartWorking"]
            : words["agent.restart"]}
      </button>
      {wish?.is === "refused" && (
        <p role="alert" class="refused">
          {wish.message}
        </p>
      )}
    </>
  );
}

/** Everything that the page says, in English. It is the measure for every other catalogue. */

const plural = (n: number, one: string, many: string): string => (n === 1 ? one : many);

export const en = {
  // The frame of the page
  "page.title": "GroupX",
  "page.skip": "Go to the composer",
  "page.agents": "Agents",
  "page.close": "Close",
  "page.opening": "Opening the room…",
  "page.keys": "Keys",
  "page.settings": "Settings",

  // Connection
  "link.opening": "connecting",
  "link.live": "connected",
  "link.lost": "not connected",
  "link.lostSince": (time: string) => `No connection since ${time}. Trying again.`,
  "link.gone": "If GroupX has ended, start it again with",
  "link.tryNow": "Try now",

  // Settings
  "settings.theme": "Theme",
  "settings.theme.system": "As the system",
  "settings.theme.light": "Light",
  "settings.theme.dark": "Dark",
  "settings.language": "Language",
  "settings.notify": "Notifications",
  "settings.notify.ask": "Tell me when an agent ends",
  "settings.notify.on": "On, while this tab is hidden",
  "settings.notify.denied": "Blocked in the browser's settings for this page",

  // Agents
  "agent.ready": "ready",
  "agent.starting": "starting",
  "agent.startingTry": (n: number, of: number) => `starting ${n}/${of}`,
  "agent.restarting": (n: number, of: number | null) =>
    of === null ? "restarting" : `restarting ${n}/${of}`,
  "agent.failed": "failed",
  "agent.failedWith": (why: string) => `failed: ${why}`,
  "agent.blocked": "blocked by policy",
  "agent.stopped": "stopped",
  "agent.working": (time: string) => `working ${time}`,
  "agent.queue": (n: number) => `${n} queued`,
  "agent.none": "No agent is enabled. Add one to groupx.json and start GroupX again.",
  "agent.driver": "Driver",
  "agent.folder": "Folder",
  "agent.state": "State",
  "agent.access": "Access",
  "agent.access.unrestricted":
    "Unrestricted: it reads and changes files and runs commands as you, without asking.",
  "agent.tools": "Room tools",
  "agent.toolsAre": (state: string) => `tools ${state}`,
  "agent.tools.attached": "attached",
  "agent.tools.pending": "pending",
  "agent.tools.missing": "missing",
  "agent.tools.attached.long": "The agent has loaded GroupX's tools and can write to the others.",
  "agent.tools.pending.long": "The agent has not asked for GroupX's tools yet.",
  "agent.tools.missing.long":
    "The agent did not load GroupX's tools: it can answer, but not write to the others.",
  "agent.context": "Context",
  "agent.context.of": (used: string, window: string, percent: string) =>
    `${used} of ${window} tokens (${percent})`,
  "agent.restart": "Restart",
  "agent.restartWorking": "Restart and end its turn",
  "agent.restarting.now": "Restarting…",
  "agent.goToTurn": "Go to its turn",
  "agent.writeTo": (name: string) => `Write to ${name}`,

  // Timeline
  "timeline.label": "Room",
  "timeline.empty.one": (name: string) => `Write the first message below: ${name} answers here.`,
  "timeline.empty.many": "Choose who to write to below, write, and press Enter: the answers appear here.",
  "timeline.new": (n: number) => `${n} new`,
  "timeline.toEnd": "To the end",
  "timeline.older": "Loading older messages…",
  "timeline.olderFailed": "Older messages could not be loaded.",
  "timeline.again": "Again",
  "timeline.start": "The room begins here.",
  "timeline.to": (names: string) => `to ${names}`,
  "timeline.everyone": "everyone",
  "timeline.and": " and ",
  "timeline.comma": ", ",
  "timeline.earlier": "an earlier message",
  "timeline.forwarded": "forwarded",
  "timeline.unknownAgent": "An agent",
  "timeline.more": (size: string) => `Show more (${size} left)`,

  // What one can do with a row
  "row.reply": "Reply",
  "row.copy": "Copy",
  "row.copied": "Copied",
  "row.stop": (name: string) => `Stop ${name}`,
  "row.stopping": "Stopping…",
  "row.escAgain": (name: string) => `Esc again stops ${name}`,
  "row.unqueue": "Take back",
  "row.inReplyTo": (name: string) => `In reply to ${name}`,

  // Turns
  "turn.queued": "queued",
  "turn.queuedAt": (n: number) => `queued, ${n} in line`,
  "turn.dispatching": "about to start",
  "turn.running": (time: string) => `working ${time}`,
  "turn.cancelling": "stopping",
  "turn.completed": "done",
  "turn.failed": "failed",
  "turn.cancelled": "stopped",
  "turn.interrupted": "interrupted",
  "turn.empty": "Done without a text.",
  "turn.cancelledNote": "Stopped. It does not go on by itself.",
  "turn.partial": "What it had written before it ended:",
  "turn.gap": "The part before this page was open appears when the turn ends.",
  "turn.tokens": (input: string, output: string) => `${input} tokens in, ${output} out`,
  "turn.tokensOut": (output: string) => `${output} tokens out`,
  "turn.reasoning": "Reasoning",
  "turn.tools": (n: number, failed: number) =>
    `${plural(n, "Tool", "Tools")} ${n}${failed > 0 ? ` (${failed} failed)` : ""}`,
  "tool.running": "running",
  "tool.completed": "done",
  "tool.failed": "failed",
  "tool.cancelled": "stopped",
  "tool.unnamed": "tool",
  "tool.details": "Details",
  "tool.noDetails": "No details were recorded.",
  "tool.cut": (size: string) => `Cut: ${size} more`,
  "diff.label": (path: string) => `Changes in ${path}`,

  // Notices
  "notice.sessionFailed": (name: string, why: string) => `${name} could not start: ${why}`,
  "notice.sessionFresh": (name: string) =>
    `${name} started a new session: what it remembered natively is gone; the room's history is given to it again.`,
  "notice.sessionStopped": (name: string, why: string) => `${name} stopped: ${why}`,
  "notice.systemError": (why: string) => why,
  "notice.loopStopped":
    "The room stopped agents from calling each other: a limit was reached. To go on, reply to this with a new message.",
  "notice.contextReset": "Context reset: agents no longer see what is above.",
  "notice.remembered": (name: string, what: string) => `${name} remembered: ${what}`,
  "notice.superseded": (name: string, what: string) => `${name} changed a memory: ${what}`,
  "notice.retracted": (name: string, what: string) => `${name} took back a memory: ${what}`,
  "notice.brief": "Brief for an observer",
  "notice.unknown": (type: string) => `Event ${type}`,

  // Composer
  "composer.label": "Message",
  "composer.to": "To",
  "composer.all": "@all",
  "composer.placeholder": (names: string) => `Write to ${names}`,
  "composer.placeholder.none": "Choose who to write to",
  "composer.send": "Send",
  "composer.sending": "Sending…",
  "composer.hint": "Enter sends, Shift+Enter breaks the line",
  "composer.noTarget": "Choose who the message is for.",
  "composer.noHost":
    "GroupX did not answer. The message is still here: send it again when the connection is back.",
  "composer.replyTo": (name: string) => `Reply to ${name}`,
  "composer.noReply": "Do not reply",
  "composer.length": (n: string, max: string) => `${n} of ${max} characters`,

  // Copying code
  "code.copy": "Copy code",
  "code.plain": "text",
  "link.opens": "opens in a new tab",

  // Said to those who listen
  "announce.finished": (name: string) => `${name} finished`,
  "announce.failed": (name: string, why: string) => `${name} failed: ${why}`,
  "announce.stopped": (name: string) => `${name} was stopped`,
  "announce.interrupted": (name: string) => `${name} was interrupted`,
  "announce.sent": "Message sent",
  "announce.lost": "Connection lost",
  "announce.back": "Connected again",

  // Keys
  "keys.title": "Keys",
  "keys.composer": "Write",
  "keys.send": "Send",
  "keys.break": "Break the line",
  "keys.rows": "Next, previous message",
  "keys.ends": "First loaded, last message",
  "keys.reply": "Reply to the message",
  "keys.copy": "Copy the message",
  "keys.open": "Open or close its details",
  "keys.stop": "Twice: stop the turn",
  "keys.agents": "To the agents",
  "keys.help": "This list",
  "keys.close": "Close what is open",
} as const;

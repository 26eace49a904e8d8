/** Why Turns and sessions fail and what to do about it, in Chinese. */

import type { FailureCode, FailureWords } from "./failures";

export const failuresZh: Readonly<Record<FailureCode, FailureWords>> = {
  NATIVE_TURN_FAILED: { what: "该智能体的 CLI 以错误结束了回合。", todo: "请看它给出的原因，然后再写一次。" },
  UNEXPECTED_NATIVE_INTERACTION: {
    what: "该智能体的 CLI 提出了一个这里没有人可以回答的问题。",
    todo: "请在消息里写明该如何决定，然后再写一次。",
  },
  TURN_FIRST_EVENT_TIMEOUT: {
    what: "该智能体的 CLI 收下了提示，但一直没有回应。",
    todo: "请先在终端确认它能工作，然后再写一次。",
  },
  TURN_IDLE_TIMEOUT: {
    what: "该智能体的 CLI 在回合中途没有了动静。",
    todo: "请再写一次；如果常常发生，请把任务拆小。",
  },
  TURN_CANCEL_TIMEOUT: { what: "该智能体的 CLI 没有按要求停下，已被结束。", todo: "它会自动重新启动。" },
  TURN_INTERRUPTED: {
    what: "该智能体的 CLI 在回合结束前退出了。",
    todo: "提示不会自动重发：如果仍然需要，请再写一次。",
  },
  PROTOCOL_INVALID_MESSAGE: {
    what: "该智能体的 CLI 说了无法读懂的内容。",
    todo: "它已重新启动，请再写一次。",
  },
  PROTOCOL_HANDSHAKE_TIMEOUT: {
    what: "该智能体的 CLI 没有及时就绪。",
    todo: "请先在终端里启动它一次，再重启该智能体。",
  },
  ADAPTER_NOT_FOUND: { what: "没有加载这个名字的驱动。", todo: "请检查 groupx.json 中该智能体的 driver。" },
  ADAPTER_START_FAILED: { what: "该智能体的 CLI 无法启动。", todo: "请运行 groupx doctor，再重启该智能体。" },
  SESSION_NOT_AVAILABLE: { what: "该智能体没有运行中的会话。", todo: "请重启该智能体。" },
  NATIVE_RESUME_UNSUPPORTED: { what: "无法恢复之前的会话。", todo: "会开始新的会话。" },
  NATIVE_POLICY_BLOCKED: { what: "CLI 的策略禁止它在不询问的情况下运行。", todo: "请联系策略的管理者。" },
  MCP_UNAVAILABLE: { what: "该智能体无法使用房间工具。", todo: "它仍然可以回答。" },
  CONTEXT_BUDGET_EXCEEDED: { what: "房间历史放不进该智能体的上下文。", todo: "请写一条更短的消息。" },
  TRANSPORT_MODE_MISMATCH: { what: "该回合由另一个版本保存，无法在这里运行。", todo: "请再写一次。" },
  STORE_UNAVAILABLE: { what: "房间的数据库无法写入。", todo: "请检查磁盘，然后再写一次。" },
  INTERNAL_ERROR: { what: "GroupX 出错了。", todo: "请再写一次；如果再次发生，请报告。" },
};

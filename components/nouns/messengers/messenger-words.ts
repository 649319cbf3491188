import type { Tone } from "@/components/kit/ui/tone";
import type { MessengerTransport } from "@/contracts/messengers/messenger-platforms";
import type { ChatApprovalRule, MessengerPart, MessengerState, WriterRule } from "@/contracts/messengers/messengers";

export const stateWords: Record<MessengerState, { word: string; tone: Tone }> = {
  off: { word: "Off", tone: "unavailable" },
  waiting: { word: "Not connected yet", tone: "unavailable" },
  connecting: { word: "Connecting", tone: "running" },
  connected: { word: "Connected", tone: "allow" },
  failing: { word: "Failing", tone: "deny" },
};

export const writerWords: Record<WriterRule, string> = {
  contacts: "Contacts whom an admin has admitted",
  members: "Members who have linked their chat",
  anyone: "Anyone",
};

export const transportWords: Record<MessengerTransport, string> = {
  connection: "Connection: no public address is needed",
  webhook: "Webhook: the platform calls Handrail",
};

export const approvalWords: Record<ChatApprovalRule, string> = {
  all: "Calls of every risk",
  not_critical: "All but critical calls",
  not_high: "All but high and critical calls",
  none: "None: the console only",
};

export const partWords: Record<MessengerPart["status"], { word: string; tone: Tone }> = {
  pending: { word: "Waiting", tone: "running" },
  sending: { word: "Sending", tone: "running" },
  sent: { word: "Sent", tone: "allow" },
  unknown: { word: "Not known", tone: "ask" },
  failed: { word: "Failed", tone: "deny" },
  started: { word: "Starting", tone: "running" },
  done: { word: "Taken", tone: "allow" },
  ignored: { word: "Not for the agent", tone: "unavailable" },
  refused: { word: "Refused", tone: "deny" },
};

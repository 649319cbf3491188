/** Commands that Handrail itself reads, before any agent. */
export type Command = PlainCommand | DecisionCommand;
export type PlainCommand =
  | { name: "new" | "clear" | "stop" | "help" | "status" }
  | { name: "model"; model: string }
  | { name: "link"; code: string };
export type DecisionCommand = { name: "approve" | "deny"; id: string | null; comment: string };

const plain = ["new", "clear", "stop", "help", "status"] as const;
const decisions = { approve: "approve", 批准: "approve", deny: "deny", 拒绝: "deny" } as const;

/** Words of a decision: with a slash anywhere, without one only alone or before an id, because people also write sentences. */
const decision = /^(\/?)(approve|deny|批准|拒绝)(?:@[\w-]+)?(?:\s+#?([a-f0-9]{6,16}))?(?:\s+(.+))?$/is;

/** Beginnings of a text that may be a command, in lower case. */
export const commandBeginnings: readonly string[] = ["/", ...Object.keys(decisions)];

/** Reads a command; null for a text that is for the agent. A command ends at the first line. */
export function readCommand(text: string): Command | null {
  const line = text.trim();
  const decided = decision.exec(line);
  if (decided) {
    const [, slash, word = "", id, rest = ""] = decided;
    if (slash || rest === "") {
      const name = decisions[word.toLowerCase() as keyof typeof decisions];
      return { name, id: id?.toLowerCase() ?? null, comment: rest.trim().slice(0, 1_000) };
    }
  }
  const [, word = "", rest = ""] = /^\/([a-z]+)(?:@[\w-]+)?(?:\s+(.*))?$/is.exec(line) ?? [];
  const name = word.toLowerCase();
  const known = plain.find((command) => command === name);
  if (known) return { name: known };
  if (name === "model") return { name, model: rest.trim().slice(0, 200) };
  if (name === "link") return { name, code: rest.trim().slice(0, 100) };
  // Telegram sends it when somebody opens the chat.
  return name === "start" ? { name: "help" } : null;
}

import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { McpLogLine } from "@/contracts/mcp/mcp-contents";
import { mcpLogLevels } from "@/contracts/mcp/mcp-contents";
import { makeRateLimit } from "@/server/platform/rate-limit";
import { maskInText } from "@/server/secrets/mask-secrets";
import { isDeeperThan } from "../schemas/input-schema";
import { cleanText } from "../text/clean-text";

const maxLines = 500;
const maxCharacters = 2_000;
const maxDepth = 20;
/** Rate limit of log lines, because a server may send a hundred thousand a second. */
const pace = { burst: 200, perSecond: 20 };

/** The newest log messages of one server on this replica, oldest first. */
export class ServerLog {
  private readonly lines: McpLogLine[] = [];
  private readonly pace = makeRateLimit(pace);
  private dropped = 0;
  private count = 0;

  /** Adds the parameters of a `notifications/message`. A message beyond the rate limit is only counted. */
  add(params: unknown): void {
    if (!isJsonObject(params)) return;
    if (this.pace(1) > 0) {
      this.dropped += 1;
      return;
    }
    if (this.dropped > 0) this.push("warning", null, `${this.dropped} messages came too fast and are missing here.`);
    this.dropped = 0;
    const level = mcpLogLevels.find((known) => known === params.level) ?? "info";
    this.push(level, typeof params.logger === "string" ? params.logger : null, wordsOf(params.data));
  }

  /** Adds a line of Handrail's own, about the connection. */
  note(text: string): void {
    this.push("error", "handrail", text);
  }

  /** Returns the newest lines first. */
  newest(): McpLogLine[] {
    return this.lines.toReversed();
  }

  private push(level: McpLogLine["level"], logger: string | null, text: string): void {
    this.count += 1;
    const masked = cleanText(maskInText(text), maxCharacters);
    const at = new Date().toISOString();
    this.lines.push({ number: this.count, at, level, logger: logger === null ? null : cleanText(logger, 100), text: masked });
    if (this.lines.length > maxLines) this.lines.shift();
  }
}

function wordsOf(data: unknown): string {
  if (typeof data === "string") return data.slice(0, 4 * maxCharacters);
  if (isJsonObject(data) && typeof data.message === "string" && Object.keys(data).length === 1)
    return data.message.slice(0, 4 * maxCharacters);
  return isDeeperThan(data, maxDepth) ? "(nested too deep to show)" : (JSON.stringify(data) ?? "").slice(0, 4 * maxCharacters);
}

import "server-only";
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type McpLogLevel, mcpLogLevels } from "@/contracts/mcp/mcp-contents";
import type { Actor } from "@/server/auth/actor";
import { storableText } from "@/server/platform/database/storable";
import type { ClientAnswer } from "@/server/tools/calling-client";

export type McpSession = {
  id: string;
  clientName: string;
  opensUrls: boolean;
  answers: readonly ClientAnswer[];
  logLevel: McpLogLevel | null;
  subscriptions: readonly string[];
  /** Hash of the tool list that the client was last given; null before the first. */
  listedHash: string | null;
};

/** The client of one request at /mcp. */
export type McpClient = {
  actor: Actor;
  /** The client speaks revision 2026-07-28: no session, `input_required`, and a closed connection cancels. */
  isStateless: boolean;
  session: McpSession | null;
  /** The client's own name of its conversation, from the header `Handrail-Conversation`. */
  handle: string | null;
  /** Name of the program, for the conversation's title. */
  name: string;
  /** The client opens addresses for its user. */
  opensUrls: boolean;
  /** The requests of upstream servers that the client answers. */
  answers: readonly ClientAnswer[];
  /** Lowest level of log messages that the client asked for; null: none. */
  logLevel: McpLogLevel | null;
  /** The client follows a call that goes on as a task. */
  takesTasks: boolean;
  traceparent: string | null;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
  isStillAllowed: () => Promise<boolean>;
};

const Info = z.object({ name: z.string().min(1), version: z.string().default("") });
/** The tasks extension of revision 2026-07-28 (SEP-2663). */
export const tasksExtension = "io.modelcontextprotocol/tasks";

const Capabilities = z.object({
  elicitation: z.looseObject({ form: z.looseObject({}).optional(), url: z.looseObject({}).optional() }).optional(),
  sampling: z.looseObject({}).optional(),
  roots: z.looseObject({}).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

const defaultName = "MCP client";
const nameLimit = 80;

/** A client's claims about itself. Texts are cut, and nothing is trusted. */
export type ClientFacts = Pick<McpClient, "name" | "opensUrls" | "answers" | "takesTasks">;

/** Reads `clientInfo` and `capabilities` of an `initialize` request or of a request's `_meta`. */
export function readClientFacts(clientInfo: unknown, capabilities: unknown): ClientFacts {
  const info = Info.safeParse(clientInfo);
  const known = Capabilities.safeParse(capabilities);
  return {
    name: info.success ? storableText(`${info.data.name} ${info.data.version}`.trim()).slice(0, nameLimit).toWellFormed() : defaultName,
    opensUrls: known.success && known.data.elicitation?.url !== undefined,
    answers: known.success ? answersOf(known.data) : [],
    takesTasks: known.success && known.data.extensions?.[tasksExtension] !== undefined,
  };
}

/** A client that declares elicitation without a mode shows forms. */
function answersOf({ elicitation, sampling, roots }: z.infer<typeof Capabilities>): ClientAnswer[] {
  const { form, url } = elicitation ?? {};
  return [
    ...(elicitation && (form || !url) ? (["form"] as const) : []),
    ...(url ? (["url"] as const) : []),
    ...(sampling ? (["sampling"] as const) : []),
    ...(roots ? (["roots"] as const) : []),
  ];
}

const Message = z.object({ params: z.object({ _meta: z.record(z.string(), z.unknown()) }) });

/** Reads the facts from the `_meta` of a request of revision 2026-07-28. */
export function readMetaFacts(body: unknown): ClientFacts & Pick<McpClient, "logLevel"> {
  const message = Message.safeParse(body);
  const meta = message.success ? message.data.params._meta : {};
  const logLevel = mcpLogLevels.find((level) => level === meta[LOG_LEVEL_META_KEY]) ?? null;
  return { ...readClientFacts(meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]), logLevel };
}

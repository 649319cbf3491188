/** The part of Handrail's API that a runtime reads. Field names are those of the HTTP contract. */

export type CallStatus =
  | "pending"
  | "awaiting_approval"
  | "running"
  | "succeeded"
  | "failed"
  | "denied"
  | "rejected"
  | "expired"
  | "timed_out"
  | "cancelled"
  | "interrupted";

/** One tool call as the model wrote it. `arguments` may be the model's JSON text. */
export type SubmittedCall = { id: string; name: string; arguments: string | Record<string, unknown> };

export type ContentPart =
  | { type: "text"; text: string }
  | { type: "artifact"; artifactId: string; mediaType: string; bytes: number; image?: { width: number; height: number } }
  | { type: "resource"; uri: string; mediaType: string | null; text: string }
  | { type: "resource_link"; uri: string; mediaType: string | null; name: string; description: string };

export type Call = {
  id: string;
  callId: string;
  name: string;
  status: CallStatus;
  isError: boolean;
  /** Text for the model, for every final status. */
  content: string;
  contentParts?: ContentPart[];
  approvalId: string | null;
};

export type Turn = {
  id: string;
  conversationId: string;
  status: "running" | "suspended" | "completed" | "cancelled";
  calls: Call[];
  /** Results of background jobs that ended since the last turn; each is told with one turn only. */
  finishedJobs?: { jobId: string; name: string; status: string; content: string; contentParts?: ContentPart[] }[];
};

export type ToolFormat = "openai" | "openai-responses" | "anthropic" | "gemini" | "mcp" | "handrail";

/** The tools of a conversation now. Same state, same bytes, so that prompt caches hold. */
export type ToolListing<Tool = Record<string, unknown>> = {
  /** In the provider's own shape, to be passed on as they are. */
  tools: Tool[];
  /** One line per further tool, for the system prompt. */
  directory: string;
  /** How the model gets at the directory's tools, for the system prompt. */
  hints: string;
  /** The agent's memory and the like, for the system prompt; it may change from step to step. Absent from servers before it. */
  sections?: string;
  toolsHash: string;
};

/** A tool in the format `mcp`. */
export type McpTool = { name: string; description?: string; inputSchema: Record<string, unknown> };

export type ConversationOptions = {
  /** Name or id; absent: the key's agent. */
  agent?: string;
  /** The same id returns the same conversation. */
  externalId?: string;
  channel?: string;
  interactive?: boolean;
  /** `endUserId` names the person for whom the agent remembers: people of one API key do not see each other's memory. */
  metadata?: Record<string, unknown> & { endUserId?: string };
};

import { z } from "zod";
import { ActorRef, Empty, Id, Json, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { MachinePath, machineBoxes } from "../tools/machine";

export const codingClients = ["claude-code", "codex", "gemini", "copilot", "opencode", "cursor", "other"] as const;
export type CodingClient = (typeof codingClients)[number];

/** Clients that ask in a language of their own. */
export const dialects = ["claude-code", "codex", "gemini", "copilot", "opencode", "cursor"] as const satisfies readonly CodingClient[];
export type Dialect = (typeof dialects)[number];

/** Largest call that a client may ask about, in bytes: a file that it writes stands in it. */
const maxCallBytes = 5 * 1_048_576;

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const plain = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed() && !hidden.test(text), "must not hold control characters or characters that are not shown");

/** JSON of an object: each link, and the file behind it. */
const ToldLinks = z
  .string()
  .max(12_000)
  .transform((text, told) => {
    try {
      return JSON.parse(text);
    } catch {
      told.addIssue("must be JSON");
      return z.NEVER;
    }
  })
  .pipe(z.record(MachinePath, MachinePath))
  .transform((links) => Object.entries(links).map(([path, real]) => ({ path, real })));

/** Seconds that people have for an answer, where the client waits less than the workspace allows. */
export const ApprovalSeconds = z.coerce.number().int().min(10).max(86_400);

const PolicyText = z.string().max(65_536);

export const GuardedCallDraft = z
  .strictObject({
    client: z.enum(codingClients),
    version: plain(64).optional().describe("Version of the client."),
    session: plain(200).describe("The client's id of its session: calls of one session form one conversation."),
    callId: plain(200).optional().describe("The client's id of the call: the same one finds the same call again."),
    agent: z
      .strictObject({ id: plain(100), type: plain(100).optional() })
      .optional()
      .describe("The subagent that makes the call; its calls form a child of the session's conversation."),
    tool: plain(200).describe("Name of the tool in the client."),
    input: JsonObject.default({}).describe("Arguments of the tool, as the client has them."),
    folder: MachinePath.describe("Absolute path of the project: files in it lie inside."),
    cwd: MachinePath.optional().describe("Absolute path of the folder in which the call starts; `folder` when absent."),
    home: MachinePath.optional().describe("Absolute path of the home folder, which `~` names."),
    links: z
      .array(z.strictObject({ path: z.string().min(1).max(4_096), real: MachinePath }))
      .max(100)
      .optional()
      .describe("Links that the call names, and the files behind them."),
    host: plain(200).optional().describe("Name of the machine."),
    user: plain(200).optional().describe("Name of the user on the machine."),
    repository: plain(500).nullable().optional().describe("Address of the project's remote repository; null: there is none."),
    policy: PolicyText.optional().describe("Text of the project's `.handrail.yaml`, whose rules can only make decisions stricter."),
    box: z.enum(machineBoxes).default("none").describe("What confines the client's programs."),
    interactive: z.boolean().default(true).describe("Whether people can be asked; a call that needs them is denied at once when false."),
    desk: z
      .boolean()
      .default(false)
      .describe("A person sits at the client and may answer there, too: an open question is answered with `ask`."),
    approvalSeconds: ApprovalSeconds.optional().describe("Time that people have for an answer; it ends before the client gives up."),
    wait: z.number().min(0).max(55).default(30).describe("Seconds to wait for people before answering `pending`."),
  })
  .meta({
    examples: [
      {
        client: "other",
        session: "s-1",
        callId: "c-1",
        tool: "shell_execute",
        input: { command: "npm test" },
        folder: "/home/ada/shop",
        wait: 0,
      },
    ],
  });
export type GuardedCallDraft = z.infer<typeof GuardedCallDraft>;

export const guardedVerdicts = ["allow", "deny", "ask", "pending"] as const;
export const guardedStatuses = ["waiting", "released", "refused", "succeeded", "failed", "cancelled", "unknown"] as const;

export const GuardedCall = z
  .object({
    id: Id,
    conversationId: Id,
    turnId: Id,
    verdict: z
      .enum(guardedVerdicts)
      .describe("`pending`: a person is asked. `ask`: the client may ask the person at the keyboard meanwhile."),
    status: z.enum(guardedStatuses).describe("`unknown`: the call was released, and its result was never reported."),
    reason: z.string().describe("For the model: what was decided, and what to do next."),
    approvalId: Id.nullable(),
    input: JsonObject.optional().describe("Arguments with which to run the call, when a person or a hook changed them."),
    policyVersion: z.number().int().nullable(),
  })
  .meta({ id: "GuardedCall" });
export type GuardedCall = z.infer<typeof GuardedCall>;

export const GuardedCallResult = z
  .strictObject({
    status: z.enum(["succeeded", "failed"]),
    content: z.string().max(2_000_000).default("").describe("What the tool returned; only its beginning and end are kept when it is long."),
    durationMs: z.number().int().min(0).max(86_400_000).optional(),
  })
  .meta({ examples: [{ status: "succeeded", content: "12 tests passed", durationMs: 840 }] });
export type GuardedCallResult = z.infer<typeof GuardedCallResult>;

export const CodingSession = z
  .object({
    id: Id,
    conversationId: Id,
    client: z.enum(codingClients),
    version: z.string().nullable(),
    session: z.string(),
    agent: z.string().nullable().describe("The subagent; `null` for the session itself."),
    folder: z.string(),
    repository: z.string().nullable(),
    host: z.string().nullable(),
    user: z.string().nullable(),
    box: z.enum(machineBoxes),
    key: ActorRef.describe("Whose key the client uses."),
    calls: z.object({
      waiting: z.number().int().describe("A person is asked."),
      released: z.number().int().describe("At work: released, without a result yet."),
      allowed: z.number().int().describe("Over."),
      denied: z.number().int(),
      edited: z.number().int().describe("Run with arguments that a person changed."),
      spared: z.number().int().describe("Released without asking a person."),
    }),
    bypassed: z.number().int().describe("Results of calls that Handrail had not released."),
    problems: z.array(z.string()).describe("What is wrong with the connection, each with what to do."),
    policy: z
      .object({ rules: z.number().int(), mistake: z.string().nullable() })
      .nullable()
      .describe(
        "The `.handrail.yaml` of the repository: its rules, or why it cannot be used. Null: there is none, or the client did not send it.",
      ),
    startedAt: Timestamp,
    lastSeenAt: Timestamp,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: "CodingSession" });
export type CodingSession = z.infer<typeof CodingSession>;

/** A client on a machine that was connected. */
export const CodingConnection = z
  .object({
    id: Id,
    client: z.enum(codingClients),
    version: z.string().nullable(),
    host: z.string(),
    user: z.string().nullable(),
    mode: z.string(),
    key: ActorRef,
    connectedAt: Timestamp,
    lastSeenAt: Timestamp.nullable().describe("The last call or report of this client on this machine; null: it was never seen."),
    problem: z.string().nullable().describe("Why it may not be guarded, with what to do."),
  })
  .meta({ id: "CodingConnection" });
export type CodingConnection = z.infer<typeof CodingConnection>;

export const connectionModes = ["headless", "desk", "defer"] as const;

export const CodingConnectionDraft = z
  .strictObject({
    client: z.enum(codingClients),
    version: plain(64).optional(),
    host: plain(200),
    user: plain(200).optional(),
    mode: z.enum(connectionModes).default("headless"),
  })
  .meta({ examples: [{ client: "codex", version: "0.171.0", host: "laptop", user: "ada" }] });
export type CodingConnectionDraft = z.infer<typeof CodingConnectionDraft>;

export const codingCallStates = ["open", "stopped"] as const;

/** A call of a coding agent, as the page lists it. */
export const CodingCall = z
  .object({
    id: Id,
    turnId: Id,
    conversationId: Id,
    approvalId: Id.nullable(),
    client: z.enum(codingClients),
    folder: z.string(),
    host: z.string().nullable(),
    tool: z.string().describe("Name of the tool in the client."),
    summary: z.string().describe("The call in one line, secrets masked."),
    status: z.enum(guardedStatuses),
    reason: z.string().describe("Why it waits, or why it was not run; empty for a call at work."),
    editedBy: ActorRef.nullable(),
    at: Timestamp,
  })
  .meta({ id: "CodingCall" });
export type CodingCall = z.infer<typeof CodingCall>;

const params = z.object({ id: Id });
const wait = z.coerce.number().min(0).max(55).default(0);

/** A native body of a client: each client has members of its own, and adds others with every version. */
const NativeBody = z
  .record(z.string(), Json)
  .meta({ examples: [{ hook_event_name: "SessionStart", session_id: "s-1", cwd: "/home/ada/shop" }] });

export const codingAgentEndpoints = {
  ask: endpoint({
    method: "POST",
    path: "/api/v1/guarded-calls",
    summary: "Ask whether a client may run a call itself; the same `callId` finds the same call again",
    permission: "guard:ask",
    body: GuardedCallDraft,
    maxBodyBytes: maxCallBytes,
    modelTexts: ["input"],
    response: GuardedCall,
    mayBeTooMany: true,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/guarded-calls/{id}",
    summary: "A call that a client runs itself; with `wait`, answers when it is decided or the time is up",
    permission: "guard:ask",
    params,
    query: z.object({ wait }),
    response: GuardedCall,
  }),
  report: endpoint({
    method: "POST",
    path: "/api/v1/guarded-calls/{id}/result",
    summary: "Report the result of a released call; the answer holds the result without its secrets, when it had any",
    permission: "guard:ask",
    params,
    body: GuardedCallResult,
    maxBodyBytes: maxCallBytes,
    modelTexts: ["content"],
    response: z.object({ replace: z.string().nullable() }),
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/v1/guarded-calls/{id}/cancel",
    summary: "Withdraw a call: its question is closed, and a release counts no more",
    permission: "guard:ask",
    params,
    response: GuardedCall,
  }),
  listSessions: endpoint({
    method: "GET",
    path: "/api/v1/coding-sessions",
    summary: "Sessions of coding agents, the last seen first",
    permission: "turns:read",
    query: z.object({ ...pageQuery, client: z.enum(codingClients).optional() }),
    response: listOf(CodingSession),
  }),
  listCalls: endpoint({
    method: "GET",
    path: "/api/v1/coding-calls",
    summary: "Newest calls of coding agents: `open` ones wait or are at work, `stopped` ones were refused or changed by a person",
    permission: "turns:read",
    query: z.object({ state: z.enum(codingCallStates).default("open"), limit: z.coerce.number().int().min(1).max(100).default(20) }),
    response: z.object({ items: z.array(CodingCall) }),
  }),
  listConnections: endpoint({
    method: "GET",
    path: "/api/v1/coding-connections",
    summary: "Clients that were connected on machines, with when each was last seen",
    permission: "turns:read",
    response: z.object({ items: z.array(CodingConnection) }),
  }),
  noteConnection: endpoint({
    method: "POST",
    path: "/api/v1/coding-connections",
    summary: "Note that a client was connected on a machine, so that one that never asks is noticed",
    permission: "guard:ask",
    body: CodingConnectionDraft,
    response: CodingConnection,
  }),
  removeConnection: endpoint({
    method: "DELETE",
    path: "/api/v1/coding-connections",
    summary: "Note that a client has no hooks on a machine any more; the key removes only connections of its own",
    permission: "guard:ask",
    query: z.object({ client: z.enum(codingClients), host: plain(200) }),
    response: Empty,
  }),
  keepPolicy: endpoint({
    method: "POST",
    path: "/api/v1/repository-policies",
    summary: "Hand over the text of a repository's `.handrail.yaml`, to which hooks then refer by its SHA-256",
    permission: "guard:ask",
    body: z.strictObject({ text: PolicyText }).meta({ examples: [{ text: "rules: []\n" }] }),
    response: z.object({ digest: z.string(), rules: z.number().int(), mistake: z.string().nullable() }),
  }),
  connect: endpoint({
    method: "GET",
    path: "/connect",
    summary: "The script that connects a coding agent on a machine: `curl -fsS …/connect | sh -s claude-code`",
    permission: null,
    ignoresCredentials: true,
    responseType: "text/x-shellscript",
  }),
  connectFile: endpoint({
    method: "GET",
    path: "/connect/{name}",
    summary: "A file of the connection, with its digest: `handrail-hook`, which asks for clients that only run commands",
    permission: null,
    ignoresCredentials: true,
    params: z.object({ name: z.string().max(100) }),
    responseType: "text/javascript",
  }),
  hook: endpoint({
    method: "POST",
    path: "/agent-hooks/{client}",
    summary: "A hook of a coding agent, in the client's own language",
    permission: "guard:ask",
    params: z.object({ client: z.enum(dialects) }),
    query: z.object({
      mode: z
        .enum(connectionModes)
        .default("headless")
        .describe("`desk`: the keyboard may answer, too. `defer`: the client ends, and asks again when it is resumed."),
      timeout: z.coerce.number().int().min(30).max(86_400).default(3_600).describe("Seconds after which the client gives up the hook."),
      wait: z.coerce
        .number()
        .min(0)
        .max(55)
        .optional()
        .describe("Answers 202 after so many seconds without a decision, to be asked again."),
      box: z.enum(machineBoxes).default("none"),
      call: plain(200).optional().describe("Id of the call, for clients that send none."),
      home: MachinePath.optional(),
      host: plain(200).optional(),
      user: plain(200).optional(),
      repository: plain(500).optional().describe("`-`: the folder has no remote repository."),
      policy: z
        .string()
        .regex(/^(?:-|[0-9a-f]{64})$/, "must be a SHA-256 in lower case, or - for none")
        .optional()
        .describe("SHA-256 of the project's `.handrail.yaml`; 428 asks for its text first."),
      links: ToldLinks.optional().describe("Links that the call names, as JSON: absolute path of each, and of the file behind it."),
      onFailure: z.enum(["block"]).optional().describe("The hook says that the client blocks the call when the hook fails."),
      version: plain(64).optional(),
    }),
    body: NativeBody,
    maxBodyBytes: maxCallBytes,
    modelTexts: ["tool_input", "toolArgs", "tool_response", "toolResult", "args", "output", "command", "prompt"],
    responseType: "application/json",
    otherStatuses: {
      202: "Nobody has decided yet: send the same body again.",
      428: "The text of `policy` is not known here: hand it over at /api/v1/repository-policies, then send the same body again.",
    },
    mayBeTooMany: true,
  }),
};

export const codingAgentContract = defineContract({
  reference: {
    name: "Coding agents",
    description:
      "Calls that coding agents such as Claude Code, Codex and Gemini CLI run on their own machines, behind the same guard and inbox.",
  },
  glossary: {
    "coding agent": "A program such as Claude Code or Codex that runs tools on somebody's machine, and asks Handrail before each call.",
    dialect: "The language in which one coding agent asks its hooks.",
    "guarded call": "A call that a client runs itself after Handrail has released it.",
    released: "Allowed, and handed to the client that runs the call; its result has not been reported yet.",
  },
  endpoints: codingAgentEndpoints,
  permissions: { "guard:ask": "Ask whether a coding agent may run its own calls, and nothing else" },
  audit: {
    "coding_session.started": "Session of a coding agent started",
    "coding_session.ended": "Session of a coding agent ended",
    "guarded_call.bypassed": "Result of a call that was not released",
  },
  navigation: { label: "Coding agents", path: "/coding-agents", icon: "IconTerminal2", key: "y", group: "connections", after: "/webhooks" },
  origins: ["coding_agent"],
  toolSources: ["client"],
});

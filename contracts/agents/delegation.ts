import { z } from "zod";
import { Id, Timestamp } from "../common";
import { Delegator } from "../conversations/delegator";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { runStatuses } from "../runs/runs";

const AgentName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "1 to 64 lower-case letters, digits, _ or -");

/** An agent program that speaks the Agent Client Protocol over stdio. */
export const AcpAgent = z.strictObject({
  name: AgentName.describe("The name that `acp_spawn` takes."),
  command: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((command) => !/[\0\r\n]/.test(command), "must be one line")
    .describe("The program; it is started without a shell."),
  args: z
    .array(
      z
        .string()
        .max(2_000)
        .refine((arg) => !arg.includes("\0"), "must not hold a NUL character"),
    )
    .max(50)
    .default([]),
  description: z.string().max(500).default(""),
  environment: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z_]\w*$/, "is no name of a variable")
        .max(100)
        .refine((name) => !/^(HANDRAIL_|NEXTAUTH_|DATABASE_URL$|PG)/i.test(name), "is a variable of Handrail itself"),
    )
    .max(30)
    .default([])
    .describe("Names of variables of Handrail's own environment that the program gets, such as the key of its model."),
  allowedHosts: z
    .array(
      z
        .string()
        .regex(/^(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i, "is no host")
        .max(260),
    )
    .max(50)
    .default([])
    .describe("Hosts that the program may reach from the sandbox."),
});
export type AcpAgent = z.infer<typeof AcpAgent>;

export const DelegationSettings = z
  .object({
    paused: z.boolean().describe("Agents hand no new tasks on; tasks under way go on."),
    acpAgents: z.array(AcpAgent).describe("Agent programs that `acp_spawn` may start. Empty: `acp_spawn` is unavailable."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has changed the defaults."),
  })
  .meta({ id: "DelegationSettings" });
export type DelegationSettings = z.infer<typeof DelegationSettings>;

export const DelegationSettingsPatch = z
  .strictObject({
    paused: z.boolean().optional(),
    acpAgents: z
      .array(AcpAgent)
      .max(20)
      .refine((agents) => new Set(agents.map(({ name }) => name)).size === agents.length, "two agents have the same name")
      .optional()
      .describe("Replaces the list. It names programs that Handrail starts on its machine, so it needs mcp:run too."),
  })
  .meta({ examples: [{ paused: false }] });
export type DelegationSettingsPatch = z.infer<typeof DelegationSettingsPatch>;

/** A task that an agent of the conversation handed to another agent. */
export const HandedTask = z
  .object({
    runId: Id,
    conversationId: Id.describe("The child's conversation."),
    agent: z.string(),
    callId: Id.nullable().describe("The call that opened the child's conversation."),
    turnId: Id.nullable().describe("The last turn of the child's run."),
    status: z.enum(runStatuses),
    task: z.string().describe("The beginning of the task; secrets are masked."),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "HandedTask" });
export type HandedTask = z.infer<typeof HandedTask>;

export const ConversationDelegation = z
  .object({
    delegators: z.array(Delegator).describe("Agents that handed the task on to this conversation, nearest first."),
    parent: z
      .object({ conversationId: Id, agent: z.string(), callId: Id, turnId: Id })
      .nullable()
      .describe("The call that opened the conversation; `null`: no agent did."),
    children: z.array(HandedTask).describe("Newest first, 100 at the most."),
  })
  .meta({ id: "ConversationDelegation" });
export type ConversationDelegation = z.infer<typeof ConversationDelegation>;

export const delegationEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/delegation-settings",
    summary: "Whether agents may hand tasks on, and which agent programs they may start",
    permission: "tools:read",
    response: DelegationSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/delegation-settings",
    summary: "Change the members that are sent",
    headers: ["If-Match"],
    permission: "agents:write",
    body: DelegationSettingsPatch,
    response: DelegationSettings,
  }),
  ofConversation: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/delegation",
    summary: "Who handed the conversation its task, and the tasks that it handed on",
    permission: "turns:read",
    params: z.object({ id: Id }),
    response: ConversationDelegation,
  }),
};

export const delegationContract = defineContract({
  reference: { name: "Delegation", description: "Agents that hand work to agents: the switch, agent programs, parents and children." },
  glossary: {
    "agent program": "A program that speaks the Agent Client Protocol and that `acp_spawn` may start.",
    "child (of a conversation)": "A conversation, and its run, in which another agent works on a task that was handed on.",
    delegator: "An agent that handed the task of a conversation on; approvals name the delegators, nearest first.",
  },
  endpoints: delegationEndpoints,
  origins: ["delegate"],
  audit: {
    "delegation_settings.updated": "Delegation settings updated",
  },
});

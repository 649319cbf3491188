import { z } from "zod";
import { Id } from "../common";

/** Roles that decide approvals. */
export const approverRoles = ["owner", "admin", "approver"] as const;

const people = {
  roles: z.array(z.enum(approverRoles)).max(3).default([]).describe("People with one of these roles."),
  users: z.array(Id).max(50).default([]).describe("People by their ids, beside those with the roles."),
};

const Escalation = z
  .strictObject({
    afterSeconds: z
      .number()
      .int()
      .min(10)
      .max(7 * 24 * 3_600),
    ...people,
  })
  .refine(({ roles, users }) => roles.length + users.length > 0, "name a role or a person who may decide then");

/** Eligibility for the approvals that a rule asks for. */
export const RuleApprovers = z.strictObject({
  ...people,
  quorum: z
    .number()
    .int()
    .min(1)
    .max(10)
    .default(1)
    .describe("So many different people have to approve, each once, as a user or with API keys; one rejection is enough."),
  escalation: Escalation.nullable().default(null).describe("After this time these people may decide too."),
});
export type RuleApprovers = z.infer<typeof RuleApprovers>;

export const requesterMayDecide = ["always", "not_critical", "never"] as const;
export type RequesterMayDecide = (typeof requesterMayDecide)[number];

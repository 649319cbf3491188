import { type GrantMatch, type GrantReach, type GrantScope, grantScopes } from "@/contracts/guard/grants";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { GuardContext } from "../call/guard-request";
import { anyHost, hostsReached } from "../effects/hosts-reached";
import { wantedOpenings } from "../effects/openings";
import { compileRule, computeDigest } from "../matching/compile-rule";
import { evaluateRule } from "../matching/evaluate-rule";
import { type CompiledGrant, type CompiledGrants, type GrantContent, noGrants } from "./compiled-grants";

export function compileGrants(contents: readonly GrantContent[]): CompiledGrants {
  if (contents.length === 0) return noGrants;
  const byKey = new Map<string, CompiledGrant[]>();
  // Ids are UUIDv7, so sorting by id puts the newest grant first.
  for (const content of contents.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
    const key = keyOf(content.tool, content.scope, content.scopeId);
    const known = byKey.get(key);
    if (known) known.push(compileGrant(content));
    else byKey.set(key, [compileGrant(content)]);
  }
  return {
    candidatesFor: (tool, context) =>
      grantScopes.flatMap((scope) => {
        const id = scopeIdIn(context, scope);
        return id === undefined ? [] : (byKey.get(keyOf(tool, scope, id)) ?? []);
      }),
  };
}

const keyOf = (tool: string, scope: GrantScope, scopeId: string | null) => `${tool} ${scope} ${scopeId ?? ""}`;

/** Returns the id of a call's conversation, repository, agent or user; undefined when it is unknown. */
function scopeIdIn({ conversationId, agent, actor, machine }: GuardContext, scope: GrantScope): string | null | undefined {
  switch (scope) {
    case "conversation":
      return conversationId;
    case "repository":
      return machine?.repository ?? undefined;
    case "agent":
      return agent?.id;
    case "user":
      return actor?.id;
    case "workspace":
      return null;
  }
}

export function compileGrant({ match, ...content }: GrantContent): CompiledGrant {
  return {
    ...content,
    kind: match.kind,
    tryOn: match.kind === "exact" ? exactly("digest" in match ? match.digest : computeDigest(match.arguments)) : byPattern(content, match),
  };
}

function exactly(granted: string): CompiledGrant["tryOn"] {
  return (call) =>
    computeDigest(call.arguments) === granted
      ? { result: "matched", why: () => "The arguments are exactly those that were approved in advance." }
      : { result: "not_matched", why: () => "The arguments are not those that were approved in advance." };
}

/**
 * Compiles a pattern like that of an allow rule: it must match every command of a script, and in doubt the grant does
 * not cover the call.
 */
function byPattern(
  { id, tool }: Pick<GrantContent, "id" | "tool">,
  { parameter, pattern, reach }: Extract<GrantMatch, { kind: "pattern" }>,
): CompiledGrant["tryOn"] {
  const rule = compileRule({
    id,
    name: `Grant for ${tool}`,
    tool,
    parameter,
    pattern,
    excludePattern: null,
    comparisons: [],
    context: null,
    verdict: "allow",
    priority: 0,
    enabled: true,
    reason: "",
    expiresAt: null,
    relaxes: [],
    approvers: null,
  });
  if (reach === undefined) return (call, now) => evaluateRule(rule, call, now);
  return (call, now) => {
    const tried = evaluateRule(rule, call, now);
    if (tried.result !== "matched") return tried;
    const why = whyBeyond(reach, call.effects);
    return why === null ? tried : { result: "not_matched", why: () => why };
  };
}

/** Returns why a call reaches more than a grant allows; null when it does not. */
function whyBeyond({ hosts, machine }: GrantReach, effects: AnalyzedCall["effects"]): string | null {
  if (!machine && wantedOpenings(effects).host) return "The call needs the machine, and the grant was made for calls that do not.";
  const stray = hostsReached(effects).find((host) => !hosts.includes(host));
  if (stray === undefined) return null;
  const reached = stray === anyHost ? "a host that it does not name" : stray;
  return `The call reaches ${reached}, and the grant holds for ${hosts.filter((host) => host !== anyHost).join(", ") || "no named host"}.`;
}

/** Names a grant in a trace: "Grant of Ann for this conversation". */
export function describeGrant({ scope, grantedBy }: Pick<GrantContent, "scope" | "grantedBy">): string {
  const whom: Record<GrantScope, string> = {
    conversation: "this conversation",
    repository: "this repository",
    agent: "this agent",
    user: "this requester",
    workspace: "the workspace",
  };
  return `Grant of ${grantedBy.name} for ${whom[scope]}`;
}

import type { Decision, Verdict } from "@/contracts/decisions/decision";
import type { Effect } from "@/contracts/decisions/effects";
import type { AnalyzedCall } from "./call/analyzed-call";
import type { Policy } from "./compile-policy";
import { describeEffect } from "./effects/describe-effect";
import { actsInProduct, onlyReads, reachesAllowedHost, staysInProject, staysInSandbox } from "./effects/effect-boundaries";
import { computeDigest } from "./matching/compile-rule";

/** The verdict of a rule, of the default policy or of a finding, with its reason. */
export type VerdictWithReason = Pick<Decision, "verdict" | "reason" | "ruleId" | "ruleDigest">;

/** Decides a call that no rule matches. */
export function defaultVerdict(policy: Policy, call: AnalyzedCall): VerdictWithReason {
  const { defaultPolicy } = policy.config;
  switch (defaultPolicy) {
    case "allow":
      return fixedVerdict("allow", "No rule matched. Default: allow.", defaultPolicy);
    case "deny":
      return fixedVerdict("deny", "No rule matched. Default: deny.", defaultPolicy);
    case "require_approval":
      return fixedVerdict("require_approval", "No rule matched. Default: approval.", defaultPolicy);
    case "by_effect":
      return hasDeclaredEffects(call) ? byEffects(policy, call) : byToolEffect(call);
  }
}

/** Builds a verdict that does not depend on the call, so its digest is the same each time. */
export function fixedVerdict(verdict: Verdict, reason: string, ...content: string[]): VerdictWithReason {
  const key = content.join(" ");
  const ruleDigest = digests.get(key) ?? computeDigest(content);
  digests.set(key, ruleDigest);
  return { verdict, reason, ruleId: null, ruleDigest };
}

/** Cache of digests: most calls are decided by one of a handful of fixed verdicts. */
const digests = new Map<string, string>();

/**
 * Returns whether the effects of the call decide, and not the effect of the tool. An admin's effect override makes the
 * tool's effect decide, except that `read` never lets a shell command pass unread.
 */
function hasDeclaredEffects({ shell, tool }: AnalyzedCall): boolean {
  if (tool.effectOverride) return shell !== null && tool.effectOverride === "read";
  return shell !== null || tool.effects !== undefined;
}

/** Returns the effects for which the default policy asks; `everything` when it asks about the call as a whole. */
export function effectsAskedByDefault(policy: Policy, call: AnalyzedCall): "everything" | readonly Effect[] {
  const { defaultPolicy } = policy.config;
  if (defaultPolicy === "allow") return [];
  if (defaultPolicy !== "by_effect" || !hasDeclaredEffects(call)) return "everything";
  const passes = passesByEffect(policy, call);
  return call.effects.filter((effect) => !passes(effect));
}

function passesByEffect({ allowedHosts }: Policy, { shell, context, arguments: args }: AnalyzedCall): (effect: Effect) => boolean {
  const isSandboxed = context.sandboxed === true;
  if (context.machine) return (effect) => staysInProject(effect, allowedHosts) || actsInProduct(effect);
  // Without the sandbox the kernel confines nothing, so only reads pass. File tools confine themselves to the folder.
  const stays = isSandboxed ? (effect: Effect) => staysInSandbox(effect, allowedHosts) : onlyReads;
  // A built-in tool connects only to the host in its URL, but a program needs the sandbox for that guarantee.
  // An empty pointer: the host belongs to the tool, and no argument names it.
  const urlOf = ({ evidence, target }: Effect) =>
    evidence.argument === "" ? `https://${target.host}` : String(args[evidence.argument.slice(1)]);
  return shell
    ? stays
    : (effect: Effect) => stays(effect) || actsInProduct(effect) || reachesAllowedHost(effect, urlOf(effect), allowedHosts);
}

function byEffects(policy: Policy, call: AnalyzedCall): VerdictWithReason {
  const { effects, shell, context, tool, leavesSandbox } = call;
  const passes = passesByEffect(policy, call);
  const first = effects.find((effect) => !passes(effect));
  if (!first) {
    const how = context.machine && !effects.every(onlyReads) ? "stays in the project" : howItPasses(effects, shell !== null);
    return fixedVerdict("allow", `No rule matched. This call of ${tool.name} ${how}.`, "by_effect", how);
  }
  const wanting = effects.filter((effect) => !passes(effect));
  const more = wanting.length > 1 ? `, and ${wanting.length - 1} more` : "";
  const where = leavesSandbox || (context.sandboxed === true && shell) ? "leaves the sandbox: it " : "";
  const reason = `No rule matched. This call ${where}${describeEffect(first)}${more}.`;
  // The digest covers the targets: an approval does not hold after a link's target changes.
  const asked = wanting.map(({ kind, target }) => [kind, target]);
  return { verdict: "require_approval", reason, ruleId: null, ruleDigest: computeDigest(["by_effect", asked]) };
}

/** Says why nobody is asked, as the end of a sentence that begins with "This call". */
function howItPasses(effects: readonly Effect[], isShell: boolean): string {
  const hosts = effects.filter(({ kind, target }) => kind === "connect" || kind === "send" || target.host !== undefined);
  const reaching = hosts.filter(({ target }) => target.where !== "inside");
  const isPublicRead = reaching.every((effect) => effect.kind === "read" && onlyReads(effect));
  const acts = effects.filter(actsInProduct).map(describeEffect);
  const rest = effects.filter((effect) => !hosts.includes(effect) && !actsInProduct(effect));
  const parts = [
    ...new Set(acts),
    ...(isShell && !effects.every(onlyReads) ? ["stays in the sandbox"] : []),
    ...(!isShell && !rest.every(onlyReads) ? ["stays in its folder"] : []),
    ...(!isShell && hosts.length > reaching.length ? ["reaches only servers in this conversation's sandbox"] : []),
    ...(reaching.length === 0 ? [] : [isPublicRead ? reaching.map(describeEffect)[0] : "reaches only hosts that an admin allowed"]),
  ];
  return parts.length === 0 ? "only reads" : parts.join(", and ");
}

/** Decides by the tool's declared effect, for tools that do not declare the effects of a call. */
function byToolEffect({ tool: { effect } }: AnalyzedCall): VerdictWithReason {
  return effect === "read"
    ? fixedVerdict("allow", "No rule matched. Default: tools that only read are allowed.", "by_effect", effect)
    : fixedVerdict(
        "require_approval",
        `No rule matched. Default: approval for tools that ${effect === "destroy" ? "change or destroy things" : "change things"}.`,
        "by_effect",
        effect,
      );
}

import "server-only";
import { isIP } from "node:net";
import path from "node:path";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { Refusal } from "@/contracts/guard/refusals";
import type { RegistryRoute } from "@/server/capabilities/package-registries/registry-routes";
import type { Classify, FileKind } from "@/server/capabilities/sandbox/inspect-folder";
import { callNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import type { ProxyEvent } from "@/server/capabilities/sandbox/network/host-proxy";
import type { Openings } from "@/server/capabilities/sandbox/openings";
import type { WorkspaceShellOptions } from "@/server/capabilities/shell/workspace-shell";
import { gapDetector } from "@/server/guard/detectors/sandbox-gap";
import { wantedOpenings } from "@/server/guard/effects/openings";
import { privateEndpoints } from "@/server/guard/hosts/private-endpoints";
import { isAutoExecuted } from "@/server/guard/paths/auto-executed-paths";
import { sensitiveClass } from "@/server/guard/paths/sensitive-path";
import { isOfPeople } from "@/server/guard/refusals/repeated-refusal";
import { env } from "@/server/platform/env";
import type { Policy } from "@/server/policy/policy";
import type { TurnContext } from "../turn-context";
import { repeatedRefusals, withUnsavedRefusals } from "./remember-refusals";

/** The classifying function of each policy: always the same one, because listings of folders are cached for it. */
const classifiers = new WeakMap<Policy["sensitivePaths"], Classify>();

/** Returns the function that classifies files of the folder for the guard and the sandbox, under a policy. */
export function fileKinds({ sensitivePaths }: Pick<Policy, "sensitivePaths">): Classify {
  const classify = classifiers.get(sensitivePaths) ?? classifierOf(sensitivePaths);
  classifiers.set(sensitivePaths, classify);
  return classify;
}

function classifierOf(sensitivePaths: Policy["sensitivePaths"]): Classify {
  return (relativePath): FileKind => {
    // git reads its settings at each command, so files in `.git` stay readable; the auto-executed ones are read-only in the sandbox.
    const [, inGit] = /(?:^|\/)\.git(\/|$)/.exec(relativePath) ?? [];
    // `.git` itself has no class, because git works in it.
    if (inGit === "") return null;
    const isSensitive = inGit === undefined && sensitiveClass(relativePath, sensitivePaths) !== null;
    if (isAutoExecuted(relativePath)) return isSensitive ? "sensitive_and_runs_by_itself" : "runs_by_itself";
    return isSensitive ? "sensitive" : null;
  };
}

/** Returns the openings of the sandbox for a call that its decision allowed or a person approved. */
export function openingsFor(
  { policy, folder, conversation }: Pick<TurnContext, "policy" | "folder" | "conversation">,
  decision: Decision,
): Openings {
  const { effects = [], findings, runsOutside } = decision;
  const { hosts, readable, writable, uncovered } = wantedOpenings(effects);
  const absolute = (written: string) => path.resolve(folder, written);
  return {
    hosts: [...new Set([...hosts.map(bracketed), ...policy.config.allowedHosts])],
    readable: readable.map(absolute),
    writable: writable.map(absolute),
    uncovered,
    refused: policy.config.enabled ? refusedTargets(withUnsavedRefusals(conversation.id, conversation.refusals ?? []), decision) : [],
    // Decided as a call without a sandbox; effects alone open the machine to nobody.
    host: runsOutside !== undefined,
    // An admin who switched the detector off accepts the gap.
    unprotected: policy.config.detectors[gapDetector]?.enabled === false || findings.some(({ detector }) => detector === gapDetector),
  };
}

/** Returns the paths that refusals of the conversation hold, without those that the call was allowed to repeat. */
function refusedTargets(refusals: readonly Refusal[], decision: Decision): string[] {
  const lifted = new Set(repeatedRefusals(decision));
  const held = refusals.filter((refusal) => isOfPeople(refusal) && !lifted.has(refusal.callId)).flatMap(({ touches }) => touches);
  return [...new Set(held.filter(({ act }) => act === "change").map(({ target }) => target))];
}

/** Returns the hosts that an admin listed with a port; only these may have private addresses. */
export function privateHosts({ config }: Pick<Policy, "config">): readonly string[] {
  return config.allowedHosts.filter((host) => /:\d+$/.test(host));
}

/** Effects name an IPv6 address without brackets where no port follows; lists of hosts need them. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

const privateDetectors: ReadonlySet<string> = new Set(["network.private", "network.rebinding"]);

/**
 * Returns the private hosts that the decision about a call opened for it: those that the call names, where a person, a
 * grant or an admin's setting let exactly that pass. Without a finding and a question nobody looked at the address.
 */
export function approvedHosts(
  { config }: Pick<Policy, "config">,
  { decision, arguments: args }: { decision: Decision; arguments: JsonObject },
): readonly string[] {
  const { verdict, grantId, findings, effects = [] } = decision;
  const isLookedAt =
    verdict === "require_approval" || grantId !== undefined || findings.some(({ detector }) => privateDetectors.has(detector));
  return config.enabled && isLookedAt ? privateEndpoints(effects, args) : [];
}

type NetworkOptions = {
  /** Returns the workspace's own registries of packages. */
  registries?: () => Promise<readonly RegistryRoute[]>;
  /** Receives every connection that a program requests from the proxy. */
  onConnection?: (event: ProxyEvent) => void;
  /** Private hosts that the call's decision opened. */
  approved?: readonly string[];
};

/**
 * Returns the network of a conversation. Its proxy also reaches the private hosts that an admin or the operator listed,
 * and leads to the workspace's own registries of packages.
 */
export function networkFor(
  policy: Pick<Policy, "config">,
  { registries = async () => [], onConnection = () => {}, approved = [] }: NetworkOptions = {},
): NonNullable<WorkspaceShellOptions["network"]> {
  const listed = [...privateHosts(policy), ...env().sandbox.privateHosts, ...approved];
  return async (conversationId, { isNeeded }) => {
    const network = await callNetwork(conversationId, { isNeeded });
    // `*` stands for a host that is known only when the command runs; a person has seen and approved the call.
    if (!network) return null;
    return {
      enter: network.enter,
      proxy: async (hosts) => {
        const options = { privateHosts: listed, onConnection, registries: await registries() };
        return network.proxy(hosts.includes("*") ? "any" : hosts, options);
      },
    };
  };
}

import type { RepositoryPolicy } from "@/server/guard/call/guard-request";
import { readPolicyFile } from "./read-policy-file";

/** Longest policy file of a repository, in bytes. */
export const maxRepositoryPolicyBytes = 65_536;

/** Most rules of a policy file of a repository, because each call of its clients is tried on them. */
const maxRules = 200;

/** Reads the text of a repository's `.handrail.yaml`: a policy file whose rules only ask and deny. */
export function readRepositoryPolicy(text: string, readAt: Date): RepositoryPolicy {
  const read = readPolicyFile(text, readAt);
  if ("mistake" in read) {
    const { message, line } = read.mistake;
    return unusable(line === null ? message : `line ${line}, ${message}`);
  }
  const { rules } = read.file;
  if (rules.length > maxRules) return unusable(`it has more than ${maxRules} rules`);
  for (const { name, verdict, relaxes, approvers } of rules) {
    if (verdict === "allow") return unusable(`the rule "${name}" allows: rules of a repository can only ask (require_approval) or deny`);
    if (relaxes.length > 0) return unusable(`the rule "${name}" relaxes detectors, which only rules of the workspace can do`);
    if (approvers !== null) return unusable(`the rule "${name}" names approvers, which only rules of the workspace can do`);
  }
  return { rules, mistake: null };
}

/** Returns the policy of a file that cannot be used. */
export const unusable = (why: string): RepositoryPolicy => ({
  rules: [],
  mistake: `.handrail.yaml of the repository cannot be used: ${why}.`,
});

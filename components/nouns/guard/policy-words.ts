import type { GuardConfig } from "@/contracts/guard/guard";

type DefaultPolicy = GuardConfig["defaultPolicy"];

type PolicyWords = { label: string; meaning: string };

const byEffect = {
  withSandbox: {
    label: "Allow sandboxed calls, ask for the rest",
    meaning: "Ask when a call leaves the sandbox or deletes files it did not create.",
  },
  withoutSandbox: { label: "Allow reads, ask for the rest", meaning: "Calls that only read run. Every other call needs approval." },
};

const otherWords: Record<Exclude<DefaultPolicy, "by_effect">, PolicyWords> = {
  require_approval: { label: "Ask a person", meaning: "Every call needs approval, reads too." },
  deny: { label: "Deny", meaning: "Only calls that a rule allows run." },
  allow: { label: "Allow", meaning: "Every call runs, except where a rule denies or asks." },
};

/** Describes the effect of a default policy. `by_effect` allows more while the sandbox is on. */
export function policyWords(policy: DefaultPolicy, isSandboxOn: boolean): PolicyWords {
  if (policy !== "by_effect") return otherWords[policy];
  return isSandboxOn ? byEffect.withSandbox : byEffect.withoutSandbox;
}

export const approvalTimes: readonly { seconds: number; label: string }[] = [
  { seconds: 60, label: "1 minute" },
  { seconds: 5 * 60, label: "5 minutes" },
  { seconds: 15 * 60, label: "15 minutes" },
  { seconds: 30 * 60, label: "30 minutes" },
  { seconds: 3_600, label: "1 hour" },
  { seconds: 4 * 3_600, label: "4 hours" },
  { seconds: 24 * 3_600, label: "1 day" },
  { seconds: 3 * 24 * 3_600, label: "3 days" },
  { seconds: 7 * 24 * 3_600, label: "7 days" },
];

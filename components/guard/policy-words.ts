import type { GuardConfig } from "@/contracts/guard";

type DefaultPolicy = GuardConfig["defaultPolicy"];

/** The default policies, each with what it means for a call that no rule is about. */
export const policyWords: Record<DefaultPolicy, { label: string; meaning: string }> = {
  by_effect: { label: "Reads pass, the rest asks", meaning: "A tool that only reads runs. Every other call waits for a person." },
  require_approval: { label: "Ask a person", meaning: "Every call waits for a person, reads too." },
  deny: { label: "Deny", meaning: "The call does not run, and the model is told so. Only what a rule allows happens." },
  allow: { label: "Allow", meaning: "Every call runs. Only what a rule denies or asks about is held back." },
};

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

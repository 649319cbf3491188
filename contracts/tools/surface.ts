import { z } from "zod";

/** Words in a tool's name which say that the tool moves or commits something of value. */
export const defaultEscalatePatterns = [
  "send",
  "transfer",
  "swap",
  "approve",
  "deploy",
  "settle",
  "fund",
  "mint",
  "withdraw",
  "stake",
  "invoke",
  "bridge",
] as const;

export const EscalatePatterns = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(64)
      .regex(/[\p{L}\p{N}]/u, "write a word, or several that follow each other in a name"),
  )
  .max(200)
  .describe(
    "Words of a tool's own name (`send_payment`, `SendPayment` have the word `send`; `resend_status` has not). With a delegate connected, a tool that has one is reached through the delegate only; without one, its calls need approval. A list that is not the default one replaces it and always hides.",
  );

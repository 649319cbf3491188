import { inspectDefinition } from "@/server/tools/definitions/inspect-definition";
import type { ServerInstructions } from "@/server/tools/pins/pin-instructions";
import { cleanText } from "../text/clean-text";

const maxCharacters = 4_000;

/** Cleans and cuts a server's instructions for models, and inspects the text as it was sent; null without any. */
export function readInstructions(sent: string | undefined): ServerInstructions | null {
  const text = cleanText(sent ?? "", maxCharacters);
  if (text === "") return null;
  const findings = inspectDefinition({ name: "", description: sent });
  return { text, findings: findings.map((finding) => ({ ...finding, place: "instructions" })) };
}

import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { ContentPart } from "@/contracts/turns";
import type { Db } from "@/db/client";
import { storeArtifact } from "@/server/conversations/artifacts";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { storableObject, storableText } from "@/server/platform/storable";
import { boundText } from "@/server/tools/bound-text";
import type { Outcome } from "./outcome";
import type { CallRow, TurnRow } from "./present-turn";

const maxCharsPerResult = 8_000;
const maxCharsPerTurn = 32_000;
/** What a result gets even when the turn has used up its room: enough to say what happened and where the rest is. */
export const minCharsPerResult = 600;

export type StoredResult = {
  content: string;
  structuredContent: JsonObject | null;
  parts: ContentPart[] | null;
  truncated: { originalChars: number; artifactId: string } | null;
};

type Result = { turn: TurnRow; call: CallRow; outcome: Outcome /** Characters that the turn's other results take. */; charsTaken: number };

/**
 * Turns an outcome into what the model sees: within 8,000 characters a result and 32,000 a turn, what does not fit kept as
 * an artifact, and so are parts that are not text. Sizes follow design.md, "Execution".
 */
export async function storeResult(tx: Db, { turn, call, outcome, charsTaken }: Result): Promise<StoredResult> {
  const owner = { workspaceId: turn.workspaceId, conversationId: turn.conversationId, callId: call.id };
  const parts: ContentPart[] = [];
  for (const file of outcome.files ?? []) {
    const artifact = await storeArtifact(tx, { ...owner, ...file });
    parts.push({ type: "artifact", artifactId: artifact.id, mediaType: artifact.mediaType, bytes: artifact.bytes });
  }
  const structuredContent = await storeStructure(tx, owner, call, outcome, parts);
  const text = storableText(outcome.text);
  const room = Math.max(minCharsPerResult, Math.min(maxCharsPerResult, maxCharsPerTurn - charsTaken));
  if (outcome.neverSpilled || text.length <= room)
    return { content: text, structuredContent, parts: withText(text, parts), truncated: null };
  const whole = await storeArtifact(tx, {
    ...owner,
    name: `${call.name}.txt`,
    mediaType: "text/plain; charset=utf-8",
    bytes: Buffer.from(text),
  });
  const content = boundText(text, { maxChars: room, artifactId: whole.id });
  return { content, structuredContent, parts: withText(content, parts), truncated: { originalChars: text.length, artifactId: whole.id } };
}

type Owner = { workspaceId: string; conversationId: string; callId: string };

/** Structured content goes along as it is while it is as small as a result may be; else whole, as an artifact. */
async function storeStructure(tx: Db, owner: Owner, call: CallRow, outcome: Outcome, parts: ContentPart[]): Promise<JsonObject | null> {
  const { structuredContent } = outcome;
  if (!structuredContent) return null;
  const json = JSON.stringify(structuredContent);
  if (json.length <= maxCharsPerResult && shapeOf(structuredContent).depth <= maxArgumentDepth) return storableObject(structuredContent);
  const whole = await storeArtifact(tx, { ...owner, name: `${call.name}.json`, mediaType: "application/json", bytes: Buffer.from(json) });
  parts.push({ type: "artifact", artifactId: whole.id, mediaType: whole.mediaType, bytes: whole.bytes });
  return null;
}

/** Parts are told apart only where there is more than the text. */
function withText(text: string, parts: ContentPart[]): ContentPart[] | null {
  return parts.length > 0 ? [{ type: "text", text }, ...parts] : null;
}

import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { ContentPart } from "@/contracts/turns";
import { blobs } from "@/server/capabilities/blobs";
import { newId } from "@/server/platform/ids";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { log } from "@/server/platform/log";
import { storableObject, storableText } from "@/server/platform/storable";
import { boundText } from "@/server/tools/bound-text";
import { type ImageCost, imageCost } from "@/server/tools/image-tokens";
import { isFinal, type LiveTurn, type NewArtifact } from "./live-turn";
import type { Outcome } from "./outcome";
import type { CallRow } from "./present-turn";

const maxCharsPerResult = 8_000;
const maxCharsPerTurn = 32_000;
/** What a result gets even when the turn has used up its room: enough to say what happened and where the rest is. */
const minCharsPerResult = 600;

export type BoundResult = {
  content: string;
  structuredContent: JsonObject | null;
  parts: ContentPart[] | null;
  truncated: { originalChars: number; artifactId: string } | null;
  /** Rows of what was kept beside; their bytes are in the blob store already. */
  artifacts: NewArtifact[];
};

/** Whose result it is: where its artifacts belong and what they are called. */
export type ResultOwner = { workspaceId: string; conversationId: string; callId: string; toolName: string };

/** Characters that one call's result may take now, given what the turn's others take. */
export function roomFor(live: LiveTurn, call: CallRow): number {
  let taken = 0;
  for (const other of live.calls) {
    if (other === call) continue;
    // What is not there yet will get this much at least.
    taken += isFinal(other) ? other.content.length : (live.reserved.get(other.id) ?? minCharsPerResult);
  }
  return Math.max(minCharsPerResult, Math.min(maxCharsPerResult, maxCharsPerTurn - taken));
}

/**
 * Turns an outcome into what the model sees: within 8,000 characters a result and 32,000 a turn, what does not fit kept as
 * an artifact, and so are parts that are not text. Sizes follow design.md, "Execution". When bytes cannot be kept, the
 * model gets the beginning and the end all the same.
 * @param room characters that the text may take
 */
export async function boundResult(owner: ResultOwner, outcome: Outcome, room: number = maxCharsPerResult): Promise<BoundResult> {
  const text = storableText(outcome.text);
  const lost: string[] = [];
  const isCut = !outcome.neverSpilled && text.length > room;
  const result: BoundResult = { content: "", structuredContent: null, parts: null, truncated: null, artifacts: [] };
  const parts: ContentPart[] = [];
  const keep = async (file: { name: string; mediaType: string; bytes: Uint8Array }): Promise<NewArtifact | null> => {
    const artifact = await keepBytes(owner, file);
    if (artifact) result.artifacts.push(artifact);
    else lost.push(file.name);
    return artifact;
  };
  const addPart = ({ id, mediaType, bytes }: NewArtifact, image: ImageCost | null = null) =>
    parts.push({ type: "artifact", artifactId: id, mediaType, bytes, ...(image ? { image } : {}) });

  for (const file of outcome.files ?? []) {
    const artifact = await keep(file);
    if (artifact) addPart(artifact, imageCost(file.bytes));
  }
  const { structuredContent } = outcome;
  if (structuredContent) {
    const json = JSON.stringify(structuredContent);
    if (json.length <= maxCharsPerResult && shapeOf(structuredContent).depth <= maxArgumentDepth) {
      result.structuredContent = storableObject(structuredContent);
    } else {
      const whole = await keep({ name: `${owner.toolName}.json`, mediaType: "application/json", bytes: Buffer.from(json) });
      if (whole) addPart(whole);
    }
  }
  if (!isCut) {
    result.content = text;
  } else {
    const whole = await keep({ name: `${owner.toolName}.txt`, mediaType: "text/plain; charset=utf-8", bytes: Buffer.from(text) });
    result.content = boundText(text, { maxChars: room, artifactId: whole?.id ?? null });
    if (whole) result.truncated = { originalChars: text.length, artifactId: whole.id };
  }
  if (lost.length > 0) result.content += `\n[${lost.join(", ")} could not be kept: the store of artifacts does not take it]`;
  // Parts are told apart only where there is more than the text.
  if (parts.length > 0) result.parts = [{ type: "text", text: result.content }, ...parts];
  return result;
}

/** Puts bytes into the blob store before the row that names them is written; null when the store does not take them. */
async function keepBytes(
  { workspaceId, conversationId, callId }: ResultOwner,
  { name, mediaType, bytes }: { name: string; mediaType: string; bytes: Uint8Array },
): Promise<NewArtifact | null> {
  try {
    const stored = await blobs().put(bytes);
    return { id: newId(), workspaceId, conversationId, callId, name, mediaType, bytes: stored.bytes, sha256: stored.sha256 };
  } catch (error) {
    log().error({ err: error, callId }, "what a call produced could not be kept");
    return null;
  }
}

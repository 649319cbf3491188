import "server-only";
import type { ResultBlock } from "@/contracts/calls/content-part";
import type { JsonObject } from "@/contracts/common";
import type { ContentPart } from "@/contracts/turns/turns";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { storableObject, storableText } from "@/server/platform/database/storable";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { type ResultFile, resourceText } from "@/server/tools/define-tool";
import { boundText } from "@/server/tools/results/bound-text";
import { type ImageCost, imageCost } from "@/server/tools/results/image-tokens";
import { isFinal, type LiveTurn, type NewArtifact } from "./live-turn";
import type { Outcome } from "./outcome";
import type { CallRow } from "./read/present-turn";
import { defaultLimits } from "./result-limits";

/** Room of a result when the turn's limit is used up: enough to say what happened and where the whole text is. */
const minCharsPerResult = 600;
/** Structured content beyond this length becomes an artifact, where programs fetch it. */
const maxStructuredChars = 8_000;
const maxNamedFiles = 10;

export type BoundResult = {
  content: string;
  structuredContent: JsonObject | null;
  parts: ContentPart[] | null;
  truncated: { originalChars: number; artifactId: string } | null;
  /** Rows of the result's artifacts, whose bytes are already in the blob store. */
  artifacts: NewArtifact[];
};

/** The call to which a result and its artifacts belong; `toolName` names the artifacts. */
export type ResultOwner = { workspaceId: string; conversationId: string; callId: string; toolName: string };

/** Computes how many characters a call's result may take now, beside the other results of its turn. */
export function roomFor(live: LiveTurn, call: CallRow, { maxCharsPerResult, maxCharsPerTurn } = defaultLimits): number {
  let taken = 0;
  for (const other of live.calls) {
    if (other === call) continue;
    // Calls without a result yet count with their reservation, or with the minimum that every result gets.
    taken += isFinal(other) ? other.content.length : (live.reserved.get(other.id) ?? minCharsPerResult);
  }
  return Math.max(minCharsPerResult, Math.min(maxCharsPerResult, maxCharsPerTurn - taken));
}

/**
 * Converts an outcome to the result that the model reads, within `room`. The whole text of a cut result and parts that
 * are not text become artifacts. When an artifact cannot be stored, the model still gets the beginning and the end.
 * @param room characters that the text may take
 */
export async function boundResult(
  owner: ResultOwner,
  outcome: Outcome,
  room: number = (outcome.limits ?? defaultLimits).maxCharsPerResult,
): Promise<BoundResult> {
  const note = maskNote(outcome);
  const text = storableText(outcome.text + note);
  const lost: string[] = [];
  const isCut = !outcome.neverSpilled && text.length > room;
  const result: BoundResult = { content: "", structuredContent: null, parts: null, truncated: null, artifacts: [] };
  const parts: ContentPart[] = [];
  /** Places in `parts` of what blocks stand for. */
  const placed: Placed = { files: new Map(), resources: new Map(), links: new Map() };
  const named: string[] = [];
  const keep = async (file: ResultFile): Promise<NewArtifact | null> => {
    const artifact = await keepBytes(owner, file);
    if (artifact) result.artifacts.push(artifact);
    else lost.push(file.name);
    return artifact;
  };
  const addPart = ({ id, mediaType, bytes }: NewArtifact, about: { image?: ImageCost; uri?: string; isStructuredContent?: true } = {}) =>
    parts.push({ type: "artifact", artifactId: id, mediaType, bytes, ...about });

  for (const [at, file] of (outcome.files ?? []).entries()) {
    const artifact = await keep(file);
    if (artifact) placed.files.set(at, parts.length);
    const image = imageCost(file.bytes);
    // A picture is shown and a resource has its address; any other file needs a name by which tools read it.
    if (artifact && !image && !file.uri) named.push(`${artifact.name} is artifact:${artifact.id}`);
    if (artifact) addPart(artifact, { ...(image ? { image } : {}), ...(file.uri ? { uri: storableText(file.uri) } : {}) });
  }
  const { structuredContent } = outcome;
  if (structuredContent) {
    const json = JSON.stringify(structuredContent);
    if (json.length <= maxStructuredChars && inspectJson(structuredContent).depth <= maxArgumentDepth) {
      result.structuredContent = storableObject(structuredContent);
    } else {
      const whole = await keep({ name: `${owner.toolName}.json`, mediaType: "application/json", bytes: Buffer.from(json) });
      if (whole) addPart(whole, { isStructuredContent: true });
    }
  }
  if (!isCut) {
    result.content = text;
  } else {
    const whole = await keep({ name: `${owner.toolName}.txt`, mediaType: "text/plain; charset=utf-8", bytes: Buffer.from(text) });
    result.content = boundText(text, {
      maxChars: room,
      artifactId: whole?.id ?? null,
      readTool: outcome.limits?.readTool ?? null,
      ...(outcome.sections?.join("") === outcome.text ? { sections: [...outcome.sections, note].map(storableText) } : {}),
    });
    if (whole) result.truncated = { originalChars: text.length, artifactId: whole.id };
  }
  const keepPart = (of: keyof Placed, at: number, part: ContentPart) => {
    placed[of].set(at, parts.length);
    parts.push(part);
  };
  if (!isCut) for (const [at, part] of resourcesIn(result.content, outcome.resources)) keepPart("resources", at, part);
  for (const [at, part] of linksIn(result.content, outcome.links)) keepPart("links", at, part);
  const blocks = placeBlocks(result.content, outcome.blocks, placed);
  if (named.length > 0) {
    result.content += `\n[${named.slice(0, maxNamedFiles).map(storableText).join(", ")}${named.length > maxNamedFiles ? ` and ${named.length - maxNamedFiles} more` : ""}]`;
  }
  if (lost.length > 0) result.content += `\n[${lost.join(", ")} could not be kept: the store of artifacts does not take it]`;
  const meta = outcome.meta ? { meta: storableObject(outcome.meta) } : {};
  // A result without artifacts, blocks and `_meta` needs no parts, because its text is everything.
  if (parts.length > 0 || blocks.length > 0 || outcome.meta) {
    const layout = { ...(blocks.length > 0 ? { blocks } : {}), ...meta };
    result.parts = [{ type: "text", text: result.content, ...layout }, ...parts];
  }
  return result;
}

/** Returns the embedded texts that the result still holds as they were, because a hook may have changed them. */
function resourcesIn(content: string, resources: Outcome["resources"] = []): [number, ContentPart][] {
  return resources.flatMap(({ uri, mediaType, text }, at) => {
    const part = { type: "resource" as const, uri: storableText(uri), mediaType, text: storableText(text) };
    return content.includes(resourceText(part)) ? [[at, part]] : [];
  });
}

/** Returns the links whose addresses the result still names, because a hook or the limit may have taken some out. */
function linksIn(content: string, links: Outcome["links"] = []): [number, ContentPart][] {
  return links.flatMap((link, at) => {
    const part = { type: "resource_link" as const, ...(storableObject(link) as typeof link) };
    return content.includes(part.uri) ? [[at, part]] : [];
  });
}

type Placed = Record<"files" | "resources" | "links", Map<number, number>>;

/** Finds the blocks in the result. A block that a hook, a mask or the limit has changed is left out: its words stay in the text. */
function placeBlocks(content: string, blocks: Outcome["blocks"] = [], placed: Placed): ResultBlock[] {
  let from = 0;
  return blocks.flatMap(({ written, part, annotations, meta }) => {
    const text = storableText(written);
    const start = content.indexOf(text, from);
    const place = part && placed[part.of].get(part.at);
    if (start < 0 || (part && place === undefined)) return [];
    from = start + text.length;
    return [
      {
        start,
        end: from,
        // The text itself is the first part.
        ...(place === undefined ? {} : { part: place + 1 }),
        ...(annotations ? { annotations: storableObject(annotations) } : {}),
        ...(meta ? { meta: storableObject(meta) } : {}),
      },
    ];
  });
}

/** Returns a note that secrets were masked, or nothing for JSON, which a program may parse. */
function maskNote({ text, maskedSecrets = 0 }: Outcome): string {
  if (maskedSecrets === 0 || /^\s*[[{]/.test(text)) return "";
  const what = maskedSecrets === 1 ? "1 secret is" : `${maskedSecrets} secrets are`;
  return `${text.endsWith("\n") ? "" : "\n"}[${what} masked here (***). Do not write the masks into files.]`;
}

/** Stores bytes in the blob store before the artifact's row is written; returns null when the store fails. */
async function keepBytes(
  { workspaceId, conversationId, callId }: ResultOwner,
  { name, mediaType, bytes }: ResultFile,
): Promise<NewArtifact | null> {
  try {
    const stored = await blobs().put(bytes);
    return { id: newId(), workspaceId, conversationId, callId, name, mediaType, bytes: stored.bytes, sha256: stored.sha256 };
  } catch (error) {
    log().error({ err: error, callId }, "what a call produced could not be kept");
    return null;
  }
}

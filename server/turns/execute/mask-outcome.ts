import type { JsonObject } from "@/contracts/common";
import { toErrorMessage } from "@/server/platform/errors";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { log } from "@/server/platform/log";
import { ResultMask } from "@/server/secrets/mask-result";
import type { EmbeddedText, PersonQuestion, SentBlock, Step, Steps } from "@/server/tools/define-tool";
import { type Outcome, sentences } from "../outcome";

type File = NonNullable<Outcome["files"]>[number];

/**
 * Masks secrets in an outcome before hooks, the model, events, subscribers and artifacts see it. Files that are not text stay
 * as they are. An outcome that cannot be masked is withheld.
 */
export async function maskOutcome(outcome: Outcome, toolName: string): Promise<Outcome> {
  try {
    const mask = new ResultMask();
    const { structuredContent, files, resources, links, blocks, meta } = outcome;
    const sections = outcome.sections && (await Promise.all(outcome.sections.map((section) => mask.maskText(section))));
    const masked: Outcome = {
      ...outcome,
      text: sections ? sections.join("") : await mask.maskText(outcome.text),
      ...(sections ? { sections } : {}),
      ...(structuredContent ? { structuredContent: await maskStructure(structuredContent, mask) } : {}),
      ...(files ? { files: await Promise.all(files.map((file) => maskFile(file, mask))) } : {}),
      ...(resources ? { resources: await Promise.all(resources.map((one) => maskResource(one, mask))) } : {}),
      ...(links ? { links: await mask.maskValue(links) } : {}),
      ...(blocks ? { blocks: await Promise.all(blocks.map((block) => maskBlock(block, mask))) } : {}),
      ...(meta ? { meta: await maskStructure(meta, mask) } : {}),
    };
    return mask.count > 0 ? { ...masked, maskedSecrets: mask.count } : outcome;
  } catch (error) {
    log().warn({ err: toErrorMessage(error), callId: outcome.callId }, "a result could not be masked");
    return { callId: outcome.callId, status: "failed", text: sentences.unmasked(toolName) };
  }
}

/** Masks structured content; content that is nested too deep is masked as JSON text. */
async function maskStructure(content: JsonObject, mask: ResultMask): Promise<JsonObject> {
  if (inspectJson(content).depth <= maxArgumentDepth) return mask.maskValue(content);
  return JSON.parse(await mask.maskText(JSON.stringify(content)));
}

async function maskResource(resource: EmbeddedText, mask: ResultMask): Promise<EmbeddedText> {
  return { ...resource, uri: await mask.maskText(resource.uri), text: await mask.maskText(resource.text) };
}

async function maskBlock(block: SentBlock, mask: ResultMask): Promise<SentBlock> {
  const { written, annotations, meta } = block;
  return {
    ...block,
    written: await mask.maskText(written),
    ...(annotations ? { annotations: await maskStructure(annotations, mask) } : {}),
    ...(meta ? { meta: await maskStructure(meta, mask) } : {}),
  };
}

const textType = /^text\/|[/+](?:json|xml|ya?ml|x-ndjson|javascript|toml)\b/i;

async function maskFile(file: File, mask: ResultMask): Promise<File> {
  if (!textType.test(file.mediaType)) return file;
  const text = decodeUtf8(file.bytes);
  if (text === null) return file;
  const masked = await mask.maskText(text);
  return masked === text ? file : { ...file, bytes: Buffer.from(masked) };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Yields the same steps, with secrets masked in the lines and questions that people read. */
export async function* maskSteps(steps: Steps): Steps {
  const mask = new ResultMask();
  try {
    for (let answer = ""; ; ) {
      const { value, done } = await steps.next(answer);
      if (done) return value;
      answer = yield maskStep(value, mask);
    }
  } finally {
    await steps.return("");
  }
}

/** Masks secrets in a question of a direct tool. The address stays, because a person has to open it as it is. */
export function maskQuestion(question: PersonQuestion, maskSecrets: boolean): PersonQuestion {
  return maskSecrets ? { ...question, text: new ResultMask().maskLine(question.text) } : question;
}

function maskStep(step: Step, mask: ResultMask): Step {
  if ("say" in step) return { say: mask.maskLine(step.say) };
  if ("ask" in step) return { ...step, ask: mask.maskLine(step.ask) };
  if ("wait" in step) return step;
  return { ...step, approve: { ...step.approve, question: mask.maskLine(step.approve.question) } };
}

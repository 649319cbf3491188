import "server-only";
import { loadProvider } from "./load-provider";
import { makeSpeechReader } from "./make-language-model";
import { ModelFault, toModelFault } from "./model-fault";
import type { ModelRef } from "./model-request";

const maxMs = 120_000;

type Recording = { bytes: Uint8Array; mediaType: string };

/** Returns what is said in a recording, by a model of a provider. @throws ModelFault, also when nothing was understood */
export async function writeDownSpeech(workspaceId: string, ref: ModelRef, { bytes, mediaType }: Recording): Promise<string> {
  const { access } = await loadProvider(workspaceId, ref);
  const model = await makeSpeechReader(access, ref.model);
  if (!model) throw new ModelFault(`${access.name} writes down no speech. Choose a model of another provider.`, false);
  try {
    const { text } = await model.doGenerate({ audio: bytes, mediaType, abortSignal: AbortSignal.timeout(maxMs) });
    if (text.trim() === "") throw new ModelFault(`${access.name} understood nothing in it.`, false);
    return text.trim();
  } catch (error) {
    throw toModelFault(error, access, ref.model);
  }
}

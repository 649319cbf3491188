import "server-only";
import type { MediaTrial, MediaTrialResult } from "@/contracts/models/media";
import type { Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { MediaFault } from "./providers/media-fault";
import { openClient } from "./providers/open-client";
import { readMediaChain } from "./settings/media-chain";

/**
 * Asks a provider whether it accepts the stored key, by a request that costs nothing.
 * @throws AppError `invalid` without a key
 */
export async function tryMedia(
  actor: Authorized<"tools:write">,
  { provider: id }: MediaTrial,
  signal: AbortSignal,
): Promise<MediaTrialResult> {
  const { accesses } = await readMediaChain(actor.workspaceId);
  const access = accesses.find(({ provider }) => provider.id === id);
  if (!access) throw new Error(`The provider ${id} has no settings`);
  const { provider, key } = access;
  if (key === "") {
    const sentence =
      access.status === "key_unreadable"
        ? `The key of ${provider.title} was sealed with another key. Type it again.`
        : `${provider.title} needs a key.`;
    throw new AppError("invalid", sentence, { errors: [{ path: "provider", message: sentence }] });
  }
  const startedAt = performance.now();
  const answer = (succeeded: boolean, sentence: string) => ({ succeeded, sentence, durationMs: Math.round(performance.now() - startedAt) });
  try {
    await provider.check(openClient(access, signal, []));
    return answer(true, `${provider.title} accepts the key.`);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MediaFault)) throw error;
    return answer(false, `${provider.title} ${error.message}`);
  }
}

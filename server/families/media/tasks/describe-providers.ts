import type { MediaKind } from "@/contracts/models/media";
import { kindWords, type MediaChain, readyFor, unavailableReason } from "../settings/media-chain";
import { modelsOf } from "./choose-providers";

/** Lists the providers that can make a kind now, in the order in which they are asked. */
export function describeProviders(chain: MediaChain, kind: MediaKind): string {
  const reason = unavailableReason(chain, kind);
  if (reason) return reason;
  const lines = readyFor(chain, kind).map((access) => {
    const [first, ...others] = modelsOf(access, kind).map((model) => `${access.provider.id}:${model}`);
    return `- ${access.provider.title}: ${first} (default)${others.length > 0 ? `, ${others.join(", ")}` : ""}`;
  });
  return `Providers of ${kindWords[kind].many}, asked in this order:\n${lines.join("\n")}\nSend one of these names as model, or leave model out.`;
}

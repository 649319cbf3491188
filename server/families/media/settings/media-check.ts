import { mediaKinds } from "@/contracts/models/media";
import type { Check } from "@/server/platform/extension-points/doctor-checks";
import { kindWords, readMediaChain, readyFor } from "./media-chain";

const name = "Media providers";
const link = { label: "Open the media settings", path: "/settings/media" };

/** Checks the keys of media providers; makes nothing, because that costs money. */
export const mediaCheck: Check = {
  name,
  isOffline: false,
  run: async (workspaceId) => {
    const chain = await readMediaChain(workspaceId);
    const lost = chain.accesses.filter(({ status }) => status === "key_unreadable").map(({ provider }) => provider.title);
    if (lost.length > 0) {
      const sentence = `The key of ${lost.join(" and ")} cannot be opened, because it was sealed with another key.`;
      return [{ name, status: "failed", sentence, wayOut: "Type the key again in Settings, Media.", link }];
    }
    const made = mediaKinds.flatMap((kind) => {
      const [first] = readyFor(chain, kind);
      return first ? [`${kindWords[kind].many} by ${first.provider.title}`] : [];
    });
    const sentence =
      made.length === 0 ? "No media provider has a key, so agents make no images or videos." : `Agents can make ${made.join(", ")}.`;
    return [{ name, status: "ok", sentence }];
  },
};

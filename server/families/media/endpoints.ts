import { mediaEndpoints } from "@/contracts/models/media";
import { answer } from "@/server/endpoints/answer";
import { getMediaSettings, updateMediaSettings } from "./settings/media-settings";
import { tryMedia } from "./try-media";

export const mediaAnswers = answer(mediaEndpoints, {
  get: ({ actor }) => getMediaSettings(actor),
  update: ({ actor, body, version }) => updateMediaSettings(actor, body, version),
  test: ({ actor, body, signal }) => tryMedia(actor, body, signal),
});

import { type MediaSettings, mediaEndpoints } from "@/contracts/media";
import { getMediaSettings, updateMediaSettings } from "@/server/families/media/settings/media-settings";
import { reply, route, versionMatched } from "@/server/http/route";

const withEtag = (settings: MediaSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(mediaEndpoints.get, async ({ actor }) => withEtag(await getMediaSettings(actor)));

export const PATCH = route(mediaEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateMediaSettings(actor, body, versionMatched(request))),
);

import { type ResultSettings, resultSettingsEndpoints } from "@/contracts/result-settings";
import { reply, route, versionMatched } from "@/server/http/route";
import { getResultSettings, updateResultSettings } from "@/server/tools/result-settings";

const withEtag = (settings: ResultSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(resultSettingsEndpoints.get, async ({ actor }) => withEtag(await getResultSettings(actor)));

export const PATCH = route(resultSettingsEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateResultSettings(actor, body, versionMatched(request))),
);

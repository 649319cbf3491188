import { type SearchSettings, searchSettingsEndpoints } from "@/contracts/search-settings";
import { getSearchSettings, updateSearchSettings } from "@/server/families/web/search/search-settings";
import { reply, route, versionMatched } from "@/server/http/route";

const withEtag = (settings: SearchSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(searchSettingsEndpoints.get, async ({ actor }) => withEtag(await getSearchSettings(actor)));

export const PATCH = route(searchSettingsEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateSearchSettings(actor, body, versionMatched(request))),
);

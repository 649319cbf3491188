import { type ShellSettings, shellSettingsEndpoints } from "@/contracts/shell";
import { getShellSettings, updateShellSettings } from "@/server/families/shell/shell-settings";
import { reply, route, versionMatched } from "@/server/http/route";

const withEtag = (settings: ShellSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(shellSettingsEndpoints.get, async ({ actor }) => withEtag(await getShellSettings(actor)));

export const PATCH = route(shellSettingsEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateShellSettings(actor, body, versionMatched(request))),
);

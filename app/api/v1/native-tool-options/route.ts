import { type NativeToolSettings, nativeToolOptionsEndpoints } from "@/contracts/native-tool-options";
import { reply, route, versionMatched } from "@/server/http/route";
import { getNativeOptions, replaceNativeOptions, updateNativeOptions } from "@/server/tools/provider/native-options";

const withEtag = (settings: NativeToolSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(nativeToolOptionsEndpoints.get, async ({ actor }) => withEtag(await getNativeOptions(actor)));

export const PUT = route(nativeToolOptionsEndpoints.replace, async ({ actor, body, request }) =>
  withEtag(await replaceNativeOptions(actor, body, versionMatched(request))),
);

export const PATCH = route(nativeToolOptionsEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateNativeOptions(actor, body, versionMatched(request))),
);

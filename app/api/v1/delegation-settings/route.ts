import { type DelegationSettings, delegationEndpoints } from "@/contracts/delegation";
import { getDelegationSettings, updateDelegationSettings } from "@/server/families/delegation/settings";
import { reply, route, versionMatched } from "@/server/http/route";

const withEtag = (settings: DelegationSettings) => reply(settings, { headers: { etag: `"${settings.version}"` } });

export const GET = route(delegationEndpoints.get, async ({ actor }) => withEtag(await getDelegationSettings(actor)));

export const PATCH = route(delegationEndpoints.update, async ({ actor, body, request }) =>
  withEtag(await updateDelegationSettings(actor, body, versionMatched(request))),
);

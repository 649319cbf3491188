import { type GuardConfig, guardEndpoints } from "@/contracts/guard";
import { reply, route, versionMatched } from "@/server/http/route";
import { getConfig, updateConfig } from "@/server/policy/rules/guard-config";

const withEtag = (config: GuardConfig) => reply(config, { headers: { etag: `"${config.policyVersion}"` } });

export const GET = route(guardEndpoints.getConfig, async ({ actor }) => withEtag(await getConfig(actor)));

export const PUT = route(guardEndpoints.updateConfig, async ({ actor, body, request }) =>
  withEtag(await updateConfig(actor, body, versionMatched(request))),
);

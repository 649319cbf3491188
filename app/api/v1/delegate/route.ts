import { type Delegate, delegateEndpoints } from "@/contracts/delegate";
import { getDelegate, removeDelegate, setDelegate } from "@/server/families/delegate/set-delegate";
import { reply, route, versionMatched } from "@/server/http/route";

const withEtag = (delegate: Delegate) => reply(delegate, { headers: { etag: `"${delegate.version}"` } });

export const GET = route(delegateEndpoints.get, async ({ actor }) => withEtag(await getDelegate(actor)));

export const PUT = route(delegateEndpoints.set, async ({ actor, body, request }) =>
  withEtag(await setDelegate(actor, body, versionMatched(request))),
);

export const DELETE = route(delegateEndpoints.remove, ({ actor }) => removeDelegate(actor));

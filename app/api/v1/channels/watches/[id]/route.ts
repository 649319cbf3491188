import { channelEndpoints } from "@/contracts/channels";
import { removeWatch, switchWatch } from "@/server/families/channels/manage-watches";
import { route } from "@/server/http/route";

export const PUT = route(channelEndpoints.switchWatch, ({ actor, params, body }) => switchWatch(actor, params.id, body.enabled));

export const DELETE = route(channelEndpoints.removeWatch, async ({ actor, params }) => {
  await removeWatch(actor, params.id);
  return {};
});
